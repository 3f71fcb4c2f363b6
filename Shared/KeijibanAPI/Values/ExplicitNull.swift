/// An optional member that is written as `null` where it has no value, instead of being left out.
@propertyWrapper
public struct ExplicitNull<Value: Codable & Sendable>: Codable, Sendable {
    public var wrappedValue: Value?

    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value = self.wrappedValue { try container.encode(value) } else { try container.encodeNil() }
    }
}

extension ExplicitNull: Equatable where Value: Equatable {}
extension ExplicitNull: Hashable where Value: Hashable {}

extension KeyedDecodingContainer {
    /// A member that is absent reads as `null`, so that an older producer is understood.
    public func decode<Value>(
        _ type: ExplicitNull<Value>.Type,
        forKey key: Key
    ) throws -> ExplicitNull<Value> {
        try self.decodeIfPresent(type, forKey: key) ?? ExplicitNull(wrappedValue: nil)
    }
}
