internal import CMicroHTTPD

/// A client's connection, for as long as libmicrohttpd keeps it. Lives on the loop's thread.
@safe final class Connection {
    let pointer: OpaquePointer
    let descriptor: Int32
    /// The request being served.
    var exchange: Exchange?
    /// When it last began to wait for a request.
    var waitingSince = ContinuousClock.now
    var hasServed = false
    /// When the client closed its side.
    var endedAt: ContinuousClock.Instant?
    /// Its last request was refused before it had all arrived.
    var wasRefused = false

    private(set) lazy var remoteAddress = self.readRemoteAddress()

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        self.descriptor = unsafe keijiban_http_socket(pointer)
    }

    var unreadBytes: Int { Int(keijiban_http_unread(self.descriptor)) }

    /// Ends it from our side; libmicrohttpd then sees it closed and lets it go.
    func cut() {
        shutdown(self.descriptor, Int32(SHUT_RDWR))
    }

    /// Nothing more is sent, by whomever.
    func endSending() {
        shutdown(self.descriptor, Int32(SHUT_WR))
    }

    /// Writes straight to the socket, which nobody else does while a request arrives.
    func send(_ bytes: [UInt8]) {
        _ = unsafe CMicroHTTPD.send(self.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Has a slow reader noticed soon: little may wait in the kernel, and what a peer does not acknowledge for half a minute ends
    /// the connection, where the kernel itself would try for a quarter of an hour.
    func limitPatience() {
        self.set(SOL_SOCKET, SO_SNDBUF, 64 * 1024)
        self.set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 30_000)
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        unsafe withUnsafePointer(to: value) { value in
            _ = unsafe setsockopt(self.descriptor, level, option, value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    private func readRemoteAddress() -> String {
        var text = [CChar](repeating: 0, count: 64)
        guard unsafe keijiban_http_client_address(self.pointer, &text, text.count) != 0 else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
