/// A header's value with parameters behind it (RFC 9110, 5.6.6): `form-data; name="file"; filename="a.jpg"`.
public struct ParameterizedValue: Sendable {
    public let value: String
    /// By lower-case name; of two with the same name the first.
    public private(set) var parameters: [String: String] = [:]

    public init(_ text: String) {
        var rest = text.unicodeScalars[...]
        self.value = Self.trimmed(Self.take(from: &rest) { $0 == ";" })
        while rest.popFirst() != nil {
            let name = Self.trimmed(Self.take(from: &rest) { $0 == "=" || $0 == ";" }).lowercased()
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            let isQuoted = rest.first == "\""
            let value = isQuoted ? Self.quoted(&rest) : Self.trimmed(Self.take(from: &rest) { $0 == ";" })
            if isQuoted { _ = Self.take(from: &rest) { $0 == ";" } }
            if self.parameters[name] == nil { self.parameters[name] = value }
        }
    }

    private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> String {
        rest.removeFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            // Only a quote and a backslash are escaped: old browsers send paths with single backslashes.
            let isEscape = scalar == "\\" && (rest.first == "\"" || rest.first == "\\")
            value.append(isEscape ? rest.removeFirst() : scalar)
        }
        return String(value)
    }

    private static func take(
        from rest: inout Substring.UnicodeScalarView,
        until isEnd: (Unicode.Scalar) -> Bool
    ) -> String {
        let end = rest.firstIndex(where: isEnd) ?? rest.endIndex
        defer { rest = rest[end...] }
        return String(Substring(rest[..<end]))
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text[...].drop { $0 == " " || $0 == "\t" }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
