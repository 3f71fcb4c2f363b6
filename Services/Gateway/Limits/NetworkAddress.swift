import Glibc

/// An address of the Internet. One of IPv4 that is written in IPv6 (`::ffff:192.0.2.1`) is that of IPv4.
struct NetworkAddress: Sendable, Hashable {
    /// 4 or 16 of them.
    let bytes: [UInt8]

    /// Reads an address, also in brackets or with a port behind it, as proxies write it. Nil for anything else.
    init?(_ text: some StringProtocol) {
        var text = Self.trimmed(String(text))
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]"), Self.isPort(text[text.index(after: end)...]) else { return nil }
            text = String(text[..<end].dropFirst())
        } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
            guard Self.isPort(text[colon...]) else { return nil }
            text = String(text[..<colon])
        }
        // To C a text ends there.
        guard !text.utf8.contains(0) else { return nil }
        guard let bytes = Self.parse(text, AF_INET, 4) ?? Self.parse(text, AF_INET6, 16) else { return nil }
        let isMapped = bytes.count == 16 && bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    private static func trimmed(_ text: String) -> String {
        let isOutside = { (character: Character) in [" ", "\t", "\""].contains(character) }
        var rest = text[...].drop(while: isOutside)
        while rest.last.map(isOutside) == true { rest.removeLast() }
        return String(rest)
    }

    /// Nothing, or a port behind a colon, which a proxy may have hidden: `_x` (RFC 7239, 6).
    private static func isPort(_ text: Substring) -> Bool {
        guard let colon = text.utf8.first else { return true }
        let port = text.utf8.dropFirst()
        return colon == UInt8(ascii: ":") && !port.isEmpty && port.count <= 40
            && port.allSatisfy { byte in
                let isName = 0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || "._-".utf8.contains(byte)
                return port.first == UInt8(ascii: "_") ? isName : 0x30...0x39 ~= byte
            }
    }

    private static func parse(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    /// Who is counted as one: an address of IPv4, or the /64 that one household has of IPv6.
    var group: String { self.bytes.prefix(8).map { "\($0)" }.joined(separator: ".") }
}

/// Addresses that begin alike: `10.0.0.0/8`.
struct NetworkRange: Sendable, Hashable {
    private let start: NetworkAddress
    private let bits: Int

    /// Reads a range in CIDR form, or a single address.
    init?(_ text: some StringProtocol) {
        let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = halves.first, let start = NetworkAddress(first) else { return nil }
        let width = start.bytes.count * 8
        let bits = halves.count == 2 && !halves[1].hasPrefix("+") ? Int(halves[1]) : halves.count == 1 ? width : nil
        guard let bits, (0...width).contains(bits) else { return nil }
        self.start = start
        self.bits = bits
    }

    func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == self.start.bytes.count else { return false }
        return (0..<self.bits).allSatisfy { bit in
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            return address.bytes[bit / 8] & mask == self.start.bytes[bit / 8] & mask
        }
    }
}
