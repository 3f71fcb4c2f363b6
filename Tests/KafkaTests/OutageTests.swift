import Kafka
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .serialized) struct OutageTests {
    @Test(arguments: TestBroker.available)
    func whatIsSentDuringAnOutageArrivesAfterItInOrderAndOnce(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.own(kind)
        let topic = try await broker.createTopic(partitions: 1)
        let group = TestBroker.uniqueName("group")
        let member = try Consumer.member(of: group, topics: [topic], broker.bootstrapServers)
        let seen = SeenRecords()
        let lines = LogLines()
        try await withProducer(broker.bootstrapServers, log: lines.append) { producer in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await member.process(into: seen, until: { seen.count >= 500 }) }
                try await producer.sendNumbers(0..<100, to: topic, partitions: 1)
                try await eventually { seen.count == 100 }
                try await broker.interrupt()
                try await eventually { !producer.isConnected }
                tasks.addTask {
                    for start in stride(from: 100, to: 500, by: 100) {
                        try await producer.sendNumbers(start..<start + 100, to: topic, partitions: 1)
                    }
                }
                try await broker.resume()
                try await tasks.waitForAll()
            }
            try await eventually { producer.isConnected }
        }
        let reader = try Consumer.reader(of: topic, partitions: 1, broker.bootstrapServers)
        #expect(try await reader.read(501, within: .seconds(5)).texts == (0..<500).map { "\($0)" })
        #expect(lines.all.count < 30)
        await member.close(within: .seconds(10))
    }

    @Test func aProducerThatIsThereBeforeTheBrokerSendsOnceThereIsOne() async throws {
        let broker = try await TestBroker.own(.embedded)
        let topic = try await broker.createTopic(partitions: 1)
        try await broker.interrupt()
        let lines = LogLines()
        try await withProducer(broker.bootstrapServers, log: lines.append) { producer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await producer.sendNumbers(0..<10, to: topic, partitions: 1) }
                try await eventually("it has tried to connect") { lines.all.contains { $0.facility == "FAIL" } }
                try await broker.resume()
                try await group.waitForAll()
            }
        }
        let reader = try Consumer.reader(of: topic, partitions: 1, broker.bootstrapServers)
        #expect(try await reader.read(10).count == 10)
    }

    @Test(arguments: TestBroker.available)
    func withTheBrokerGoneClosingAMemberIsBounded(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.own(kind)
        let topic = try await broker.createTopic(partitions: 1)
        let clock = ContinuousClock()
        var member: Consumer? = try .member(
            of: TestBroker.uniqueName("group"),
            topics: [topic],
            broker.bootstrapServers
        )
        try await member?.poll(until: { member?.assignment.isEmpty == false })
        try await broker.interrupt()
        let closing = await clock.measure { await member?.close(within: .seconds(1)) }
        #expect(closing < .seconds(2))
        let release = clock.measure { member = nil }
        #expect(release < .milliseconds(100))
    }

    @Test func theAbsenceOfABrokerNeitherSpinsNorFloodsTheLog() async throws {
        let lines = LogLines()
        let member = try Consumer.member(of: "g", topics: ["t"], "127.0.0.1:1", log: lines.append)
        try await withProducer("127.0.0.1:1", flushTimeout: .zero, log: lines.append) { _ in
            let deadline = ContinuousClock.now + .seconds(8)
            var polls = 0
            while ContinuousClock.now < deadline {
                let records = try await member.poll(max: 1, timeout: .seconds(1))
                #expect(records.isEmpty)
                polls += 1
            }
            #expect(polls < 10)
        }
        #expect(!lines.all.isEmpty)
        #expect(lines.all.count < 20)
        await member.close(within: .milliseconds(200))
    }
}
