import Postgres
import Synchronization

/// What the writers of a load test were told.
final class Journal: Sendable {
    private struct State {
        var acknowledged: Set<Int> = []
        var unknown: Set<Int> = []
        var otherErrors: [String] = []
        var succeededSince: Set<Int>?
        var successesSince = 0
        var isStopped = false
    }

    private let state = Mutex(State())

    var acknowledged: Set<Int> { self.state.withLock { $0.acknowledged } }
    var unknown: Set<Int> { self.state.withLock { $0.unknown } }
    /// Errors that would not be 503.
    var otherErrors: [String] { self.state.withLock { $0.otherErrors } }
    var successes: Int { self.acknowledged.count }
    var failures: Int { self.unknown.count }
    var successesSinceRecovery: Int { self.state.withLock { $0.successesSince } }
    /// All eight writers have succeeded again.
    var hasRecovered: Bool { self.state.withLock { $0.succeededSince?.count == 8 } }

    func noteRecovery() {
        self.state.withLock { $0.succeededSince = [] }
    }

    func stop() {
        self.state.withLock { $0.isStopped = true }
    }

    /// Inserts one number after the other, each once.
    func work(_ database: Database, _ worker: Int) async throws {
        var number = worker
        while !self.state.withLock({ $0.isStopped }) {
            number += 8
            let row = number
            do {
                try await database.transaction { try $0.execute("insert into done values ($1)", row) }
                self.noteSuccess(row, worker)
            } catch {
                self.note(error, row)
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    private func noteSuccess(_ row: Int, _ worker: Int) {
        self.state.withLock { state in
            state.acknowledged.insert(row)
            if state.succeededSince?.insert(worker) != nil { state.successesSince += 1 }
        }
    }

    private func note(_ error: any Error, _ row: Int) {
        self.state.withLock { state in
            state.unknown.insert(row)
            if (error as? PostgresError)?.isTransient != true { state.otherErrors.append("\(error)") }
        }
    }
}
