import TestSupport
import KeijibanAPI
import TestSupport

@testable import Events

/// Several writers, relays and projectors over one log and one topic, a step of one of them at a time, in an order drawn from
/// a seed; between the steps things go wrong.
///
/// The decisions are those of the product (`LogTail`, `RelayCursor`, `Following`); only the I/O is played. After the last
/// step the faults stop, everybody carries on until nothing moves, and `fault` says what is wrong then.
struct Simulation {
    /// A rule broken on purpose, which the simulator must find.
    enum Plant: CaseIterable {
        case none
        /// Two writers may read the same end of a shard.
        case noLock
        /// The effect is committed first and the position after it.
        case positionOutsideTransaction
        /// A restored database keeps its epoch.
        case noEpoch
        /// A record is applied without looking whether it is the next.
        case noSequenceCheck
    }

    static let shards = 2
    var random: SeededGenerator
    let plant: Plant
    var producer = ProducerDatabase(shards: Simulation.shards)
    var topic: [[SimulatedRecord]] = Array(repeating: [], count: Simulation.shards)
    var consumer = ConsumerDatabase()
    var writers: [SimulatedWriter]
    var relays: [SimulatedRelay]
    var projectors: [SimulatedProjector]
    var nextWrite = 0
    var isKafkaUp = true
    /// What happened, for a person who follows a seed.
    var restores = 0

    init(seed: UInt64, plant: Plant = .none) {
        self.random = SeededGenerator(seed: seed)
        self.plant = plant
        self.writers = (0..<2).map { SimulatedWriter(number: $0) }
        self.relays = (0..<2).map { _ in SimulatedRelay() }
        self.projectors = (0..<2).map { _ in SimulatedProjector() }
    }

    /// Plays the schedule and returns what is wrong at its end, nil where all is right.
    mutating func run(steps: Int) -> String? {
        for _ in 0..<steps {
            self.step()
            if self.random.chance(6) { self.goWrong() }
        }
        self.settle()
        return self.fault
    }

    private mutating func step() {
        switch Int.random(in: 0..<10, using: &self.random) {
        case 0..<4:
            let index = Int.random(in: 0..<self.writers.count, using: &self.random)
            var writer = self.writers[index]
            writer.step(&self)
            self.writers[index] = writer
        case 4..<6:
            let index = Int.random(in: 0..<self.relays.count, using: &self.random)
            var relay = self.relays[index]
            relay.step(&self)
            self.relays[index] = relay
        default:
            let index = Int.random(in: 0..<self.projectors.count, using: &self.random)
            var projector = self.projectors[index]
            projector.step(&self)
            self.projectors[index] = projector
        }
    }

    private mutating func goWrong() {
        let shard = Int.random(in: 0..<Self.shards, using: &self.random)
        switch Int.random(in: 0..<12, using: &self.random) {
        case 0: self.crashWriter()
        case 1: self.relays[Int.random(in: 0..<self.relays.count, using: &self.random)] = SimulatedRelay()
        case 2, 3:
            self.projectors[Int.random(in: 0..<self.projectors.count, using: &self.random)] = SimulatedProjector()
        case 4: self.isKafkaUp.toggle()
        case 5: self.topic[shard] = []
        case 6: if !self.topic[shard].isEmpty { self.topic[shard].removeFirst() }
        case 7:
            if let record = self.topic[shard].randomElement(using: &self.random) { self.topic[shard].append(record) }
        case 8: self.topic[shard].shuffle(using: &self.random)
        case 9:
            if let index = self.topic[shard].indices.randomElement(using: &self.random) {
                self.topic[shard][index].isDamaged = true
            }
        case 10: self.producer.backup = self.producer.contents
        default: if self.random.chance(30) { self.restore() }
        }
    }

    /// A writer's process dies: its transaction is rolled back and its locks go.
    private mutating func crashWriter() {
        let index = Int.random(in: 0..<self.writers.count, using: &self.random)
        self.producer.lockHolder = self.producer.lockHolder.filter { $0.value != index }
        self.writers[index] = SimulatedWriter(number: index)
    }

    /// The producer's database goes back to its backup; what was written since is lost to it, and a new life begins.
    private mutating func restore() {
        guard let backup = self.producer.backup else { return }
        self.producer.contents = backup
        self.producer.lockHolder = [:]
        self.writers = self.writers.indices.map { SimulatedWriter(number: $0) }
        self.relays = self.relays.map { _ in SimulatedRelay() }
        if self.plant != .noEpoch { self.producer.epoch = self.newEpoch() }
        self.restores += 1
    }

    private mutating func newEpoch() -> ID {
        ID(high: self.random.next(), low: self.random.next())
    }

    /// The faults stop; everybody goes on until there is nothing left to do.
    private mutating func settle() {
        self.isKafkaUp = true
        for _ in 0..<400 {
            for index in self.writers.indices where self.writers[index].isBusy {
                var writer = self.writers[index]
                writer.step(&self)
                self.writers[index] = writer
            }
            for index in self.relays.indices {
                var relay = self.relays[index]
                relay.step(&self)
                self.relays[index] = relay
            }
            for index in self.projectors.indices {
                var projector = self.projectors[index]
                projector.step(&self)
                self.projectors[index] = projector
            }
        }
    }
}
