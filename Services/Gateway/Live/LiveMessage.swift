import KeijibanAPI

/// An event as it goes over the wire (server-sent events, as the HTML standard has them).
struct LiveMessage: Sendable {
    let name: String
    /// JSON, which has no line end in it.
    let data: [UInt8]

    init(_ name: String, _ value: some Encodable) throws {
        self.name = name
        self.data = try JSON.encode(value)
    }

    static let reset = LiveMessage("reset", json: "{}")

    static func open(_ position: String) -> LiveMessage { LiveMessage("open", json: "{\"position\":\"\(position)\"}") }

    private init(_ name: String, json: String) {
        self.name = name
        self.data = Array(json.utf8)
    }

    func bytes(id: LiveEventID) -> [UInt8] {
        Array("event: \(self.name)\nid: \(id)\ndata: ".utf8) + self.data + Array("\n\n".utf8)
    }
}

/// What an event is known by: the life of the gateway that sent it, and its number in that.
struct LiveEventID: Sendable, Hashable, CustomStringConvertible {
    let boot: String
    let number: Int

    init(boot: String, number: Int) {
        self.boot = boot
        self.number = number
    }

    /// Reads what a client sends back; nil where no gateway ever sent it.
    init?(_ text: String) {
        guard let dash = text.lastIndex(of: "-") else { return nil }
        let digits = text[text.index(after: dash)...]
        guard let number = Int(digits), number >= 0, "\(number)" == digits else { return nil }
        self.init(boot: String(text[..<dash]), number: number)
    }

    var description: String { "\(self.boot)-\(self.number)" }
}

/// Counts that have changed, as they are now.
struct LiveCounts: Encodable, Sendable, Hashable {
    struct Thread: Encodable, Sendable, Hashable {
        let id: ID
        let postCount: Int
        let likeCount: Int
    }

    struct Post: Encodable, Sendable, Hashable {
        let id: ID
        let threadId: ID
        let likeCount: Int
    }

    var threads: [Thread] = []
    var posts: [Post] = []

    var isEmpty: Bool { self.threads.isEmpty && self.posts.isEmpty }

    /// The part of it that a filter lets through. The list of threads shows no posts.
    func filtered(by filter: LiveFilter) -> LiveCounts {
        if filter.isList { return LiveCounts(threads: self.threads) }
        return LiveCounts(
            threads: self.threads.filter { filter.threads.contains($0.id) },
            posts: self.posts.filter { filter.threads.contains($0.threadId) }
        )
    }
}

/// A post or thread that is gone.
struct LiveDeletion: Encodable, Sendable {
    let id: ID
    /// Of a post.
    var threadId: ID?
}
