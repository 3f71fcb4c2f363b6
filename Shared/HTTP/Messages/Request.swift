/// A request with its whole body.
@dynamicMemberLookup
public struct Request: Sendable {
    public var head: RequestHead
    public var body: [UInt8]

    public init(_ head: RequestHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// The members of the head, so that a handler writes `request.path`.
    public subscript<Value>(dynamicMember member: KeyPath<RequestHead, Value>) -> Value {
        self.head[keyPath: member]
    }
}
