import Kafka
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct AssignedTests {
    @Test(arguments: TestBroker.available)
    func allPartitionsAreReadFromTheBeginning(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 3)
        try await withProducer(broker.bootstrapServers) { try await $0.sendNumbers(0..<30, to: topic, partitions: 3) }
        let reader = try Consumer.reader(of: topic, partitions: 3, broker.bootstrapServers)
        let records = try await reader.read(30)
        #expect(Set(records.texts.compactMap(Int.init)) == Set(0..<30))
        #expect(reader.assignment.count == 3)
        #expect(reader.lag.values.allSatisfy { $0 == 0 })
    }

    @Test(arguments: TestBroker.available)
    func readingStartsAtTheGivenOffset(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 1)
        try await withProducer(broker.bootstrapServers) { try await $0.sendNumbers(0..<10, to: topic, partitions: 1) }
        let reader = try Consumer.reader(of: topic, partitions: 1, from: .offset(7), broker.bootstrapServers)
        #expect(try await reader.read(3).texts == ["7", "8", "9"])
    }

    @Test(arguments: TestBroker.available)
    func anOffsetThatIsNotThereMeansTheBeginning(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 1)
        try await withProducer(broker.bootstrapServers) { try await $0.sendNumbers(0..<3, to: topic, partitions: 1) }
        let reader = try Consumer.reader(of: topic, partitions: 1, from: .offset(1000), broker.bootstrapServers)
        #expect(try await reader.read(3).texts == ["0", "1", "2"])
    }

    @Test(arguments: TestBroker.available)
    func fromTheEndOnlyNewRecordsAreSeen(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 1)
        try await withProducer(broker.bootstrapServers) { producer in
            try await producer.sendNumbers(0..<5, to: topic, partitions: 1)
            let reader = try Consumer.reader(of: topic, partitions: 1, from: .end, broker.bootstrapServers)
            // The lag is known once the end has been looked up.
            try await reader.poll(until: { !reader.lag.isEmpty || reader.isConnected })
            var seen: [Record] = []
            var number = 5
            while seen.isEmpty, number < 200 {
                try await producer.sendNumbers(number..<number + 1, to: topic, partitions: 1)
                number += 1
                seen = try await reader.poll(max: 1, timeout: .milliseconds(200))
            }
            #expect(seen.texts.compactMap(Int.init).allSatisfy { $0 >= 5 } && !seen.isEmpty)
        }
    }

    @Test(arguments: TestBroker.available)
    func anIdlePollReturnsInTimeAndACancelledOneAtOnce(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 1)
        let reader = try Consumer.reader(of: topic, partitions: 1, broker.bootstrapServers)
        let clock = ContinuousClock()
        let idle = try await clock.measure { _ = try await reader.poll(max: 1, timeout: .milliseconds(300)) }
        #expect(idle >= .milliseconds(290) && idle < .seconds(2))
        let cancelled = await clock.measure {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await reader.poll(max: 1, timeout: .seconds(30)) }
                group.cancelAll()
            }
        }
        #expect(cancelled < .seconds(2))
    }

    @Test func theEmbeddedBrokerIsReadByKcat() async throws {
        let broker = try await TestBroker.shared(.embedded)
        let topic = try await broker.createTopic(partitions: 2)
        try await withProducer(broker.bootstrapServers) { try await $0.sendNumbers(0..<10, to: topic, partitions: 2) }
        let output = try kcat(["-b", broker.bootstrapServers, "-C", "-t", topic, "-e", "-q"])
        #expect(Set(output.split(separator: "\n").compactMap { Int($0) }) == Set(0..<10))
    }
}
