import HTTP

/// The parts of a `multipart/form-data` body (RFC 7578), read strictly: nothing before the first boundary, line ends of CR LF,
/// a name for each part, and a closing boundary.
///
/// File names are not kept, so whatever stands in them goes nowhere.
struct MultipartForm {
    struct Part {
        let name: String
        let content: ArraySlice<UInt8>
    }

    struct Malformed: Error, Hashable {
        let reason: String
    }

    private static let partLimit = 16
    private static let headLimit = 8_192

    private(set) var parts: [Part] = []

    init(_ body: [UInt8], boundary: String) throws(Malformed) {
        guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw Malformed(reason: "it names no boundary")
        }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        guard body.starts(with: delimiter.dropFirst(2)) else {
            throw Malformed(reason: "it does not begin with its boundary")
        }
        var rest = body[...].dropFirst(delimiter.count - 2)
        while !rest.starts(with: Array("--".utf8)) {
            guard rest.starts(with: Array("\r\n".utf8)) else {
                throw Malformed(reason: "a boundary's line does not end")
            }
            guard let end = Self.find(delimiter, in: rest) else { throw Malformed(reason: "it is cut off") }
            guard self.parts.count < Self.partLimit else { throw Malformed(reason: "it has too many parts") }
            self.parts.append(try Self.part(rest[..<end]))
            rest = rest[(end + delimiter.count)...]
        }
    }

    /// Reads a part, from the line end of its boundary on.
    private static func part(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> Part {
        let blank = Array("\r\n\r\n".utf8)
        guard let end = self.find(blank, in: bytes.prefix(self.headLimit)) else {
            throw Malformed(reason: "a part has no head")
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        for line in lines {
            let halves = line.split(separator: ":", maxSplits: 1)
            guard halves.count == 2, halves[0].lowercased() == "content-disposition" else { continue }
            let disposition = ParameterizedValue(String(halves[1]))
            guard disposition.value.lowercased() == "form-data", let name = disposition.parameters["name"] else {
                continue
            }
            return Part(name: name, content: bytes[(end + blank.count)...])
        }
        throw Malformed(reason: "a part has no name")
    }

    /// Where `pattern`, which begins with CR, begins in `bytes`.
    private static func find(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        while let index = rest.firstIndex(of: 13) {
            rest = rest[index...]
            if rest.starts(with: pattern) { return index }
            rest = rest.dropFirst()
        }
        return nil
    }
}
