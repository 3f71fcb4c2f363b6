import Kafka
import Synchronization
import Testing

/// The numbers that the members of a group have processed between them.
final class SeenRecords: Sendable {
    private let seen = Mutex<Set<Int>>([])

    var numbers: Set<Int> { self.seen.withLock { $0 } }
    var count: Int { self.numbers.count }

    func insert(_ records: [Record]) {
        self.seen.withLock { $0.formUnion(records.texts.compactMap(Int.init)) }
    }
}

extension Consumer {
    /// Processes what comes until the condition holds.
    func process(into seen: SeenRecords, until condition: @Sendable () -> Bool) async throws {
        while !condition() {
            let records = try await self.poll(max: 50, timeout: .milliseconds(100))
            seen.insert(records)
            let next = records.map { ($0.topicPartition, $0.offset + 1) }
            self.markProcessed(Dictionary(next, uniquingKeysWith: max))
        }
    }
}

extension Producer {
    /// Sends numbers, round robin.
    func sendNumbers(_ numbers: Range<Int>, to topic: String, partitions: Int) async throws {
        try await self.send(
            numbers.map { (number: Int) in OutgoingRecord("\(number)", to: topic, partition: number % partitions) }
        )
    }
}

/// Waits for the condition to hold.
func eventually(
    within: Duration = .seconds(60),
    _ condition: () -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let deadline = ContinuousClock.now + within
    while !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record("did not come true within \(within)", sourceLocation: sourceLocation)
            return
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}
