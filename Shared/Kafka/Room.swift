internal import Synchronization

/// The bound of a producer's queue: who finds it full waits, first come first served.
///
/// A record enters while there is any room at all, so that one larger than `byteLimit` is not shut out for ever.
final class Room: Sendable {
    private typealias Entrance = CheckedContinuation<Result<Void, KafkaError>, Never>

    private struct State {
        var records = 0
        var bytes = 0
        var nextId: UInt = 0
        var waiting: [(id: UInt, bytes: Int, entrance: Entrance)] = []
        var isClosed = false
    }

    private let recordLimit: Int
    private let byteLimit: Int
    private let state = Mutex(State())

    init(recordLimit: Int, byteLimit: Int) {
        self.recordLimit = recordLimit
        self.byteLimit = byteLimit
    }

    var isEmpty: Bool { self.state.withLock { $0.records == 0 } }

    /// Returns once there is room; cancelling the task gives the place in the line up.
    func enter(bytes: Int) async throws(KafkaError) {
        if let result = self.state.withLock({ self.enterAtOnce(bytes, &$0) }) { return try result.get() }
        let id = self.state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        let result: Result<Void, KafkaError> = await withTaskCancellationHandler {
            await withCheckedContinuation { entrance in
                let result = self.state.withLock { state -> Result<Void, KafkaError>? in
                    if Task.isCancelled { return .failure(.cancelled) }
                    if let result = self.enterAtOnce(bytes, &state) { return result }
                    state.waiting.append((id, bytes, entrance))
                    return nil
                }
                if let result { entrance.resume(returning: result) }
            }
        } onCancel: {
            self.giveUp(id)
        }
        try result.get()
    }

    /// Makes room again and lets in whom it suffices for.
    func leave(records: Int, bytes: Int) {
        let admitted = self.state.withLock { state in
            state.records -= records
            state.bytes -= bytes
            var admitted: [Entrance] = []
            while let next = state.waiting.first, self.hasRoom(state) {
                state.waiting.removeFirst()
                state.records += 1
                state.bytes += next.bytes
                admitted.append(next.entrance)
            }
            return admitted
        }
        for entrance in admitted { entrance.resume(returning: .success(())) }
    }

    /// Turns everybody away, now and from now on.
    func close() {
        let waiting = self.state.withLock { state in
            state.isClosed = true
            let waiting = state.waiting
            state.waiting = []
            return waiting
        }
        for (_, _, entrance) in waiting { entrance.resume(returning: .failure(.closed)) }
    }

    private func giveUp(_ id: UInt) {
        let entrance = self.state.withLock { state -> Entrance? in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiting.remove(at: index).entrance
        }
        entrance?.resume(returning: .failure(.cancelled))
    }

    private func enterAtOnce(_ bytes: Int, _ state: inout State) -> Result<Void, KafkaError>? {
        if state.isClosed { return .failure(.closed) }
        guard state.waiting.isEmpty, self.hasRoom(state) else { return nil }
        state.records += 1
        state.bytes += bytes
        return .success(())
    }

    private func hasRoom(_ state: State) -> Bool {
        state.records < self.recordLimit && state.bytes < self.byteLimit
    }
}
