import KeijibanAPI

/// What somebody wants to change of a thread; what is left out stays.
struct ThreadEdit: Sendable {
    let title: FieldEdit<String>
    let description: FieldEdit<String>
    let imageId: FieldEdit<ID?>

    /// Reads the body of a request. Throws all that is wrong with it.
    init(_ body: [UInt8]) throws {
        var reader = try ObjectReader(body)
        self.title = reader.edit("title") { $0.text("title", .threadTitle) }
        self.description = reader.edit("description") { $0.text("description", .description) }
        self.imageId = reader.edit(emptying: "imageId") { $0.imageID("imageId") }
        reader.requireMembers()
        try reader.finish()
    }

    /// The picture that the thread is to show from now on, which has to be claimed; nil where it gets none.
    var picture: ID? { self.imageId.applied(to: nil) }

    /// The thread after the edit, of the same version.
    func applied(to thread: ThreadRecord) -> ThreadRecord {
        var thread = thread
        thread.title = self.title.applied(to: thread.title)
        thread.description = self.description.applied(to: thread.description)
        thread.imageId = self.imageId.applied(to: thread.imageId)
        return thread
    }
}
