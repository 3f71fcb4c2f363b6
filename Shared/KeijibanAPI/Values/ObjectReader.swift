/// Reads a JSON object that a stranger sent, field by field, and collects all that is wrong with it.
///
/// Fields that nobody asked for are faults too, so that a typo is never silently lost.
public struct ObjectReader {
    /// The bytes are not JSON in UTF-8.
    public struct Malformed: Error, Sendable {
        /// What is wrong, and where; none of what was sent.
        public let reason: String
    }

    private static let unknownLimit = 20

    private let members: [String: JSONValue]
    private var asked: Set<String> = []
    public private(set) var faults = FieldFaults()

    /// Throws `Malformed` where the bytes are no JSON, `FieldFaults` where they are but no object.
    public init(_ bytes: [UInt8]) throws {
        let value = try JSONValue(strictly: bytes)
        guard case .object(let members) = value else { throw FieldFaults("", .wrongType(expected: "object")) }
        self.members = members
    }

    public mutating func note(_ field: String, _ fault: FieldFault) { self.faults.note(field, fault) }

    /// The raw member; nil where it is absent. `null` is `.null`.
    public mutating func member(_ field: String) -> JSONValue? {
        self.asked.insert(field)
        return self.members[field]
    }

    public mutating func string(_ field: String) -> String? {
        switch self.member(field) {
        case nil: return nil
        case .string(let value): return value
        default:
            self.note(field, .wrongType(expected: "string"))
            return nil
        }
    }

    /// A text by its rule. Absent is nil, and a fault where it is required.
    public mutating func text(_ field: String, _ rule: TextRule, isRequired: Bool = false) -> String? {
        guard let raw = self.string(field) else {
            if isRequired && self.members[field] == nil { self.note(field, .missing) }
            return nil
        }
        do throws(TextRule.Fault) {
            return try rule.apply(raw)
        } catch {
            self.note(field, .text(error))
            return nil
        }
    }

    public mutating func timestamp(_ field: String) -> Timestamp? {
        guard let raw = self.string(field) else { return nil }
        if let timestamp = Timestamp(raw) { return timestamp }
        self.note(field, .wrongType(expected: "date-time"))
        return nil
    }

    public mutating func choice<Value: RawRepresentable<String>>(_ field: String, of type: Value.Type) -> Value? {
        guard let raw = self.string(field) else { return nil }
        if let value = Value(rawValue: raw) { return value }
        self.note(field, .notAllowed)
        return nil
    }

    /// An id of an image. One that is no UUID names no image, as one that does not exist.
    public mutating func imageID(_ field: String) -> ID? {
        guard let raw = self.string(field) else { return nil }
        if let id = ID(raw) { return id }
        self.note(field, .imageNotUsable)
        return nil
    }

    /// What an edit makes of a field by `read`, which reads it where it is there and notes what is wrong with it.
    public mutating func edit<Value>(
        _ field: String,
        _ read: (inout ObjectReader) -> Value?
    ) -> FieldEdit<Value> {
        self.member(field) == nil ? .keep : read(&self).map { .set($0) } ?? .keep
    }

    /// The same for a field that `null` empties.
    public mutating func edit<Value>(
        emptying field: String,
        _ read: (inout ObjectReader) -> Value?
    ) -> FieldEdit<Value?> {
        switch self.member(field) {
        case nil: .keep
        case .null: .set(nil)
        default: read(&self).map { .set($0) } ?? .keep
        }
    }

    /// Notes a fault where the object has no member at all: an edit of nothing.
    public mutating func requireMembers() {
        if self.members.isEmpty { self.note("", .noFields) }
    }

    /// Throws all faults found, fields nobody asked for included.
    public mutating func finish() throws(FieldFaults) {
        let unknown = self.members.keys.filter { !self.asked.contains($0) }.sorted()
        // The answer must not grow with what was sent.
        for field in unknown.prefix(Self.unknownLimit) { self.note(String(field.prefix(100)), .unknown) }
        guard self.faults.isEmpty else { throw self.faults }
    }
}
