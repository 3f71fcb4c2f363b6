import Events
import KeijibanAPI
import ServiceHost
import ServiceKit

/// The gateway's two readers of the logs: one into its database, which its replicas share, and one into the memory of this one.
struct Counting: Sendable {
    let reader: BoardReader
    /// What is applied to the memory, for those who listen.
    let live: LiveInbox
    private let host: ServiceHost
    private let memory: BoardMemory
    private let deadLetters: DeadLetterRelay
    private let stored: Projector
    private let remembered: Projector
    private let shard: @Sendable (ID) -> Int

    /// - Parameter users: the gateway's own log.
    init(_ host: ServiceHost, users: any LogSource, _ directories: Directories) {
        let log = host.log(Topic.posts)
        let shard: @Sendable (ID) -> Int = { log.shard(of: $0) }
        let counted = [Topic.threads: "threads", Topic.posts: "posts", Topic.likes: "likes"].map { topic, name in
            RemoteLog(topic: topic, producer: host.peer(name))
        }
        host.health.register("counts", need: .atFirst)
        let live = LiveInbox()
        let memory = BoardMemory(shard: shard, directories: directories, live: live) {
            host.health.set("counts", .up)
            live.becameComplete()
        }
        self.live = live
        let media = RemoteLog(topic: Topic.media, producer: host.peer("media"))
        let follower = LogFollower(counted + [users, media], target: memory, telemetry: host.telemetry)
        self.host = host
        self.memory = memory
        self.shard = shard
        self.reader = BoardReader(memory: memory, follower: follower)
        self.deadLetters = host.deadLetters()
        self.stored = host.projector(CountProjection(shard: shard), of: counted, deadLetters: self.deadLetters)
        self.remembered = Projector(
            follower,
            group: nil,
            partitions: host.settings.shardCount,
            endpoint: host.settings.kafka,
            telemetry: host.telemetry,
            looked: { topic, heads, askedAt in memory.note(heads, of: topic, at: askedAt) }
        )
    }

    var components: [Component] {
        [
            Component("counts", self.stored.run),
            Component("dead letters", self.deadLetters.run),
            Component("memory") {
                try await self.host.retrying { try await self.memory.load(from: self.host.database, shard: self.shard) }
                await self.remembered.run()
            },
        ]
    }
}
