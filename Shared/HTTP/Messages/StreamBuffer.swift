/// What a stream holds between its writer and the server's loop.
struct StreamBuffer: Sendable {
    enum End: Sendable { case open, finished, cut, closed }
    enum Piece { case bytes(Int), pending, finished, gone }

    private(set) var end = End.open
    var wake: (@Sendable () -> Void)?
    var closeActions: [@Sendable () -> Void] = []
    /// As they were written, so that what is written to many streams is in memory once.
    private var pieces: [[UInt8]] = []
    /// What of the first piece is read already.
    private var offset = 0
    private var byteCount = 0
    private var readerWaits = false
    /// The writer that waits for room, what it needs, and whom to tell whether it has it.
    private var writer: (room: Int, tell: @Sendable (Bool) -> Void)?

    /// Returns whether the bytes were taken, and whom to wake.
    mutating func append(_ new: [UInt8], limit: Int) -> (Bool, (@Sendable () -> Void)?) {
        guard self.end == .open else { return (false, nil) }
        guard self.byteCount + new.count <= limit else { return (false, self.cut()) }
        if !new.isEmpty { self.pieces.append(new) }
        self.byteCount += new.count
        return (true, self.wakeOfWaitingReader())
    }

    mutating func cut() -> (@Sendable () -> Void)? {
        guard self.end == .open else { return nil }
        self.end = .cut
        self.tellWriter()
        return self.wake
    }

    /// Whether there is room for as many bytes; nil where that will be told.
    mutating func room(for count: Int, limit: Int, tell: @escaping @Sendable (Bool) -> Void) -> Bool? {
        guard self.end == .open else { return false }
        if self.byteCount + count <= limit { return true }
        self.writer = (limit - count, tell)
        return nil
    }

    private mutating func tellWriter() {
        guard let writer = self.writer, self.end != .open || self.byteCount <= writer.room else { return }
        self.writer = nil
        writer.tell(self.end == .open)
    }

    mutating func finish() -> (@Sendable () -> Void)? {
        guard self.end == .open else { return nil }
        self.end = .finished
        self.tellWriter()
        return self.wakeOfWaitingReader()
    }

    mutating func close() -> [@Sendable () -> Void] {
        self.end = .closed
        self.tellWriter()
        self.pieces = []
        self.offset = 0
        self.byteCount = 0
        self.wake = nil
        defer { self.closeActions = [] }
        return self.closeActions
    }

    mutating func take(into target: UnsafeMutableRawBufferPointer) -> Piece {
        if self.end == .closed || self.end == .cut { return .gone }
        guard self.byteCount > 0 else {
            self.readerWaits = self.end == .open
            return self.end == .finished ? .finished : .pending
        }
        var count = 0
        var taken = 0
        while count < target.count, taken < self.pieces.count {
            let rest = self.pieces[taken][self.offset...].prefix(target.count - count)
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyBytes(from: rest)
            count += rest.count
            self.offset += rest.count
            if self.offset == self.pieces[taken].count {
                taken += 1
                self.offset = 0
            }
        }
        self.byteCount -= count
        if taken == self.pieces.count { self.pieces = [] } else { self.pieces.removeFirst(taken) }
        self.tellWriter()
        return .bytes(count)
    }

    private mutating func wakeOfWaitingReader() -> (@Sendable () -> Void)? {
        defer { self.readerWaits = false }
        return self.readerWaits ? self.wake : nil
    }
}
