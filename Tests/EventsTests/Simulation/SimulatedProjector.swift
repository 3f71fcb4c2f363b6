import TestSupport
import KeijibanAPI
import TestSupport

@testable import Events

/// One instance of a consuming service: takes records, asks for heads, applies in a transaction, fetches what is missing,
/// rebuilds.
struct SimulatedProjector {
    enum State {
        case idle
        /// Records arrived; the producer has not been asked yet.
        case received(shard: Int, [SimulatedRecord])
        case judged(shard: Int, [SimulatedRecord])
        /// A look at the head, with the position as it was before.
        case compared(shard: Int, position: LogPosition?, head: LogPosition)
        case fetched(shard: Int, [SimulatedEvent])
        case snapshot(shard: Int, position: LogPosition, [SimulatedEvent])
        /// The effect is committed, the position is not (only where that is planted).
        case effectCommitted(shard: Int, position: LogPosition)
    }

    var state = State.idle
    /// Where it reads the partition; a hint only.
    var offsets: [Int: Int] = [:]

    mutating func step(_ world: inout Simulation) {
        switch self.state {
        case .idle: self.begin(&world)
        case .received(let shard, let records): self.judge(shard, records, &world)
        case .judged(let shard, let records): self.apply(records, shard, &world)
        case .compared(let shard, let position, let head): self.follow(shard, position, head, &world)
        case .fetched(let shard, let events): self.apply(events.map { SimulatedRecord(event: $0) }, shard, &world)
        case .snapshot(let shard, let position, let events): self.rebuild(shard, position, events, &world)
        case .effectCommitted(let shard, let position):
            world.consumer.positions[shard] = position
            self.state = .idle
        }
    }

    private mutating func begin(_ world: inout Simulation) {
        let shard = Int.random(in: 0..<Simulation.shards, using: &world.random)
        if world.isKafkaUp && world.random.chance(60) {
            let partition = world.topic[shard]
            var offset = min(self.offsets[shard] ?? 0, partition.count)
            // A member that took over a partition begins where the last committed offset stands, which may be further back.
            if world.random.chance(10) { offset = Int.random(in: 0...offset, using: &world.random) }
            let records = Array(partition[offset...].prefix(4))
            self.offsets[shard] = offset + records.count
            if !records.isEmpty { self.state = .received(shard: shard, records) }
        } else {
            let position = world.consumer.positions[shard]
            self.state = .compared(shard: shard, position: position, head: world.producer.head(shard))
        }
    }

    private mutating func judge(_ shard: Int, _ records: [SimulatedRecord], _ world: inout Simulation) {
        let head = world.producer.head(shard)
        if world.plant == .noSequenceCheck {
            self.state = .judged(shard: shard, records)
            return
        }
        let genuine = records.filter { Following.classify($0.event.position, head: head) == .genuine }
        self.state = genuine.isEmpty ? .idle : .judged(shard: shard, genuine)
    }

    /// One transaction: position and effect together.
    private mutating func apply(_ records: [SimulatedRecord], _ shard: Int, _ world: inout Simulation) {
        self.state = .idle
        guard let position = world.consumer.positions[shard] else { return }
        if world.plant == .noSequenceCheck {
            for record in records where !record.isDamaged { Self.effect(record.event, shard, &world) }
            if let last = records.last { world.consumer.positions[shard]?.sequence = last.event.position.sequence }
            return
        }
        let run = Following.run(of: records, after: position, at: \.event.position)
        if run.elements.contains(where: \.isDamaged) {
            // It does not decode: the transaction is rolled back, and the log's own copies are read.
            self.fetch(shard, &world)
            return
        }
        for record in run.elements { Self.effect(record.event, shard, &world) }
        if world.plant == .positionOutsideTransaction {
            self.state = .effectCommitted(shard: shard, position: run.position)
            return
        }
        world.consumer.positions[shard] = run.position
        if run.hasGap || run.hasOtherEpoch {
            self.state = .compared(shard: shard, position: run.position, head: world.producer.head(shard))
        }
    }

    private static func effect(_ event: SimulatedEvent, _ shard: Int, _ world: inout Simulation) {
        world.consumer.applied[shard, default: [:]][event.write, default: 0] += 1
        world.consumer.totals[shard] = event.total
    }

    private mutating func follow(
        _ shard: Int,
        _ position: LogPosition?,
        _ head: LogPosition,
        _ world: inout Simulation
    ) {
        switch Following.compare(position, head: head) {
        case .level: self.state = .idle
        case .behind: self.fetch(shard, &world)
        case .adopt:
            if world.consumer.positions[shard] == nil {
                world.consumer.positions[shard] = LogPosition(epoch: head.epoch, sequence: 0)
            }
            self.fetch(shard, &world)
        case .rebuild:
            self.state = .snapshot(
                shard: shard,
                position: world.producer.head(shard),
                world.producer.contents.log[shard]
            )
        }
    }

    private mutating func fetch(_ shard: Int, _ world: inout Simulation) {
        self.state = .idle
        guard let position = world.consumer.positions[shard], position.epoch == world.producer.epoch else { return }
        let events = world.producer.contents.log[shard].filter { $0.position.sequence > position.sequence }.prefix(4)
            .map {
                var event = $0
                event.position.epoch = world.producer.epoch
                return event
            }
        if !events.isEmpty { self.state = .fetched(shard: shard, events) }
    }

    private mutating func rebuild(
        _ shard: Int,
        _ position: LogPosition,
        _ events: [SimulatedEvent],
        _ world: inout Simulation
    ) {
        self.state = .idle
        world.consumer.applied[shard] = Dictionary(uniqueKeysWithValues: events.map { ($0.write, 1) })
        world.consumer.totals[shard] = events.count
        world.consumer.positions[shard] = position
    }
}
