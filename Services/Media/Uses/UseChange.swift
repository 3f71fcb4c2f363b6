import Events
import KeijibanAPI

/// What an event says of the picture that a thread or post shows.
struct UseChange: Sendable, Hashable {
    let owner: ID
    let version: Int
    /// Nil where it shows none from now on.
    let picture: ID?
    /// The claim that ends with it, also where the picture is no longer told because what showed it is gone.
    let claim: ID?
    /// Whether what showed the picture goes, or went after this event. Otherwise its author has chosen another picture, or none, and
    /// may think better of it.
    let isEnd: Bool
    let traceparent: String?

    init(
        owner: ID,
        version: Int,
        picture: ID?,
        claim: ID? = nil,
        isEnd: Bool = false,
        traceparent: String? = nil
    ) {
        self.owner = owner
        self.version = version
        self.picture = picture
        self.claim = claim
        self.isEnd = isEnd
        self.traceparent = traceparent
    }

    /// Nil where the event says nothing of pictures. Throws where it should and cannot be read.
    init?(_ event: Event) throws {
        guard Self.types.contains(event.type) else { return nil }
        let data = try JSON.decode(Data.self, from: event.data)
        self.init(
            owner: data.id,
            version: data.version,
            picture: data.imageId,
            claim: data.imageClaimId,
            isEnd: Self.ends.contains(event.type) || data.redacted == true,
            traceparent: event.traceparent
        )
    }

    /// In a deletion there is no picture, which says the same.
    private static let types = ends.union([
        ThreadCreated.type, ThreadEdited.type, PostCreated.type, PostEdited.type,
    ])

    private static let ends: Set = [ThreadDeleted.type, PostDeleted.type]

    /// What all of these events have.
    private struct Data: Decodable {
        let id: ID
        let version: Int
        let imageId: ID?
        let imageClaimId: ID?
        let redacted: Bool?
    }
}
