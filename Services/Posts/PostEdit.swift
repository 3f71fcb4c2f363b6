import KeijibanAPI

/// What somebody wants to change of a post; what is left out stays.
struct PostEdit: Sendable {
    /// Nil makes a daily report untitled.
    let title: FieldEdit<String?>
    let body: FieldEdit<String>
    let date: FieldEdit<Timestamp>
    let imageId: FieldEdit<ID?>

    /// Reads the body of a request. Throws all that is wrong with it.
    init(_ bytes: [UInt8], kind: ThreadKind, titleRule: TextRule) throws {
        var reader = try ObjectReader(bytes)
        self.title =
            if kind == .dailyReport {
                reader.edit(emptying: "title") { $0.text("title", titleRule) }
            } else {
                reader.edit("title") { reader in reader.text("title", titleRule).map { .some($0) } }
            }
        self.body = reader.edit("body") { $0.text("body", .body) }
        self.date = reader.edit("date") { $0.timestamp("date") }
        self.imageId = reader.edit(emptying: "imageId") { $0.imageID("imageId") }
        reader.requireMembers()
        try reader.finish()
    }

    /// The picture that the post is to show from now on, which has to be claimed; nil where it gets none.
    var picture: ID? { self.imageId.applied(to: nil) }

    /// The post after the edit, of the same version.
    func applied(to post: PostRecord) -> PostRecord {
        var post = post
        post.title = self.title.applied(to: post.title)
        post.body = self.body.applied(to: post.body)
        post.date = self.date.applied(to: post.date)
        post.imageId = self.imageId.applied(to: post.imageId)
        return post
    }
}
