import Foundation
import Kafka

/// A broker for tests. Tests share one of each kind and keep apart by topics and groups of their own.
public final class TestBroker: Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case embedded
        /// Apache Kafka, found by `KAFKA_HOME` or in `shared/kafka` beside the package.
        case apache
    }

    private enum Backing: Sendable {
        case embedded(EmbeddedBroker)
        case apache(TestBrokerProcess)
    }

    public let kind: Kind
    public let bootstrapServers: String
    private let backing: Backing

    /// The kinds that can be had here, to run a test once on each.
    public static let available: [Kind] = TestBrokerProcess.home == nil ? [.embedded] : [.embedded, .apache]

    private static let sharedEmbedded = Result { try TestBroker(.embedded) }
    private static let sharedApache = Result { try TestBroker(.apache) }

    /// The one that the tests of this process share, started by the first that asks.
    public static func shared(_ kind: Kind) async throws -> TestBroker {
        try await onThreadOfItsOwn {
            switch kind {
            case .embedded: try Self.sharedEmbedded.get()
            case .apache: try Self.sharedApache.get()
            }
        }
    }

    /// One for a test that cuts it off. Letting go of it ends it, and all that it holds is gone.
    public static func own(_ kind: Kind) async throws -> TestBroker {
        try await onThreadOfItsOwn { try TestBroker(kind) }
    }

    private init(_ kind: Kind) throws {
        self.kind = kind
        switch kind {
        case .embedded:
            let broker = try EmbeddedBroker(partitions: 1, topics: [])
            self.backing = .embedded(broker)
            self.bootstrapServers = broker.bootstrapServers
        case .apache:
            let process = try TestBrokerProcess()
            self.backing = .apache(process)
            self.bootstrapServers = process.bootstrapServers
        }
    }

    /// A name that no other test has.
    public static func uniqueName(_ purpose: String = "topic") -> String {
        "\(purpose)-\(UUID().uuidString.lowercased())"
    }

    /// Creates a topic, of a name that no other test has unless one is given, and returns its name.
    @discardableResult
    public func createTopic(_ name: String = uniqueName(), partitions: Int = 3) async throws -> String {
        switch self.backing {
        case .embedded(let broker):
            try broker.createTopic(name, partitions: partitions)
        case .apache:
            try await Topics.create(
                [TopicSpecification(name: name, partitions: partitions)],
                bootstrapServers: self.bootstrapServers,
                timeout: .seconds(30)
            )
        }
        return name
    }

    /// Cuts the broker off as a crash would; what it holds stays.
    public func interrupt() async throws {
        try await onThreadOfItsOwn {
            switch self.backing {
            case .embedded(let broker): broker.setReachable(false)
            case .apache(let process): try process.kill()
            }
        }
    }

    /// Brings it back, at the same address.
    public func resume() async throws {
        try await onThreadOfItsOwn {
            switch self.backing {
            case .embedded(let broker): broker.setReachable(true)
            case .apache(let process): try process.start()
            }
        }
    }
}

private func onThreadOfItsOwn<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
