internal import Synchronization

/// A response body that is written while it is sent, such as server-sent events.
///
/// Any thread may write. What the client has not taken yet waits here, up to `limit` bytes: a client that reads
/// slower than that is cut, so that one slow reader costs neither memory nor the writer's time.
public final class BodyStream: Sendable {
    private let state = Mutex(StreamBuffer())
    private let limit: Int
    /// Whether a part of it is worth nothing. A server that stops lets it go on for as long as it waits for requests.
    let mustBeWhole: Bool

    public init(limit: Int = 256 * 1024, mustBeWhole: Bool = false) {
        self.limit = limit
        self.mustBeWhole = mustBeWhole
    }

    /// Hands bytes over and returns at once. False: they will not arrive, since the client is gone, was too slow and
    /// is being cut, or the stream was finished.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        let (isAccepted, wake) = self.state.withLock { $0.append(bytes, limit: self.limit) }
        wake?()
        return isAccepted
    }

    /// Hands bytes over as fast as the client takes them: returns when the last have found room here. False: they will not
    /// arrive. Only one task may do so at a time.
    public func send(_ bytes: [UInt8]) async -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(max(self.limit / 4, 1))
            guard await self.hasRoom(for: piece.count), self.write(Array(piece)) else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return !self.isClosed
    }

    private func hasRoom(for count: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let hasRoom = self.state.withLock {
                $0.room(for: count, limit: self.limit) { continuation.resume(returning: $0) }
            }
            if let hasRoom { continuation.resume(returning: hasRoom) }
        }
    }

    /// Breaks the body off, so that the client sees that it is not whole.
    public func cut() {
        self.state.withLock { $0.cut() }?()
    }

    /// Ends the body after what is still waiting.
    public func finish() {
        self.state.withLock { $0.finish() }?()
    }

    /// Runs `action` once the stream is over, whoever ended it; at once if it is over already. The server's own thread
    /// may run it, so it must not wait for anything.
    public func onClose(_ action: @escaping @Sendable () -> Void) {
        let isOver = self.state.withLock { state in
            if state.end != .closed { state.closeActions.append(action) }
            return state.end == .closed
        }
        if isOver { action() }
    }

    /// Whether nothing written from now on can arrive.
    public var isClosed: Bool { self.state.withLock { $0.end != .open } }
}

extension BodyStream {
    /// Names what to call when there is something to read and the reader found nothing before.
    func attach(_ wake: @escaping @Sendable () -> Void) {
        self.state.withLock { $0.wake = wake }
    }

    var isCut: Bool { self.state.withLock { $0.end == .cut } }

    func read(into target: UnsafeMutableRawBufferPointer) -> StreamBuffer.Piece {
        self.state.withLock { unsafe $0.take(into: target) }
    }

    /// The client is gone.
    func close() {
        let actions = self.state.withLock { $0.close() }
        for action in actions { action() }
    }
}
