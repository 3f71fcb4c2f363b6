import ServiceKit

/// Scheme, host and port, as a browser names where a page is from: `https://board.example`. Two are the same where a browser would
/// say so: in lower case, without the port that the scheme has anyway.
struct WebOrigin: Sendable, Hashable, CustomStringConvertible {
    /// Else it is plain HTTP.
    let isSecure: Bool
    /// With the port where that is not the scheme's own.
    let host: String

    /// What stands for an address that nobody knows.
    static let local = WebOrigin()

    private init() {
        self.isSecure = false
        self.host = "localhost"
    }

    /// Reads `KEIJIBAN_PUBLIC_URL`, the board's public address; nil where it is not set.
    static func read(_ settings: inout Settings) -> WebOrigin? {
        guard let text = settings.optionalString("KEIJIBAN_PUBLIC_URL") else { return nil }
        // One that is no origin may hold a password, so it is not repeated.
        guard let origin = WebOrigin(text) else {
            settings.fault("KEIJIBAN_PUBLIC_URL must be an address such as https://board.example, without a path")
            return nil
        }
        return origin
    }

    /// Reads an origin; nil for anything else, also for one with a path.
    init?(_ text: String) {
        for (scheme, isSecure) in [("https://", true), ("http://", false)] where text.lowercased().hasPrefix(scheme) {
            self.init(isSecure: isSecure, host: String(text.utf8.dropFirst(scheme.utf8.count)) ?? "")
            return
        }
        return nil
    }

    /// - Parameter text: as in the header `Host`: a name, an address of IPv4, or one of IPv6 in brackets, maybe with a port. Nil
    ///   for anything else, since it comes to stand in links.
    init?(isSecure: Bool, host text: String) {
        let bytes = text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        let isBracketed = bytes.first == UInt8(ascii: "[")
        let end =
            isBracketed
            ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : bytes.firstIndex(of: UInt8(ascii: ":"))
        let name = bytes[..<(end ?? bytes.count)]
        let rest = bytes[name.endIndex...]
        guard isBracketed ? Self.isAddress(name) : Self.isName(name), rest.isEmpty || Self.isPort(rest) else {
            return nil
        }
        let port = rest.isEmpty || rest.elementsEqual((isSecure ? ":443" : ":80").utf8) ? [] : rest
        self.isSecure = isSecure
        self.host = String(decoding: name + port, as: UTF8.self)
    }

    var description: String { (self.isSecure ? "https://" : "http://") + self.host }

    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        (1...253).contains(bytes.count)
            && bytes.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || "-._".utf8.contains($0) }
    }

    private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        let inner = bytes.dropFirst().dropLast()
        return inner.contains(UInt8(ascii: ":"))
            && inner.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 || ":.".utf8.contains($0) }
            && NetworkAddress(String(decoding: bytes, as: UTF8.self)) != nil
    }

    /// A port behind its colon.
    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        let digits = bytes.dropFirst()
        guard bytes.first == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.allSatisfy({ 0x30...0x39 ~= $0 })
        else { return false }
        return Int(String(decoding: digits, as: UTF8.self)).map { 1...65_535 ~= $0 } ?? false
    }
}
