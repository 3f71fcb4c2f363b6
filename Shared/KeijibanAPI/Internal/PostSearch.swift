/// A search on its way from a gateway to posts: all of its conditions hold together.
public struct PostSearch: Codable, Sendable, Hashable {
    /// The posts' `date`, in milliseconds since 1970: from the first on, below the second.
    public var from: Int64?
    public var to: Int64?
    public var threadId: ID?
    public var authorId: ID?
    /// Folded as `SearchText` has it. Title or body hold each of them.
    public var words: [String]
    /// Where the last page ended.
    public var after: Place?
    /// How many posts a page has at most.
    public var limit: Int

    /// A place in the order of dates: the newest first, then the highest id.
    public struct Place: Codable, Sendable, Hashable {
        public var date: Int64
        public var id: ID

        public init(date: Int64, id: ID) {
            self.date = date
            self.id = id
        }
    }

    public init(
        from: Int64? = nil,
        to: Int64? = nil,
        threadId: ID? = nil,
        authorId: ID? = nil,
        words: [String] = [],
        after: Place? = nil,
        limit: Int = 20
    ) {
        self.from = from
        self.to = to
        self.threadId = threadId
        self.authorId = authorId
        self.words = words
        self.after = after
        self.limit = limit
    }
}

/// A page of what was found.
public struct FoundPosts: Codable, Sendable, Hashable {
    public var posts: [PostRecord]
    /// What the next page comes after; nil at the end. A page may be shorter than its limit and have a next one.
    public var next: PostSearch.Place?
    /// How many seconds ago the index was level with the posts, where that is a second or more, or a wish was not met.
    public var age: Int?

    public init(posts: [PostRecord], next: PostSearch.Place?, age: Int? = nil) {
        self.posts = posts
        self.next = next
        self.age = age
    }
}
