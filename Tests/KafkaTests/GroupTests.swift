import Kafka
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct GroupTests {
    @Test(arguments: TestBroker.available)
    func twoMembersShareThePartitionsAndHandThemOverWithoutLoss(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 4)
        let group = TestBroker.uniqueName("group")
        let seen = SeenRecords()
        try await withProducer(broker.bootstrapServers) { producer in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                let first = try Consumer.member(of: group, topics: [topic], broker.bootstrapServers)
                tasks.addTask { try await first.process(into: seen, until: { seen.count >= 900 }) }
                try await producer.sendNumbers(0..<300, to: topic, partitions: 4)
                try await eventually { seen.count >= 300 }

                let second = try Consumer.member(of: group, topics: [topic], broker.bootstrapServers)
                tasks.addTask {
                    try await second.process(into: seen, until: { seen.count >= 600 })
                    await second.close(within: .seconds(10))
                }
                try await eventually { first.assignment.count == 2 && second.assignment.count == 2 }
                #expect(first.assignment.isDisjoint(with: second.assignment))
                try await producer.sendNumbers(300..<600, to: topic, partitions: 4)
                try await eventually { second.assignment.isEmpty && first.assignment.count == 4 }
                try await producer.sendNumbers(600..<900, to: topic, partitions: 4)
                try await tasks.waitForAll()
                await first.close(within: .seconds(10))
            }
        }
        #expect(seen.numbers == Set(0..<900))
    }

    @Test(arguments: TestBroker.available)
    func theNextMemberGoesOnAfterWhatWasMarkedAndSeesTheRestAgain(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 1)
        let group = TestBroker.uniqueName("group")
        try await withProducer(broker.bootstrapServers) { try await $0.sendNumbers(0..<10, to: topic, partitions: 1) }
        let first = try Consumer.member(of: group, topics: [topic], broker.bootstrapServers)
        #expect(try await first.read(10).count == 10)
        first.markProcessed([TopicPartition(topic: topic, partition: 0): 6])
        await first.close(within: .seconds(10))

        let second = try Consumer.member(of: group, topics: [topic], broker.bootstrapServers)
        #expect(try await second.read(4).texts == ["6", "7", "8", "9"])
        await second.close(within: .seconds(10))
    }

    @Test(arguments: TestBroker.available)
    func aMemberThatNeverLedTheGroupGoesWithoutTakingTheProcessAlong(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 2)
        let group = TestBroker.uniqueName("group")
        let leader = try Consumer.member(of: group, topics: [topic], broker.bootstrapServers)
        try await leader.poll(until: { leader.assignment.count == 2 })
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await leader.poll(until: { Task.isCancelled }) }
            do {
                let follower = try Consumer.member(of: group, topics: [topic], broker.bootstrapServers)
                try await follower.poll(until: { follower.assignment.count == 1 })
                #expect(follower.assignment.count == 1)
                await follower.close(within: .seconds(10))
            }
            // It is freed by now, or soon, on a thread of its own.
            try await eventually { leader.assignment.count == 2 }
            tasks.cancelAll()
        }
        await leader.close(within: .seconds(10))
    }

    @Test(arguments: TestBroker.available)
    func aHandlerSlowerThanTheSessionKeepsItsPartitions(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = try await broker.createTopic(partitions: 1)
        let group = TestBroker.uniqueName("group")
        try await withProducer(broker.bootstrapServers) { try await $0.sendNumbers(0..<2, to: topic, partitions: 1) }
        let lines = LogLines()
        let member = try Consumer.member(of: group, topics: [topic], broker.bootstrapServers, log: lines.append)
        #expect(try await member.read(1).texts == ["0"])
        // The time itself is what is tried: longer than the session.
        try await Task.sleep(for: .seconds(8))
        member.markProcessed([TopicPartition(topic: topic, partition: 0): 1])
        #expect(try await member.read(1).texts == ["1"])
        #expect(member.assignment.count == 1)
        #expect(lines.all.isEmpty)
        await member.close(within: .seconds(10))
    }

    @Test(arguments: TestBroker.available)
    func aMemberThatIsThereBeforeTheTopicFindsIt(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let topic = TestBroker.uniqueName()
        let lines = LogLines()
        let group = TestBroker.uniqueName("group")
        let member = try Consumer.member(of: group, topics: [topic], broker.bootstrapServers, log: lines.append)
        // The embedded broker creates what is asked for, and the member asks.
        if kind == .apache {
            try await member.poll(until: { !lines.all.isEmpty })
            #expect(lines.all.contains { $0.message.contains(topic) })
            try await broker.createTopic(topic, partitions: 2)
        }
        try await withProducer(broker.bootstrapServers) { try await $0.sendNumbers(0..<10, to: topic, partitions: 2) }
        #expect(try await member.read(10).count == 10)
        await member.close(within: .seconds(10))
    }
}
