internal import CMicroHTTPD

/// A listening socket, closed with its owner unless it is handed over.
struct Listener: ~Copyable {
    let descriptor: Int32
    let port: Int

    init(host: String, port: Int) throws(HTTPServerError) {
        (self.descriptor, self.port) = try Self.open(host, port, address: "\(host):\(port)")
    }

    deinit {
        close(self.descriptor)
    }

    /// Gives the descriptor to an owner that closes it.
    consuming func release() -> Int32 {
        let descriptor = self.descriptor
        discard self
        return descriptor
    }

    private static func open(_ host: String, _ port: Int, address: String) throws(HTTPServerError) -> (Int32, Int) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>? = nil
        let code = unsafe getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let candidate = unsafe found else {
            throw HTTPServerError(address: address, reason: unsafe String(cString: gai_strerror(code)))
        }
        defer { unsafe freeaddrinfo(candidate) }
        let descriptor = unsafe socket(
            candidate.pointee.ai_family,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0
        )
        var isListening = false
        defer { if !isListening { close(descriptor) } }
        Self.setOptions(of: descriptor)
        guard
            unsafe bind(descriptor, candidate.pointee.ai_addr, candidate.pointee.ai_addrlen) == 0,
            listen(descriptor, 1024) == 0
        else { throw HTTPServerError(address: address, reason: lastSystemError()) }
        isListening = true
        return (descriptor, Self.port(of: descriptor))
    }

    /// Accepted sockets inherit these. A peer that vanished without a word is noticed after 20 s while something is
    /// being sent to it, and after about a minute while nothing is.
    private static func setOptions(of descriptor: Int32) {
        self.set(SOL_SOCKET, SO_REUSEADDR, 1, of: descriptor)
        self.set(SOL_SOCKET, SO_KEEPALIVE, 1, of: descriptor)
        self.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1, of: descriptor)
        self.set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 30, of: descriptor)
        self.set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10, of: descriptor)
        self.set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 3, of: descriptor)
        self.set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 20_000, of: descriptor)
    }

    private static func set(_ level: Int32, _ option: Int32, _ value: Int32, of descriptor: Int32) {
        unsafe withUnsafePointer(to: value) { pointer in
            _ = unsafe setsockopt(descriptor, level, option, pointer, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    private static func port(of descriptor: Int32) -> Int {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        unsafe withUnsafeMutableBytes(of: &address) { bytes in
            _ = unsafe getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        // The port lies at the same place in the addresses of both families.
        return Int(UInt16(bigEndian: address.sin6_port))
    }
}
