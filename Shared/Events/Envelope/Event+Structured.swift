import KeijibanAPI

/// CloudEvents' JSON format, and the sequence of JSON texts (RFC 7464) in which services hand events to each other: for each
/// event its attributes, then its data, so that data need not be read to be passed on.
extension Event {
    /// The content type of a sequence of events.
    public static let sequenceContentType = "application/json-seq"

    private static let recordSeparator: UInt8 = 0x1E

    private struct Attributes: Codable {
        var specversion: String
        var id: ID
        var type: String
        var source: String
        var subject: String
        var time: Timestamp
        var partitionkey: String
        var sequence: String
        var logepoch: ID
        var traceparent: String?
        var datacontenttype: String
    }

    private var attributes: Attributes {
        Attributes(
            specversion: "1.0",
            id: self.id,
            type: self.type,
            source: Self.source(of: self.shard.topic),
            subject: self.subject,
            time: self.time,
            partitionkey: self.partitionKey,
            sequence: SequenceText.encode(self.position.sequence),
            logepoch: self.position.epoch,
            traceparent: self.traceparent,
            datacontenttype: "application/json"
        )
    }

    public static func encodeSequence(_ events: [Event]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for event in events {
            bytes.append(Self.recordSeparator)
            bytes += try JSON.encode(event.attributes)
            bytes += [UInt8(ascii: "\n"), Self.recordSeparator]
            bytes += event.data
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    public static func decodeSequence(_ bytes: [UInt8], shard: Shard) throws -> [Event] {
        let texts = bytes.split(separator: Self.recordSeparator)
        // A text without a line end is not whole (RFC 7464, 2.4).
        guard texts.count.isMultiple(of: 2), texts.allSatisfy({ $0.last == UInt8(ascii: "\n") }) else {
            throw Foreign(reason: "the sequence is cut off")
        }
        var events: [Event] = []
        events.reserveCapacity(texts.count / 2)
        var index = 0
        while index + 1 < texts.count {
            let attributes = try JSON.decode(Attributes.self, from: Array(texts[index]))
            guard let sequence = SequenceText.decode(attributes.sequence) else { throw Foreign(reason: "sequence") }
            events.append(
                Event(
                    id: attributes.id,
                    type: attributes.type,
                    subject: attributes.subject,
                    time: attributes.time,
                    partitionKey: attributes.partitionkey,
                    shard: shard,
                    position: LogPosition(epoch: attributes.logepoch, sequence: sequence),
                    traceparent: attributes.traceparent,
                    data: Array(texts[index + 1].dropLast())
                )
            )
            index += 2
        }
        return events
    }

    /// `application/cloudevents-batch+json`: an array of events with their data inside.
    public static func encodeBatch(_ events: [Event]) throws -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for (index, event) in events.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += try JSON.encode(event.attributes).dropLast()
            bytes += Array(",\"data\":".utf8) + event.data + [UInt8(ascii: "}")]
        }
        return bytes + [UInt8(ascii: "]")]
    }
}
