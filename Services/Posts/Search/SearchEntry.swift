import KeijibanAPI

/// A post as the search index has it.
struct SearchEntry {
    let postId: ID
    let threadId: ID
    let authorId: ID
    let date: Timestamp
    let version: Int
    /// Title and body, folded. An untitled daily report is found by the title that readers see.
    let folded: String
    /// What it is found by: its text's grams, and its thread and author.
    let grams: [Int32]

    /// How many bytes it is on its way to the database, about: a gram is sent as text.
    var size: Int { self.folded.utf8.count + 12 * self.grams.count + 100 }

    init(_ post: PostCreated) {
        self.init(post.id, post.version, of: post.threadId, by: post.authorId, post.title, post.body, post.date)
    }

    init(_ post: PostEdited) {
        self.init(post.id, post.version, of: post.threadId, by: post.authorId, post.title, post.body, post.date)
    }

    private init(
        _ id: ID,
        _ version: Int,
        of thread: ID,
        by author: ID,
        _ title: String?,
        _ body: String,
        _ date: Timestamp
    ) {
        self.postId = id
        self.threadId = thread
        self.authorId = author
        self.date = date
        self.version = version
        self.folded = SearchText("\(title ?? DailyReportTitle.text(of: date))\n\(body)").folded
        self.grams = SearchGram.all(in: self.folded) + [SearchGram.owner(thread), SearchGram.owner(author)]
    }
}
