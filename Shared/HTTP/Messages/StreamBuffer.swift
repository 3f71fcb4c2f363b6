/// What a stream holds between its writer and the server's loop.
struct StreamBuffer: Sendable {
    enum End: Sendable { case open, finished, cut, closed }
    enum Piece { case bytes(Int), pending, finished, gone }

    private(set) var end = End.open
    var wake: (@Sendable () -> Void)?
    var closeActions: [@Sendable () -> Void] = []
    private var bytes: [UInt8] = []
    private var offset = 0
    private var readerWaits = false
    /// The writer that waits for room, what it needs, and whom to tell whether it has it.
    private var writer: (room: Int, tell: @Sendable (Bool) -> Void)?

    /// Returns whether the bytes were taken, and whom to wake.
    mutating func append(_ new: [UInt8], limit: Int) -> (Bool, (@Sendable () -> Void)?) {
        guard self.end == .open else { return (false, nil) }
        guard self.bytes.count - self.offset + new.count <= limit else {
            return (false, self.cut())
        }
        self.bytes.append(contentsOf: new)
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
        if self.bytes.count - self.offset + count <= limit { return true }
        self.writer = (limit - count, tell)
        return nil
    }

    private mutating func tellWriter() {
        guard let writer = self.writer, self.end != .open || self.bytes.count - self.offset <= writer.room else {
            return
        }
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
        self.bytes = []
        self.offset = 0
        self.wake = nil
        defer { self.closeActions = [] }
        return self.closeActions
    }

    mutating func take(into target: UnsafeMutableRawBufferPointer) -> Piece {
        if self.end == .closed || self.end == .cut { return .gone }
        let count = min(target.count, self.bytes.count - self.offset)
        guard count > 0 else {
            self.readerWaits = self.end == .open
            return self.end == .finished ? .finished : .pending
        }
        unsafe target.copyBytes(from: self.bytes[self.offset..<self.offset + count])
        self.offset += count
        if self.offset == self.bytes.count {
            self.bytes.removeAll(keepingCapacity: self.bytes.capacity <= 4096)
            self.offset = 0
        } else if self.offset > 65536 {
            self.bytes.removeSubrange(..<self.offset)
            self.offset = 0
        }
        self.tellWriter()
        return .bytes(count)
    }

    private mutating func wakeOfWaitingReader() -> (@Sendable () -> Void)? {
        defer { self.readerWaits = false }
        return self.readerWaits ? self.wake : nil
    }
}
