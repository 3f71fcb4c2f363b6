import KeijibanAPI

/// A thread that somebody wants to open, its text as it will be stored.
struct ThreadDraft: Sendable {
    let title: String
    let description: String
    let kind: ThreadKind
    let imageId: ID?

    /// Reads the body of a request. Throws all that is wrong with it.
    init(_ body: [UInt8]) throws {
        var reader = try ObjectReader(body)
        let title = reader.text("title", .threadTitle, isRequired: true)
        self.description = reader.text("description", .description) ?? ""
        self.kind = reader.choice("kind", of: ThreadKind.self) ?? .discussion
        self.imageId = reader.imageID("imageId")
        try reader.finish()
        self.title = title ?? ""
    }
}
