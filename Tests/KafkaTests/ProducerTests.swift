import CRDKafka
import TestSupport
import Testing

@testable import Kafka

@Suite(.timeLimit(.minutes(3))) struct ProducerTests {
    @Test(arguments: TestBroker.available)
    func aSendReturnsOnlyWhenTheBrokerHasTheRecords(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 1)
        let reader = try Consumer.reader(of: topic, partitions: 1, broker.bootstrapServers)
        try await withProducer(broker.bootstrapServers) { producer in
            for n in 0..<20 {
                try await producer.send([OutgoingRecord("\(n)", to: topic)])
                #expect(try await reader.read(1).texts == ["\(n)"])
            }
        }
    }

    @Test(arguments: TestBroker.available)
    func aFailedRecordFailsItsOwnSendOnly(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 1)
        try await withProducer(broker.bootstrapServers) { producer in
            try await producer.send([OutgoingRecord("good", to: topic)])
            let failure = await #expect(throws: KafkaError.self) {
                try await producer.send([OutgoingRecord("bad", to: topic, partition: 7)])
            }
            #expect(failure?.code == .unknownPartition)
            let tooLarge = OutgoingRecord(topic: topic, partition: 0, value: [UInt8](repeating: 7, count: 2_000_000))
            let refusal = await #expect(throws: KafkaError.self) { try await producer.send([tooLarge]) }
            #expect(refusal?.code == .recordTooLarge)
            #expect(refusal?.isFatal == false)
            try await producer.send([OutgoingRecord("good again", to: topic)])
        }
        let records = try await Consumer.reader(of: topic, partitions: 1, broker.bootstrapServers).read(2)
        #expect(records.texts == ["good", "good again"])
    }

    @Test(arguments: TestBroker.available)
    func aFullQueueMakesSendersWaitInsteadOfFailing(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 4)
        try await withProducer(broker.bootstrapServers, queueLimit: 10) { producer in
            try await withThrowingTaskGroup(of: Void.self) { senders in
                for partition in 0..<4 {
                    senders.addTask {
                        let records = (0..<200).map { OutgoingRecord("\($0)", to: topic, partition: partition) }
                        try await producer.send(records)
                    }
                }
                try await senders.waitForAll()
            }
        }
        let records = try await Consumer.reader(of: topic, partitions: 4, broker.bootstrapServers).read(800)
        for partition in 0..<4 {
            #expect(records.filter { $0.partition == partition }.texts == (0..<200).map { "\($0)" })
        }
    }

    @Test func withoutABrokerASendWaitsUntilItIsPurged() async throws {
        try await withProducer("127.0.0.1:1", queueLimit: 3) { producer in
            let outcomes = try await withThrowingTaskGroup(of: KafkaError.Code?.self) { group in
                group.addTask { await failure { try await producer.send([OutgoingRecord("a", to: "t")]) }?.code }
                // Does not fit; goes on when a purge has made room, and is purged then.
                let many = (0..<10).map { OutgoingRecord("\($0)", to: "t") }
                group.addTask { await failure { try await producer.send(many) }?.code }
                return try await withThrowingTaskGroup(of: Void.self) { purges in
                    purges.addTask {
                        while !Task.isCancelled {
                            try await Task.sleep(for: .milliseconds(50))
                            producer.purge()
                        }
                    }
                    defer { purges.cancelAll() }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            #expect(outcomes == [.purged, .purged])
            #expect(!producer.isConnected)
        }
    }

    @Test func cancellingASendEndsItsWaiting() async throws {
        try await withProducer("127.0.0.1:1", queueLimit: 1, flushTimeout: .zero) { producer in
            let outcome = await withTaskGroup(of: KafkaError?.self) { group in
                group.addTask { await failure { try await producer.send([OutgoingRecord("a", to: "t")]) } }
                group.addTask { await failure { try await producer.send([OutgoingRecord("b", to: "t")]) } }
                group.cancelAll()
                return await group.reduce(into: []) { $0.append($1?.code) }
            }
            #expect(outcome == [.cancelled, .cancelled])
        }
    }

    @Test func withoutABrokerStoppingIsBounded() async throws {
        let configuration = Producer.Configuration(
            bootstrapServers: "127.0.0.1:1",
            clientId: "test",
            flushTimeout: .milliseconds(300)
        )
        let producer = try Producer(configuration) { _ in }
        let outcome = await withTaskGroup(of: KafkaError?.self) { group in
            group.addTask { await failure { try await producer.send([OutgoingRecord("a", to: "t")]) } }
            await withTaskGroup(of: Void.self) { running in
                running.addTask { await producer.run() }
                running.cancelAll()
            }
            return await group.next() ?? nil
        }
        #expect(outcome?.code == .purged || outcome?.code == .closed)
        await #expect(throws: KafkaError.self) { try await producer.send([OutgoingRecord("b", to: "t")]) }
    }

    @Test func aFatalErrorIsRecognisedInEverySendAfterIt() async throws {
        let broker = try await TestBroker.shared(.embedded)
        let topic = try await broker.createTopic(partitions: 1)
        try await withProducer(broker.bootstrapServers) { producer in
            try await producer.send([OutgoingRecord("before", to: topic)])
            let response = RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER
            _ = unsafe rd_kafka_test_fatal_error(producer.queue.client.pointer, response, "made by a test")
            let outcome = await failure { try await producer.send([OutgoingRecord("after", to: topic)]) }
            #expect(outcome?.isFatal == true)
            #expect(outcome?.reason.contains("made by a test") == true)
        }
    }

    @Test func aPropertyThatDoesNotExistIsRefused() {
        let failure = #expect(throws: KafkaError.self) {
            let properties = ["no.such.key": "1"]
            _ = try Producer(.init(bootstrapServers: "b:1", clientId: "test", properties: properties)) { _ in }
        }
        #expect(failure?.code == .invalidConfiguration)
        #expect(failure?.reason.contains("no.such.key") == true)
    }
}

private func failure(_ work: () async throws -> Void) async -> KafkaError? {
    do {
        try await work()
        return nil
    } catch {
        return error as? KafkaError
    }
}
