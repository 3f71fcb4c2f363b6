import KeijibanAPI

/// What somebody says of themselves when they sign up: next to nothing.
struct SignUp: Sendable {
    static let defaultName = "名無しさん"

    let displayName: String
    let deviceId: String?

    /// Reads the body of a request; an empty one is allowed. Throws all that is wrong with it.
    init(_ body: [UInt8]) throws {
        var reader = try ObjectReader(body.isEmpty ? Array("{}".utf8) : body)
        self.displayName = reader.text("displayName", .displayName) ?? Self.defaultName
        let deviceId = reader.string("deviceId")
        if let deviceId {
            let length = deviceId.unicodeScalars.count
            if length < 16 { reader.note("deviceId", .text(.tooShort(least: 16, count: length))) }
            if length > 128 { reader.note("deviceId", .text(.tooLong(most: 128, count: length))) }
        }
        self.deviceId = deviceId
        // No code is given out yet, so every one is unknown.
        if reader.string("transferCode") != nil { reader.note("transferCode", .notAllowed) }
        try reader.finish()
    }
}
