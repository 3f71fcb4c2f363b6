import Events
import HTTP
import Kafka
import KeijibanAPI
import TestSupport

/// What the board sends, seen from Kafka.
extension TestBoard {
    /// All records of a service's topic, once the topic has everything that the service's log has.
    func published(by part: Part) async throws -> [Record] {
        let heads: [Int64] = try await self.query(
            part,
            "select coalesce(max(seq), 0) from generate_series(0, 11) shard left join events using (shard) "
                + "where coalesce(topic, $1) = $1 group by shard order by shard",
            part.topic
        )
        let all = (0..<12).map { (TopicPartition(topic: part.topic, partition: $0), StartOffset.beginning) }
        let consumer = try Consumer.assigned(
            Dictionary(uniqueKeysWithValues: all),
            Consumer.Configuration(bootstrapServers: self.broker.bootstrapServers, clientId: "test")
        ) { _ in }
        var records: [Record] = []
        var reached: [Int: Int64] = [:]
        try await eventually("\(part.topic) has what the log has") {
            for record in try await consumer.poll(max: 1_000, timeout: .milliseconds(100)) {
                records.append(record)
                reached[record.partition] = max(reached[record.partition] ?? 0, record.sequence ?? 0)
            }
            return heads.enumerated().allSatisfy { (reached[$0.offset] ?? 0) >= $0.element }
        }
        await consumer.close(within: .seconds(2))
        return records
    }

    /// Puts records into their topics once more, as a relay that crashed would.
    func replay(_ records: [Record]) async throws {
        let producer = try Producer(
            Producer.Configuration(bootstrapServers: self.broker.bootstrapServers, clientId: "test")
        ) { _ in }
        let copies = records.map {
            OutgoingRecord(topic: $0.topic, partition: $0.partition, key: $0.key, value: $0.value, headers: $0.headers)
        }
        try await withBackground([{ await producer.run() }]) { try await producer.send(copies) }
    }

    /// How many events of a topic a service has passed over since it had applied them already.
    func duplicates(of topic: String, at part: RunningPart) async throws -> Int {
        let metrics = try await self.send("GET", part.address + "/metrics").text
        let prefix = "keijiban_projector_duplicates_total{topic=\"\(topic)\"} "
        let line = metrics.split(separator: "\n").first { $0.hasPrefix(prefix) }
        return line.flatMap { Double($0.dropFirst(prefix.count)) }.map { Int($0) } ?? 0
    }
}

extension Record {
    func text(of header: String) -> String? {
        self.headers.first { $0.name == header }?.value.map { String(decoding: $0, as: UTF8.self) }
    }

    var sequence: Int64? { self.text(of: "ce_sequence").flatMap { Int64($0) } }

    var type: String { self.text(of: "ce_type") ?? "" }

    var subject: String { self.text(of: "ce_subject") ?? "" }
}
