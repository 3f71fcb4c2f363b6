internal import CMicroHTTPD

/// Owns a libmicrohttpd daemon that has no thread of its own: it moves when `run()` is called.
///
/// With its own epoll thread, 0.9.75 stalls from 128 simultaneous events on.
@safe final class Daemon {
    private static let memoryPerConnection = 24 * 1024
    /// The rest is for the answer's head, and to receive and send by.
    static let memoryForHead = 20 * 1024

    private let pointer: OpaquePointer
    let descriptor: Int32

    /// Takes over the listener. `context` goes to every callback and must outlive the daemon.
    init?(
        listener: consuming Listener,
        configuration: Server.Configuration,
        callbacks: keijiban_http_callbacks,
        context: UnsafeMutableRawPointer
    ) {
        let descriptor = listener.release()
        let pointer = unsafe keijiban_http_start(
            descriptor,
            UInt32(configuration.connectionLimit),
            UInt32(max(1, configuration.idleTimeout.components.seconds)),
            Self.memoryPerConnection,
            callbacks,
            context
        )
        guard let pointer = unsafe pointer else {
            close(descriptor)
            return nil
        }
        unsafe self.pointer = unsafe pointer
        self.descriptor = unsafe keijiban_http_epoll_descriptor(pointer)
    }

    deinit {
        unsafe MHD_stop_daemon(self.pointer)
    }

    /// Handles what has happened, without waiting.
    func run() {
        unsafe MHD_run(self.pointer)
    }

    /// How long until it wants to run again though nothing happens.
    func timeout(atMost limit: Int32) -> Int32 {
        var milliseconds: UInt64 = 0
        guard unsafe MHD_get_timeout(self.pointer, &milliseconds) != .NO else { return limit }
        return Int32(min(UInt64(limit), milliseconds))
    }

    func stopListening() {
        let descriptor = unsafe MHD_quiesce_daemon(self.pointer)
        if descriptor >= 0 { close(descriptor) }
    }
}
