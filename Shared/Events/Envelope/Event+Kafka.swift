public import Kafka
import KeijibanAPI

/// CloudEvents' Kafka binding, binary mode: attributes as `ce_` headers, the data as the value.
extension Event {
    /// A record that no producer of the board can have sent.
    public struct Foreign: Error, Sendable, Hashable {
        public let reason: String
    }

    public var record: OutgoingRecord {
        var headers = [
            Self.header("ce_specversion", "1.0"),
            Self.header("ce_id", self.id.description),
            Self.header("ce_type", self.type),
            Self.header("ce_source", Self.source(of: self.shard.topic)),
            Self.header("ce_subject", self.subject),
            Self.header("ce_time", self.time.description),
            Self.header("ce_partitionkey", self.partitionKey),
            Self.header("ce_sequence", SequenceText.encode(self.position.sequence)),
            Self.header("ce_logepoch", self.position.epoch.description),
            Self.header("content-type", "application/json"),
        ]
        if let traceparent = self.traceparent { headers.append(Self.header("ce_traceparent", traceparent)) }
        return OutgoingRecord(
            topic: self.shard.topic,
            partition: self.shard.number,
            key: Array(self.partitionKey.utf8),
            value: self.data,
            headers: headers
        )
    }

    /// Reads a record of a topic. Only what tells its place must be right; the rest may be damaged, and is then read again
    /// from the log. A type that is lost is empty.
    public init(_ record: Record) throws(Foreign) {
        var attributes: [String: String] = [:]
        for header in record.headers {
            guard let value = header.value, let text = String(validating: value, as: UTF8.self) else { continue }
            attributes[header.name] = text
        }
        guard attributes["ce_source"] == Self.source(of: record.topic) else { throw Foreign(reason: "ce_source") }
        guard let id = attributes["ce_id"].flatMap({ ID($0) }) else { throw Foreign(reason: "ce_id") }
        guard let sequence = attributes["ce_sequence"].flatMap(SequenceText.decode) else {
            throw Foreign(reason: "ce_sequence")
        }
        guard let epoch = attributes["ce_logepoch"].flatMap({ ID($0) }) else { throw Foreign(reason: "ce_logepoch") }
        self.init(
            id: id,
            type: attributes["ce_type"] ?? "",
            subject: attributes["ce_subject"] ?? "",
            time: attributes["ce_time"].flatMap { Timestamp($0) } ?? Timestamp(milliseconds: record.timestamp),
            partitionKey: attributes["ce_partitionkey"] ?? "",
            shard: Shard(record.topic, record.partition),
            position: LogPosition(epoch: epoch, sequence: sequence),
            traceparent: attributes["ce_traceparent"],
            data: record.value ?? []
        )
    }

    private static func header(_ name: String, _ value: String) -> Header {
        Header(name: name, value: Array(value.utf8))
    }
}
