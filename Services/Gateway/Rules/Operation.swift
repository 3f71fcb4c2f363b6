import HTTP

/// What a public operation takes and gives, as far as it can be told before its handler runs.
struct Operation: Sendable {
    enum Body: Sendable {
        case none
        case json
        /// Its handler looks at it.
        case any
    }

    let method: String
    let pattern: String
    /// The parameters of its query; nil where its handler knows them.
    let parameters: Set<String>?
    /// Those of them that may be there more than once.
    let repeatable: Set<String>
    let body: Body
    /// The types that it answers with; none where there is nothing to show. A problem is shown to everybody.
    let types: [String]
    let act: Act
    /// Whether it may bring a picture, so that it counts as an upload besides.
    let isUploadToo: Bool

    init(
        _ method: String,
        _ pattern: String,
        parameters: Set<String>? = [],
        repeatable: Set<String> = [],
        body: Body? = nil,
        types: [String] = ["application/json"],
        act: Act? = nil,
        isUploadToo: Bool = false
    ) {
        self.method = method
        self.pattern = pattern
        self.parameters = parameters
        self.repeatable = repeatable
        self.body = body ?? (method == "POST" || method == "PATCH" ? .json : .none)
        self.types = types
        self.act = act ?? (method == "GET" ? .read : .edit)
        self.isUploadToo = isUploadToo
    }
}

extension Operation {
    /// The rules of a route. One that is not in the list takes and gives JSON, and knows its parameters itself.
    static func of(_ route: Route) -> Operation {
        self.byPlace["\(route.method) \(self.nameless(route.pattern))"]
            ?? Operation(route.method, route.pattern, parameters: nil, body: route.method == "POST" ? .any : nil)
    }

    private static let byPlace = Dictionary(
        Self.all.map { ("\($0.method) \(Self.nameless($0.pattern))", $0) },
        uniquingKeysWith: { first, _ in first }
    )

    /// What a part of a path is called makes no difference.
    private static func nameless(_ pattern: String) -> String {
        pattern.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : String($0) }.joined(separator: "/")
    }

    private static let page: Set = ["limit", "cursor"]

    private static let all: [Operation] = [
        Operation("POST", "/v1/users", act: .signUp),
        Operation("GET", "/v1/users/me"),
        Operation("PATCH", "/v1/users/me"),
        Operation("DELETE", "/v1/users/me", types: []),
        Operation("POST", "/v1/users/me/token", body: Body.none),
        Operation("POST", "/v1/users/me/transfer", body: Body.none),
        Operation("GET", "/v1/users/me/export", types: ["application/zip"]),
        Operation("GET", "/v1/users/me/posts", parameters: page),
        Operation("GET", "/v1/users/me/likes", parameters: page),
        Operation("GET", "/v1/users/{userId}"),
        Operation("GET", "/v1/threads", parameters: page.union(["order"])),
        Operation("POST", "/v1/threads", act: .post),
        Operation("GET", "/v1/threads/{threadId}"),
        Operation("PATCH", "/v1/threads/{threadId}"),
        Operation("DELETE", "/v1/threads/{threadId}", types: []),
        Operation("GET", "/v1/threads/{threadId}/posts", parameters: page.union(["order"])),
        Operation("POST", "/v1/threads/{threadId}/posts", act: .post),
        Operation("POST", "/v1/threads/{threadId}/posts/import", body: .any, act: .post, isUploadToo: true),
        Operation("GET", "/v1/posts", parameters: page.union(["date", "tz", "from", "to", "thread", "author", "q"])),
        Operation("GET", "/v1/posts/{postId}"),
        Operation("PATCH", "/v1/posts/{postId}"),
        Operation("DELETE", "/v1/posts/{postId}", types: []),
        Operation("GET", "/v1/posts/{postId}/textpack", types: ["application/zip"]),
        Operation("PUT", "/v1/posts/{postId}/like", act: .like),
        Operation("DELETE", "/v1/posts/{postId}/like", act: .like),
        Operation("GET", "/v1/posts/{postId}/likes", parameters: page),
        Operation("POST", "/v1/media", body: .any, act: .upload),
        Operation("GET", "/v1/media/{mediaId}", parameters: ["size"], types: ["image/*"]),
        Operation("GET", "/v1/counts", parameters: ["thread", "post"], repeatable: ["thread", "post"]),
        Operation("GET", "/v1/live", parameters: ["thread"], repeatable: ["thread"], types: ["text/event-stream"]),
        Operation("GET", "/openapi.yaml", types: ["application/yaml"]),
        Operation("GET", "/asyncapi.yaml", types: ["application/yaml"]),
        Operation("GET", "/problems/{kind}", types: ["text/plain"]),
    ]
}
