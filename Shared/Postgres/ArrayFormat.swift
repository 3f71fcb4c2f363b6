/// The binary form of PostgreSQL's one-dimensional arrays.
enum ArrayFormat {
    static func encode<Element: PostgresValue>(_ array: [Element], into bytes: inout [UInt8]) {
        BigEndian.append(Int32(array.isEmpty ? 0 : 1), to: &bytes)
        BigEndian.append(Int32(array.contains { $0.isNull } ? 1 : 0), to: &bytes)
        BigEndian.append(Element.postgresType.oid, to: &bytes)
        guard !array.isEmpty else { return }
        BigEndian.append(Int32(array.count), to: &bytes)
        BigEndian.append(Int32(1), to: &bytes)
        for element in array { Self.append(element, to: &bytes) }
    }

    private static func append(_ element: some PostgresValue, to bytes: inout [UInt8]) {
        guard !element.isNull else { return BigEndian.append(Int32(-1), to: &bytes) }
        let lengthAt = bytes.count
        BigEndian.append(Int32(0), to: &bytes)
        element.encode(into: &bytes)
        let length = UInt32(bytes.count - lengthAt - 4)
        for index in 0..<4 { bytes[lengthAt + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index)) }
    }

    static func decode<Element: PostgresValue>(_ bytes: Span<UInt8>) throws(PostgresError) -> [Element] {
        let dimensions: Int32 = try BigEndian.read(bytes, at: 0)
        let type = PostgresType(oid: try BigEndian.read(bytes, at: 8))
        guard dimensions != 0 else { return [] }
        guard dimensions == 1 else {
            throw PostgresError(.decoding, "the array has \(dimensions) dimensions, not one")
        }
        let count: Int32 = try BigEndian.read(bytes, at: 12)
        var offset = 20
        var elements: [Element] = []
        elements.reserveCapacity(Int(count))
        for _ in 0..<count {
            let length: Int32 = try BigEndian.read(bytes, at: offset)
            offset += 4
            guard length >= 0 else {
                elements.append(try Self.null(Element.self))
                continue
            }
            let end = offset + Int(length)
            guard end <= bytes.count else { throw PostgresError(.decoding, "the array ends too early") }
            elements.append(try Element.decode(bytes.extracting(offset..<end), type: type))
            offset = end
        }
        return elements
    }

    private static func null<Element: PostgresValue>(_: Element.Type) throws(PostgresError) -> Element {
        guard let null = Element.null else {
            throw PostgresError(.decoding, "the array holds a NULL, which is no \(Element.self)")
        }
        return null
    }
}
