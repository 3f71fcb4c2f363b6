import KeijibanAPI

/// What a gateway remembers of users and pictures, and which logs tell it of changes.
struct Directories: Sendable {
    static let topics: Set<String> = [Topic.users, Topic.media]

    let users: UserDirectory
    let images: ImageDirectory

    func apply(_ event: BoardEvent) {
        self.users.apply(event)
        self.images.apply(event)
    }

    /// Forgets what came from a topic.
    func forget(_ topic: String) {
        if topic == Topic.users { self.users.forget() }
        if topic == Topic.media { self.images.forget() }
    }
}
