public import Postgres
import Synchronization

/// Carries out commands in batches that form by themselves: while one transaction is at the disk, the commands that arrive
/// wait together and become the next one.
///
/// One write transaction is in flight at a time. Of commands with the same `conflictKey` at most one is in a batch; the next
/// waits for the next one. A batch that fails on data, or takes too long, is split, so that a bad command fails alone.
public final class GroupCommit<Command: Sendable, Outcome: Sendable>: Sendable {
    public typealias Apply = @Sendable ([Command], Connection) throws -> [Outcome]

    private struct Waiting: Sendable {
        let command: Command
        let conflictKey: String?
        let continuation: CheckedContinuation<Outcome, any Error>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isClosed = false
    }

    /// How many parts of a batch may take too long before the rest is given up: enough to find one command.
    private static var timeoutLimit: Int { 10 }

    private let database: Database
    private let batchLimit: Int
    private let queueLimit: Int
    private let apply: Apply
    private let didCommit: @Sendable (Int) -> Void
    private let state = Mutex(State())
    private let wake = Wake()

    /// - Parameters:
    ///   - queueLimit: How many commands may wait; over it `submit` throws `CommitQueueFull` at once.
    ///   - didCommit: Called after each commit with the number of its commands.
    ///   - apply: Does the work of a batch within a transaction and returns an outcome for each command, in order.
    public init(
        _ database: Database,
        batchLimit: Int = 500,
        queueLimit: Int = 10_000,
        didCommit: @escaping @Sendable (Int) -> Void,
        apply: @escaping Apply
    ) {
        self.database = database
        self.batchLimit = batchLimit
        self.queueLimit = queueLimit
        self.didCommit = didCommit
        self.apply = apply
    }

    /// Carries a command out; returns after its commit. Cancelling the caller does not withdraw the command.
    public func submit(_ command: Command, conflictKey: String? = nil) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            let waiting = Waiting(command: command, conflictKey: conflictKey, continuation: continuation)
            let isAccepted = self.state.withLock { state in
                guard !state.isClosed, state.waiting.count < self.queueLimit else { return false }
                state.waiting.append(waiting)
                return true
            }
            if isAccepted { self.wake.signal() } else { continuation.resume(throwing: CommitQueueFull()) }
        }
    }

    /// How many commands wait for a batch.
    public var waitingCount: Int { self.state.withLock { $0.waiting.count } }

    /// Works until cancelled; then finishes what waits and accepts no more.
    public func run() async {
        while await self.wake.wait() { await self.drain() }
        self.state.withLock { $0.isClosed = true }
        await self.drain()
    }

    private func drain() async {
        while let batch = self.takeBatch() {
            var timeouts = 0
            await self.process(batch[...], &timeouts)
        }
    }

    private func takeBatch() -> [Waiting]? {
        self.state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            var batch: [Waiting] = []
            var rest: [Waiting] = []
            var keys: Set<String> = []
            for (index, waiting) in state.waiting.enumerated() {
                if batch.count == self.batchLimit {
                    rest += state.waiting[index...]
                    break
                }
                if let key = waiting.conflictKey, !keys.insert(key).inserted {
                    rest.append(waiting)
                } else {
                    batch.append(waiting)
                }
            }
            state.waiting = rest
            return batch
        }
    }

    private func process(_ batch: ArraySlice<Waiting>, _ timeouts: inout Int) async {
        let commands = batch.map(\.command)
        let apply = self.apply
        do {
            let outcomes = try await self.commit(commands, apply)
            self.didCommit(batch.count)
            for (waiting, outcome) in zip(batch, outcomes) { waiting.continuation.resume(returning: outcome) }
        } catch {
            if (error as? PostgresError)?.isCancelled == true { timeouts += 1 }
            if batch.count > 1, Self.mayBeOfOne(error), timeouts <= Self.timeoutLimit {
                let middle = batch.startIndex + batch.count / 2
                await self.process(batch[..<middle], &timeouts)
                return await self.process(batch[middle...], &timeouts)
            }
            for waiting in batch { waiting.continuation.resume(throwing: error) }
        }
    }

    /// Whether a single command may be at fault, so that the others can be carried out without it.
    private static func mayBeOfOne(_ error: any Error) -> Bool {
        switch error {
        case let error as PostgresError: error.isDataError || error.isCancelled
        case is EventLogError, is OutcomesMissing: false
        default: true
        }
    }

    /// A deadlock or a serialization failure was surely rolled back, so it is tried again; a lost connection may not have been.
    private func commit(_ commands: [Command], _ apply: @escaping Apply) async throws -> [Outcome] {
        var attempts = 0
        while true {
            do {
                return try await self.database.transaction { connection in
                    let outcomes = try apply(commands, connection)
                    guard outcomes.count == commands.count else { throw OutcomesMissing() }
                    return outcomes
                }
            } catch let error as PostgresError where ["40001", "40P01"].contains(error.sqlState) && attempts < 3 {
                attempts += 1
            }
        }
    }
}

/// Too much waits to be written; nothing was done.
public struct CommitQueueFull: Error, Sendable {
    public init() {}
}

/// A batch was answered with fewer or more outcomes than it had commands, and was not committed.
struct OutcomesMissing: Error {}
