import KeijibanAPI

/// What somebody says of themselves when they sign up: next to nothing.
struct SignUp: Sendable {
    static let defaultName = "名無しさん"

    let displayName: String
    let deviceId: String?
    /// In its normal form.
    let transferCode: String?

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
        let code = reader.string("transferCode")
        self.transferCode = code.flatMap(TransferCodes.normalized)
        if code != nil {
            if self.transferCode == nil { reader.note("transferCode", .codeNotUsable) }
            // The code makes a device one of a user, so there has to be a device.
            if reader.member("deviceId") == nil { reader.note("deviceId", .missing) }
        }
        try reader.finish()
    }
}
