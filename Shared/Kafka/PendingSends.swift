/// The batches of which not every record is decided yet: who waits for them, and what has failed.
struct PendingSends {
    typealias Outcome = Result<Void, KafkaError>
    typealias Waiter = CheckedContinuation<Outcome, Never>

    /// Whom to tell what, once the lock around this value is released.
    struct Decision {
        let waiter: Waiter
        let outcome: Outcome
    }

    private struct Batch {
        var undecided: Int
        var failure: KafkaError?
        var waiter: Waiter?
        var outcome: Outcome { self.failure.map { .failure($0) } ?? .success(()) }
    }

    private var batches: [UInt: Batch] = [:]
    private var nextId: UInt = 0

    /// Starts a batch. Ids are never 0, which stands for "none" where they travel as pointers.
    mutating func begin(records: Int) -> UInt {
        self.nextId += 1
        self.batches[self.nextId] = Batch(undecided: records)
        return self.nextId
    }

    /// Notes that so many records of a batch came to this end; the first failure counts.
    mutating func decide(_ id: UInt, records: Int = 1, _ failure: KafkaError?) -> Decision? {
        guard var batch = self.batches.removeValue(forKey: id) else { return nil }
        batch.undecided -= records
        batch.failure = batch.failure ?? failure
        guard batch.undecided <= 0, let waiter = batch.waiter else {
            self.batches[id] = batch
            return nil
        }
        return Decision(waiter: waiter, outcome: batch.outcome)
    }

    /// Waits for a batch to be decided; a decision at once when it is already, or was given up.
    mutating func wait(for id: UInt, _ waiter: Waiter) -> Decision? {
        guard var batch = self.batches.removeValue(forKey: id) else {
            return Decision(waiter: waiter, outcome: .failure(.cancelled))
        }
        guard batch.undecided > 0 else { return Decision(waiter: waiter, outcome: batch.outcome) }
        batch.waiter = waiter
        self.batches[id] = batch
        return nil
    }

    /// Forgets a batch that nobody wants to hear of any more.
    mutating func abandon(_ id: UInt) -> Decision? {
        guard let waiter = self.batches.removeValue(forKey: id)?.waiter else { return nil }
        return Decision(waiter: waiter, outcome: .failure(.cancelled))
    }

    /// Ends every batch.
    mutating func failAll(_ failure: KafkaError) -> [Decision] {
        var decisions: [Decision] = []
        for (id, batch) in self.batches {
            if let decision = self.decide(id, records: batch.undecided, failure) { decisions.append(decision) }
        }
        return decisions
    }
}
