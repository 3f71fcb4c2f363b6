internal import CMicroHTTPD

/// Sockets of refused uploads, read empty for a while before they close.
///
/// Closing a socket that still has unread bytes resets the connection, and the client may then lose the answer it was
/// sent. So libmicrohttpd closes its descriptor, while ours keeps the socket open until the client is done, or has had
/// 2 seconds or 8 MB.
struct LingeringSockets {
    private struct Entry {
        let deadline: ContinuousClock.Instant
        var remaining = 8 * 1024 * 1024
    }

    private static let limit = 256
    private var entries: [Int32: Entry] = [:]
    private var scratch = [UInt8](repeating: 0, count: 64 * 1024)

    var isEmpty: Bool { self.entries.isEmpty }

    /// Keeps the socket behind `descriptor`, which its owner is about to close.
    mutating func keep(_ descriptor: Int32, poller: Poller) {
        guard self.entries.count < Self.limit else { return }
        let copy = keijiban_http_duplicate(descriptor)
        guard copy >= 0 else { return }
        shutdown(copy, Int32(SHUT_WR))
        self.entries[copy] = Entry(deadline: .now + .seconds(2))
        poller.watchInput(of: copy, token: Token.lingering(copy).rawValue)
    }

    /// Throws away what has arrived, and closes the socket at its end.
    mutating func drain(_ descriptor: Int32, poller: Poller) {
        guard var entry = self.entries[descriptor] else { return }
        while true {
            let count = unsafe recv(descriptor, &self.scratch, self.scratch.count, Int32(MSG_DONTWAIT))
            if count < 0, lastErrorCode() == EAGAIN { break }
            entry.remaining -= count
            if count <= 0 || entry.remaining <= 0 { return self.close(descriptor, poller: poller) }
        }
        self.entries[descriptor] = entry
    }

    /// Closes those whose time is up.
    mutating func sweep(_ now: ContinuousClock.Instant, poller: Poller) {
        for (descriptor, entry) in self.entries where entry.deadline <= now {
            self.close(descriptor, poller: poller)
        }
    }

    mutating func closeAll(poller: Poller) {
        for descriptor in self.entries.keys { self.close(descriptor, poller: poller) }
    }

    private mutating func close(_ descriptor: Int32, poller: Poller) {
        self.entries[descriptor] = nil
        poller.remove(descriptor)
        CMicroHTTPD.close(descriptor)
    }
}
