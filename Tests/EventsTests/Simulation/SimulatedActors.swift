import KeijibanAPI

@testable import Events

/// One instance of the producing service: takes the lock, reads the end of the shard, commits, acknowledges.
struct SimulatedWriter {
    enum State {
        case idle
        case locked(shard: Int)
        case read(shard: Int, tail: LogTail)
    }

    let number: Int
    var state = State.idle

    init(number: Int) { self.number = number }

    var isBusy: Bool {
        if case .idle = self.state { return false }
        return true
    }

    mutating func step(_ world: inout Simulation) {
        switch self.state {
        case .idle:
            let shard = Int.random(in: 0..<Simulation.shards, using: &world.random)
            if world.plant != .noLock {
                guard world.producer.lockHolder[shard] == nil else { return }
                world.producer.lockHolder[shard] = self.number
            }
            self.state = .locked(shard: shard)
        case .locked(let shard):
            let head = world.producer.head(shard)
            let now = Timestamp(milliseconds: Int64(world.nextWrite))
            self.state = .read(
                shard: shard,
                tail: LogTail(epoch: head.epoch, sequence: head.sequence, time: nil, now: now)
            )
        case .read(let shard, var tail):
            for _ in 0..<Int.random(in: 1...3, using: &world.random) {
                let event = SimulatedEvent(
                    write: world.nextWrite,
                    total: world.producer.total(shard) + 1,
                    position: tail.next()
                )
                world.producer.contents.log[shard].append(event)
                world.producer.contents.writes.insert(event.write)
                world.nextWrite += 1
            }
            world.producer.lockHolder[shard] = nil
            self.state = .idle
        }
    }
}

/// One relay: reads what has not gone out, sends it, and after the acknowledgement marks it.
///
/// Two of them run without a lock here, as a stale one beside its successor does.
struct SimulatedRelay {
    enum State {
        case idle
        case sending(shard: Int, [SimulatedEvent])
        case acknowledged(shard: Int, through: Int64)
    }

    var state = State.idle

    mutating func step(_ world: inout Simulation) {
        switch self.state {
        case .idle:
            let shard = Int.random(in: 0..<Simulation.shards, using: &world.random)
            let cursor = world.producer.contents.relayed[shard]
            let unsent = world.producer.contents.log[shard].filter { $0.position.sequence > cursor.relayed }.prefix(3)
            guard !unsent.isEmpty, cursor.follows(unsent.lazy.map(\.position.sequence)) else { return }
            self.state = .sending(shard: shard, Array(unsent))
        case .sending(let shard, let events):
            guard world.isKafkaUp else { return }
            for event in events {
                var event = event
                event.position.epoch = world.producer.epoch
                world.topic[shard].append(SimulatedRecord(event: event))
            }
            self.state = .acknowledged(shard: shard, through: events.last?.position.sequence ?? 0)
        case .acknowledged(let shard, let sequence):
            world.producer.contents.relayed[shard].acknowledge(through: sequence)
            self.state = .idle
        }
    }
}
