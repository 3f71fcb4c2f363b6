/// A hold on a picture for the moment between the wish to use it and the event that says so.
public struct ImageClaim: Codable, Sendable, Hashable {
    public var id: ID
    public var imageId: ID

    public init(id: ID, imageId: ID) {
        self.id = id
        self.imageId = imageId
    }
}
