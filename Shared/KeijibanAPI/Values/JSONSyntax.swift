/// A strict check of JSON (RFC 8259), before a decoder that would let more pass sees it.
///
/// One scan over the bytes, without recursion: what strangers send decides neither the depth of a stack nor which of two members of
/// one name counts. It takes UTF-8 without a byte order mark; names within an object are told apart as Swift compares strings.
struct JSONSyntax {
    /// What is wrong, and at which byte.
    struct Fault: Error, Hashable, CustomStringConvertible {
        let reason: String
        let offset: Int

        var description: String { "\(self.reason) at byte \(self.offset)" }
    }

    /// Containers within containers. No document of the board's own has more than three.
    static let depthLimit = 64

    private enum Container {
        case array
        case object(names: Set<String>)
    }

    private enum Expectation { case value, valueOrEnd, name, nameOrEnd, separatorOrEnd, end }

    private let bytes: [UInt8]
    private var offset = 0
    private var containers: [Container] = []

    static func check(_ bytes: [UInt8]) throws(Fault) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Fault(reason: "no UTF-8", offset: 0) }
        var syntax = JSONSyntax(bytes: bytes)
        try syntax.scan()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func scan() throws(Fault) {
        var expected = Expectation.value
        while true {
            while let byte = self.peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { self.offset += 1 }
            if expected == .end {
                guard self.peek == nil else { throw self.fault("something behind the end") }
                return
            }
            guard let byte = self.peek else { throw self.fault("it ends too early") }
            expected = try self.step(byte, expected)
        }
    }

    private mutating func step(_ byte: UInt8, _ expected: Expectation) throws(Fault) -> Expectation {
        switch (expected, byte) {
        case (.valueOrEnd, UInt8(ascii: "]")), (.nameOrEnd, UInt8(ascii: "}")): return self.close()
        case (.value, _), (.valueOrEnd, _): return try self.value(byte)
        case (.name, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")): return try self.name()
        case (.separatorOrEnd, _): return try self.separator(byte)
        default: throw self.fault("a name is expected")
        }
    }

    private mutating func value(_ byte: UInt8) throws(Fault) -> Expectation {
        switch byte {
        case UInt8(ascii: "{"): return try self.open(.object(names: []), .nameOrEnd)
        case UInt8(ascii: "["): return try self.open(.array, .valueOrEnd)
        case UInt8(ascii: "\""): _ = try self.string()
        case UInt8(ascii: "t"): try self.literal("true")
        case UInt8(ascii: "f"): try self.literal("false")
        case UInt8(ascii: "n"): try self.literal("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try self.number()
        default: throw self.fault("a value is expected")
        }
        return self.afterValue
    }

    private var afterValue: Expectation { self.containers.isEmpty ? .end : .separatorOrEnd }

    private mutating func open(_ container: Container, _ next: Expectation) throws(Fault) -> Expectation {
        guard self.containers.count < Self.depthLimit else { throw self.fault("nested too deep") }
        self.containers.append(container)
        self.offset += 1
        return next
    }

    private mutating func close() -> Expectation {
        self.containers.removeLast()
        self.offset += 1
        return self.afterValue
    }

    private mutating func separator(_ byte: UInt8) throws(Fault) -> Expectation {
        switch (self.containers.last, byte) {
        case (.array, UInt8(ascii: "]")), (.object, UInt8(ascii: "}")): return self.close()
        case (.array, UInt8(ascii: ",")):
            self.offset += 1
            return .value
        case (.object, UInt8(ascii: ",")):
            self.offset += 1
            return .name
        default: throw self.fault("a comma or an end is expected")
        }
    }

    private mutating func name() throws(Fault) -> Expectation {
        let start = self.offset
        let name = try self.string()
        // Taken out, so that the set is not copied for each name.
        guard case .object(var names) = self.containers.removeLast() else { throw self.fault("no object") }
        let isNew = names.insert(name).inserted
        self.containers.append(.object(names: names))
        guard isNew else { throw Fault(reason: "a name for the second time", offset: start) }
        while let byte = self.peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { self.offset += 1 }
        guard self.peek == UInt8(ascii: ":") else { throw self.fault("a colon is expected") }
        self.offset += 1
        return .value
    }
}

extension JSONSyntax {
    private var peek: UInt8? { self.offset < self.bytes.count ? self.bytes[self.offset] : nil }

    private func fault(_ reason: String) -> Fault { Fault(reason: reason, offset: self.offset) }

    private mutating func literal(_ word: String) throws(Fault) {
        guard self.bytes[self.offset...].starts(with: word.utf8) else { throw self.fault("a value is expected") }
        self.offset += word.utf8.count
    }

    private mutating func number() throws(Fault) {
        if self.peek == UInt8(ascii: "-") { self.offset += 1 }
        if self.peek == UInt8(ascii: "0") { self.offset += 1 } else { try self.digits() }
        if self.peek == UInt8(ascii: ".") {
            self.offset += 1
            try self.digits()
        }
        if let byte = self.peek, byte | 0x20 == UInt8(ascii: "e") {
            self.offset += 1
            if let sign = self.peek, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { self.offset += 1 }
            try self.digits()
        }
    }

    private mutating func digits() throws(Fault) {
        let start = self.offset
        while let byte = self.peek, 0x30...0x39 ~= byte { self.offset += 1 }
        guard self.offset > start else { throw self.fault("a digit is expected") }
    }

    /// Reads a string, and returns what it means.
    private mutating func string() throws(Fault) -> String {
        self.offset += 1
        var text: [UInt8] = []
        while let byte = self.peek {
            switch byte {
            case UInt8(ascii: "\""):
                self.offset += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text.append(contentsOf: String(try self.escape()).utf8)
            case 0..<0x20: throw self.fault("a control character in a string")
            default:
                text.append(byte)
                self.offset += 1
            }
        }
        throw self.fault("a string without end")
    }

    private mutating func escape() throws(Fault) -> Unicode.Scalar {
        let start = self.offset
        self.offset += 2
        switch start + 1 < self.bytes.count ? self.bytes[start + 1] : 0 {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw Fault(reason: "an unknown escape", offset: start)
        }
        let unit = try self.codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // The first half of a pair, or a half that stands alone.
        guard unit < 0xDC00, self.bytes[self.offset...].starts(with: [0x5C, 0x75]) else {
            throw Fault(reason: "half a surrogate pair", offset: start)
        }
        self.offset += 2
        let low = try self.codeUnit()
        guard 0xDC00...0xDFFF ~= low,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)))
        else { throw Fault(reason: "half a surrogate pair", offset: start) }
        return scalar
    }

    private mutating func codeUnit() throws(Fault) -> UInt16 {
        let digits = self.bytes[self.offset...].prefix(4)
        let hasOnlyDigits = digits.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 | 0x20 }
        guard digits.count == 4, hasOnlyDigits, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw self.fault("four hexadecimal digits are expected") }
        self.offset += 4
        return unit
    }
}
