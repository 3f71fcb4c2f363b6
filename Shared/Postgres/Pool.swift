internal import Synchronization

/// Lends lanes, at most `size` at a time, to those who ask first. Knows nothing of connections.
final class Pool: Sendable {
    private struct State {
        var idle: [Lane] = []
        var inUse = 0
        var waiting: [PoolTicket] = []
        var isClosed = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let size: Int
    private let timeout: Duration
    private let makeLane: @Sendable () -> Lane

    init(size: Int, timeout: Duration, makeLane: @escaping @Sendable () -> Lane) {
        self.size = max(1, size)
        self.timeout = timeout
        self.makeLane = makeLane
    }

    /// How many lanes are lent, and how many callers wait for one.
    var load: (inUse: Int, waiting: Int) { self.state.withLock { ($0.inUse, $0.waiting.count) } }

    /// Lends a lane to `body`. Waiting for it ends with the timeout or with the task.
    func withLane<Value>(_ body: (Lane) async throws -> Value) async throws -> Value {
        let lane = try await self.acquire()
        defer { self.release(lane) }
        return try await body(lane)
    }

    private func acquire() async throws -> Lane {
        let ticket = PoolTicket()
        let lane: Lane? = try self.state.withLock { state throws(PostgresError) in
            guard !state.isClosed else { throw .closed }
            if state.inUse < self.size {
                state.inUse += 1
                // The one used last is the likeliest to be connected.
                return state.idle.popLast() ?? self.makeLane()
            }
            state.waiting.append(ticket)
            return nil
        }
        if let lane { return lane }
        do {
            return try await ticket.wait(atMost: self.timeout)
        } catch {
            self.state.withLock { state in state.waiting.removeAll { $0 === ticket } }
            throw error
        }
    }

    private func release(_ lane: Lane) {
        let closers = self.state.withLock { state -> [CheckedContinuation<Void, Never>] in
            while !state.waiting.isEmpty {
                if state.waiting.removeFirst().decide(.success(lane)) { return [] }
            }
            state.inUse -= 1
            if state.isClosed { lane.close() } else { state.idle.append(lane) }
            guard state.isClosed, state.inUse == 0 else { return [] }
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    /// Turns away who waits, and returns when the last lane is back.
    func close() async {
        await withCheckedContinuation { continuation in
            let isDone = self.state.withLock { state -> Bool in
                state.isClosed = true
                for ticket in state.waiting { ticket.decide(.failure(PostgresError.closed)) }
                state.waiting = []
                for lane in state.idle { lane.close() }
                state.idle = []
                if state.inUse > 0 { state.closers.append(continuation) }
                return state.inUse == 0
            }
            if isDone { continuation.resume() }
        }
    }
}

extension PostgresError {
    static var closed: PostgresError { PostgresError(.closed, "the database was closed") }
}
