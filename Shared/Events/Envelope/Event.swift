public import KeijibanAPI

/// One event of a log: a CloudEvents 1.0 envelope and its JSON data.
public struct Event: Sendable, Hashable {
    public var id: ID
    /// `keijiban.post.created.v1`
    public var type: String
    /// The entity it is about.
    public var subject: String
    public var time: Timestamp
    /// What its shard is computed from.
    public var partitionKey: String
    public var shard: Shard
    public var position: LogPosition
    public var traceparent: String?
    public var data: [UInt8]

    public init(
        id: ID,
        type: String,
        subject: String,
        time: Timestamp,
        partitionKey: String,
        shard: Shard,
        position: LogPosition,
        traceparent: String?,
        data: [UInt8]
    ) {
        self.id = id
        self.type = type
        self.subject = subject
        self.time = time
        self.partitionKey = partitionKey
        self.shard = shard
        self.position = position
        self.traceparent = traceparent
        self.data = data
    }

    /// `/` and the last word of the topic.
    public static func source(of topic: String) -> String {
        "/" + (topic.split(separator: ".").last ?? "")
    }
}

/// A sequence as CloudEvents' extension wants it: 20 digits, so that it sorts as text.
enum SequenceText {
    static func encode(_ sequence: Int64) -> String {
        let digits = String(sequence)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }

    static func decode(_ text: String) -> Int64? {
        guard text.utf8.count == 20, text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
            return nil
        }
        return Int64(text)
    }
}
