/// Reads JSON strictly (RFC 8259): what a usual decoder would let pass besides is refused.
///
/// One scan over the bytes, without recursion: what strangers send decides neither the depth of a stack nor which of two members of
/// one name counts. It takes UTF-8 without a byte order mark; names within an object are told apart as Swift compares strings.
///
/// Objects, and what stands in them by a name, become values. No field takes an array, so one is read as empty; of what lies deeper than
/// `depthLimit` nothing is kept, and names that are there twice are no longer noticed.
struct JSONSyntax {
    /// What is wrong, and at which byte.
    struct Fault: Error, Hashable, CustomStringConvertible {
        let reason: String
        let offset: Int

        var description: String { "\(self.reason) at byte \(self.offset)" }
    }

    /// Containers within containers. No document of the board's own has more than three.
    static let depthLimit = 64

    private struct Container {
        let isObject: Bool
        var members: [String: JSONValue] = [:]
        /// Of the member whose value comes next.
        var name = ""
    }

    private enum Expectation { case value, valueOrEnd, name, nameOrEnd, separatorOrEnd, end }

    private let bytes: [UInt8]
    private var offset = 0
    private var containers: [Container] = []
    /// Of the containers deeper than the limit, whether they are objects.
    private var deeper: [Bool] = []
    private var result = JSONValue.null

    static func read(_ bytes: [UInt8]) throws(Fault) -> JSONValue {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Fault(reason: "no UTF-8", offset: 0) }
        var syntax = JSONSyntax(bytes: bytes)
        try syntax.scan()
        return syntax.result
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func scan() throws(Fault) {
        var expected = Expectation.value
        while true {
            self.skipSpace()
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
        case UInt8(ascii: "{"): return self.open(isObject: true)
        case UInt8(ascii: "["): return self.open(isObject: false)
        case UInt8(ascii: "\""): return self.took(.string(try self.string()))
        case UInt8(ascii: "t"): return try self.literal("true", .boolean(true))
        case UInt8(ascii: "f"): return try self.literal("false", .boolean(false))
        case UInt8(ascii: "n"): return try self.literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return self.took(try self.number())
        default: throw self.fault("a value is expected")
        }
    }

    private mutating func open(isObject: Bool) -> Expectation {
        if self.containers.count < Self.depthLimit {
            self.containers.append(Container(isObject: isObject))
        } else {
            self.deeper.append(isObject)
        }
        self.offset += 1
        return isObject ? .nameOrEnd : .valueOrEnd
    }

    private mutating func close() -> Expectation {
        self.offset += 1
        guard self.deeper.isEmpty else {
            self.deeper.removeLast()
            return .separatorOrEnd
        }
        let container = self.containers.removeLast()
        return self.took(container.isObject ? .object(container.members) : .array([]))
    }

    /// A value is there: it goes where it belongs.
    private mutating func took(_ value: JSONValue) -> Expectation {
        guard let last = self.containers.indices.last else {
            self.result = value
            return .end
        }
        if self.isKept { self.containers[last].members[self.containers[last].name] = value }
        return .separatorOrEnd
    }

    /// Whether the value that comes next has a place, or is only checked.
    private var isKept: Bool { self.deeper.isEmpty && self.containers.last?.isObject != false }

    private mutating func separator(_ byte: UInt8) throws(Fault) -> Expectation {
        let isObject = self.deeper.last ?? self.containers.last?.isObject ?? false
        switch (isObject, byte) {
        case (false, UInt8(ascii: "]")), (true, UInt8(ascii: "}")): return self.close()
        case (_, UInt8(ascii: ",")):
            self.offset += 1
            return isObject ? .name : .value
        default: throw self.fault("a comma or an end is expected")
        }
    }

    private mutating func name() throws(Fault) -> Expectation {
        let start = self.offset
        let name = try self.string()
        if self.deeper.isEmpty, let last = self.containers.indices.last {
            guard self.containers[last].members.updateValue(.null, forKey: name) == nil else {
                throw Fault(reason: "a name for the second time", offset: start)
            }
            self.containers[last].name = name
        }
        self.skipSpace()
        guard self.peek == UInt8(ascii: ":") else { throw self.fault("a colon is expected") }
        self.offset += 1
        return .value
    }
}

extension JSONSyntax {
    private var peek: UInt8? { self.offset < self.bytes.count ? self.bytes[self.offset] : nil }

    private func fault(_ reason: String) -> Fault { Fault(reason: reason, offset: self.offset) }

    private mutating func skipSpace() {
        while let byte = self.peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { self.offset += 1 }
    }

    private mutating func literal(_ word: String, _ value: JSONValue) throws(Fault) -> Expectation {
        guard self.bytes[self.offset...].starts(with: word.utf8) else { throw self.fault("a value is expected") }
        self.offset += word.utf8.count
        return self.took(value)
    }

    /// Reads a number. One that is too large for any is infinite.
    private mutating func number() throws(Fault) -> JSONValue {
        let start = self.offset
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
        guard self.isKept else { return .null }
        let text = String(decoding: self.bytes[start..<self.offset], as: UTF8.self)
        if let integer = Int64(text) { return .integer(integer) }
        let number = Double(text) ?? .infinity
        return Int64(exactly: number).map { .integer($0) } ?? .number(number)
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
