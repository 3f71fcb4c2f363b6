import KeijibanAPI

/// Which pictures some threads and posts show, and what a run of changes makes of it.
struct UseLedger: Sendable {
    struct Use: Sendable, Hashable {
        let picture: ID
        let version: Int
    }

    /// By thread or post.
    private(set) var uses: [ID: Use]
    /// The threads and posts whose use is another one than at first, or none.
    private(set) var changed: Set<ID> = []
    /// The claims that these changes end.
    private(set) var claims: Set<ID> = []
    /// The pictures whose use began.
    private(set) var begun: Set<ID> = []
    /// The pictures that a thread or post stopped showing, each with the trace of why.
    private(set) var left: [ID: String?] = [:]
    /// Those of them that an edit let go, whose author may take them back.
    private(set) var released: Set<ID> = []

    /// The highest version of each thread and post so far, also of those that show nothing any more.
    private var versions: [ID: Int]

    init(_ uses: [ID: Use]) {
        self.uses = uses
        self.versions = uses.mapValues(\.version)
    }

    /// Takes a change over. One that is older than what stands does not count: it is in an event that a snapshot has overtaken.
    mutating func apply(_ change: UseChange) {
        if let claim = change.claim { self.claims.insert(claim) }
        guard change.version >= self.versions[change.owner] ?? 0 else { return }
        self.versions[change.owner] = change.version
        if !change.isEnd, let standing = self.uses[change.owner]?.picture, standing != change.picture {
            self.released.insert(standing)
        }
        self.set(change.owner, change.picture.map { Use(picture: $0, version: change.version) }, change.traceparent)
    }

    /// Takes over what a snapshot says, whatever stood before.
    mutating func replace(by changes: [UseChange]) {
        let owners = Set(changes.map(\.owner))
        for owner in self.uses.keys where !owners.contains(owner) { self.set(owner, nil, nil) }
        for change in changes {
            self.set(change.owner, change.picture.map { Use(picture: $0, version: change.version) }, nil)
        }
    }

    private mutating func set(_ owner: ID, _ next: Use?, _ traceparent: String?) {
        let standing = self.uses[owner]
        guard next != standing else { return }
        self.changed.insert(owner)
        self.uses[owner] = next
        guard next?.picture != standing?.picture else { return }
        if let standing { self.left.updateValue(traceparent, forKey: standing.picture) }
        if let next { self.begun.insert(next.picture) }
    }

    /// Every picture that is touched.
    var pictures: Set<ID> {
        self.begun.union(self.left.keys).union(self.changed.compactMap { self.uses[$0]?.picture })
    }
}
