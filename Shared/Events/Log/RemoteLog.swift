import HTTP
public import KeijibanAPI
public import Peers

/// Another service's log, read over HTTP.
public struct RemoteLog: LogSource {
    public let topic: String
    private let producer: Peer

    public init(topic: String, producer: Peer) {
        self.topic = topic
        self.producer = producer
    }

    public func heads() async throws -> [Shard: LogPosition] {
        let response = try await self.producer.get("/internal/events/heads?topic=\(self.topic)", timeout: .seconds(1))
        guard response.status == 200 else {
            throw PeerError.unavailable(self.producer.name, "status \(response.status)")
        }
        var heads: [Shard: LogPosition] = [:]
        for head in try JSON.decode([HeadDocument].self, from: response.body) {
            heads[Shard(self.topic, head.shard)] = LogPosition(epoch: head.epoch, sequence: head.sequence)
        }
        return heads
    }

    public func events(in shard: Shard, after sequence: Int64, limit: Int) async throws -> [Event] {
        let response = try await self.producer.get(
            "/internal/events?topic=\(self.topic)&shard=\(shard.number)&after=\(sequence)&limit=\(limit)",
            timeout: .seconds(2)
        )
        switch response.status {
        case 200: return try Event.decodeSequence(response.body, shard: shard)
        case 410: throw LogGone()
        default: throw PeerError.unavailable(self.producer.name, "status \(response.status)")
        }
    }

    public func chunk(of shard: Shard, after: ID?) async throws -> SnapshotChunk {
        let response = try await self.producer.get(
            "/internal/events/snapshot?topic=\(self.topic)&shard=\(shard.number)"
                + (after.map { "&after=\($0)" } ?? ""),
            timeout: .seconds(10)
        )
        guard response.status == 200, let epoch = response.headers[LogHeader.epoch].flatMap({ ID($0) }),
            let sequence = response.headers[LogHeader.sequence].flatMap({ Int64($0) })
        else { throw PeerError.unavailable(self.producer.name, "no snapshot of shard \(shard.number)") }
        return SnapshotChunk(
            position: LogPosition(epoch: epoch, sequence: sequence),
            events: try Event.decodeSequence(response.body, shard: shard),
            next: response.headers[LogHeader.next].flatMap { ID($0) }
        )
    }
}
