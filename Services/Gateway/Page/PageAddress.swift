/// Addresses with a query.
enum PageAddress {
    /// A path, which may have a query already, with those of the parameters that have a value.
    static func of(_ path: String, _ parameters: KeyValuePairs<String, String?>) -> String {
        let parts = parameters.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : "\(name)=\(self.escaped($0))" }
        }
        guard !parts.isEmpty else { return path }
        return path + (path.contains("?") ? "&" : "?") + parts.joined(separator: "&")
    }

    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
