/// A stored picture and where its sizes are.
public struct Image: Codable, Sendable, Hashable {
    public var id: ID
    public var contentType: String
    public var byteCount: Int
    public var width: Int
    public var height: Int
    public var url: String
    public var displayUrl: String
    public var thumbnailUrl: String

    public init(id: ID, contentType: String, byteCount: Int, width: Int, height: Int) {
        self.id = id
        self.contentType = contentType
        self.byteCount = byteCount
        self.width = width
        self.height = height
        self.url = "/v1/media/\(id)"
        self.displayUrl = "/v1/media/\(id)?size=display"
        self.thumbnailUrl = "/v1/media/\(id)?size=thumbnail"
    }
}
