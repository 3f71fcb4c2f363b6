import KeijibanAPI

/// A post that somebody wants to write, its text as it will be stored.
struct PostDraft: Sendable {
    /// Nil for an untitled daily report.
    let title: String?
    let body: String
    /// What moment it is about; nil for the moment of posting.
    let date: Timestamp?
    let imageId: ID?

    /// Reads the body of a request. Throws all that is wrong with it.
    init(_ bytes: [UInt8], kind: ThreadKind, titleRule: TextRule) throws {
        var reader = try ObjectReader(bytes)
        self.title = reader.text("title", titleRule, isRequired: kind == .discussion)
        let body = reader.text("body", .body, isRequired: true)
        self.date = reader.timestamp("date")
        self.imageId = reader.imageID("imageId")
        try reader.finish()
        self.body = body ?? ""
    }

    var titleKey: [UInt8]? { TitlePlace.key(of: self.title) }
}
