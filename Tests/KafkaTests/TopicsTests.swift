import Kafka
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct TopicsTests {
    @Test(arguments: TestBroker.available)
    func anExistingTopicIsFineAndAnotherPartitionCountNamesBoth(kind: TestBroker.Kind) async throws {
        let broker = try await TestBroker.shared(kind)
        let name = try await broker.createTopic(partitions: 6)
        let servers = broker.bootstrapServers
        try await Topics.create([TopicSpecification(name: name, partitions: 6)], bootstrapServers: servers)
        let failure = await #expect(throws: KafkaError.self) {
            try await Topics.create([TopicSpecification(name: name, partitions: 12)], bootstrapServers: servers)
        }
        #expect(failure?.code == .partitionCountMismatch)
        #expect(failure?.reason.contains("6") == true && failure?.reason.contains("12") == true)
        #expect(try await Topics.partitionCount(of: name, bootstrapServers: servers) == 6)
    }

    @Test(arguments: TestBroker.available)
    func askingForATopicDoesNotCreateIt(kind: TestBroker.Kind) async throws {
        let servers = try await TestBroker.shared(kind).bootstrapServers
        let name = TestBroker.uniqueName()
        #expect(try await Topics.partitionCount(of: name, bootstrapServers: servers) == nil)
        #expect(try await Topics.partitionCount(of: name, bootstrapServers: servers) == nil)
    }

    @Test(.enabled(if: TestBroker.available.contains(.apache), "The embedded broker makes topics its own way"))
    func apacheKafkaCreatesTopicsAsSpecified() async throws {
        let servers = try await TestBroker.shared(.apache).bootstrapServers
        let names = [TestBroker.uniqueName(), TestBroker.uniqueName()]
        let specifications = names.enumerated().map { index, name in
            TopicSpecification(name: name, partitions: 2 + index, configuration: ["retention.ms": "60000"])
        }
        try await Topics.create(specifications, bootstrapServers: servers, timeout: .seconds(40))
        #expect(try await Topics.partitionCount(of: names[0], bootstrapServers: servers) == 2)
        #expect(try await Topics.partitionCount(of: names[1], bootstrapServers: servers) == 3)
        let bad = TopicSpecification(
            name: TestBroker.uniqueName(),
            partitions: 1,
            configuration: ["no.such.setting": "1"]
        )
        let failure = await #expect(throws: KafkaError.self) {
            try await Topics.create([bad], bootstrapServers: servers)
        }
        #expect(failure?.reason.contains("no.such.setting") == true)
    }

    @Test func theEmbeddedBrokerMakesATopicWhenAskedWithItsOwnPartitionCount() async throws {
        let servers = try await TestBroker.shared(.embedded).bootstrapServers
        let name = TestBroker.uniqueName()
        try await Topics.create([TopicSpecification(name: name, partitions: 4)], bootstrapServers: servers)
        #expect(try await Topics.partitionCount(of: name, bootstrapServers: servers) == 4)
    }

    @Test func withoutABrokerCreatingEndsInTime() async throws {
        let failure = await #expect(throws: KafkaError.self) {
            try await Topics.create(
                [TopicSpecification(name: "t", partitions: 1)],
                bootstrapServers: "127.0.0.1:1",
                timeout: .milliseconds(500)
            )
        }
        #expect(failure?.code == .transport || failure?.code == .timedOut)
    }
}
