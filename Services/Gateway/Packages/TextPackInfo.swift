import KeijibanAPI

/// What a TextBundle says of itself in `info.json`.
struct TextPackInfo: Sendable, Hashable {
    /// A title of several lines, which the text shows in one.
    var title: String?
    var date: Timestamp?

    private static let application = "org.keijiban"
    /// Of `info.json`.
    private static let byteLimit = 65_536

    init(title: String?, date: Timestamp?) {
        self.title = title
        self.date = date
    }

    /// Reads versions 1 and 2. Throws `FieldFaults` where it is neither.
    init(_ bytes: [UInt8]) throws {
        guard bytes.count <= Self.byteLimit, case .object(let members) = try? JSONValue(strictly: bytes)
        else { throw FieldFaults(TextPack.infoName, .package(.unreadable)) }
        guard members["version"] == .integer(1) || members["version"] == .integer(2) else {
            throw FieldFaults(TextPack.infoName, .package(.version))
        }
        guard case .object(let own) = members[Self.application] else { return }
        if case .string(let title) = own["title"] { self.title = title }
        if case .string(let date) = own["date"] {
            guard let date = Timestamp(date) else {
                throw FieldFaults(TextPack.infoName, .wrongType(expected: "date-time"))
            }
            self.date = date
        }
    }

    func bytes() throws -> [UInt8] {
        var own: [String: JSONValue] = [:]
        own["title"] = self.title.map { .string($0) }
        own["date"] = self.date.map { .string($0.description) }
        var members: [String: JSONValue] = [
            "version": .integer(2), "type": .string("net.daringfireball.markdown"), "transient": .boolean(false),
            "creatorIdentifier": .string(Self.application),
        ]
        if !own.isEmpty { members[Self.application] = .object(own) }
        return try JSON.encode(JSONValue.object(members))
    }
}
