import Crypto
import KeijibanAPI

/// Where a page of a list ended, as an opaque text that belongs to this list alone and cannot be made up.
struct CursorCodec: Sendable {
    private let key: [UInt8]

    init(secret: String) {
        self.key = HMAC.sha256(key: Array(secret.utf8), data: Array("cursors".utf8))
    }

    /// - Parameter list: What the cursor is bound to: the path and the order.
    func encode(_ fields: [String], list: String) -> String {
        let text = Array(fields.joined(separator: " ").utf8)
        return Base64URL.encode(self.seal(text, list) + text)
    }

    /// The fields of a cursor of this list; throws 400 for any other text.
    func decode(_ cursor: String, list: String) throws -> [String] {
        guard cursor.utf8.count < 400, let bytes = Base64URL.decode(cursor), bytes.count > 12,
            constantTimeEquals(self.seal(Array(bytes.dropFirst(12)), list), Array(bytes.prefix(12)))
        else { throw FieldFaults.parameter("cursor", .cursor) }
        return String(decoding: bytes.dropFirst(12), as: UTF8.self).split(separator: " ").map(String.init)
    }

    private func seal(_ text: [UInt8], _ list: String) -> [UInt8] {
        Array(HMAC.sha256(key: self.key, data: Array(list.utf8) + [0] + text).prefix(12))
    }
}
