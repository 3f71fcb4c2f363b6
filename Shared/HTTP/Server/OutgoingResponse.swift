internal import CMicroHTTPD

/// Owns a response of libmicrohttpd's while it is put together.
@safe struct OutgoingResponse: ~Copyable {
    private let pointer: OpaquePointer

    /// Hands `response` to libmicrohttpd; false where that takes none.
    static func queue(_ response: Response, to exchange: Exchange) -> Bool {
        guard let outgoing = OutgoingResponse(response.body, of: exchange) else { return false }
        if exchange.head?.method == "HEAD", case .stream = response.body {
            unsafe keijiban_http_forbid_chunks(outgoing.pointer)
        }
        for field in response.headers where !field.isServers { outgoing.add(field) }
        return unsafe MHD_queue_response(exchange.connection.pointer, UInt32(response.status), outgoing.pointer) == .YES
    }

    private init?(_ body: Response.Body, of exchange: Exchange) {
        let pointer =
            switch body {
            case .empty: unsafe MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
            case .bytes(let bytes): unsafe Self.copy(bytes)
            case .stream: unsafe Self.reader(of: exchange)
            }
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        // libmicrohttpd counts references: a queued response lives on until it is sent.
        unsafe MHD_destroy_response(self.pointer)
    }

    private func add(_ field: Headers.Field) {
        unsafe MHD_add_response_header(self.pointer, field.name, field.value)
    }

    private static func copy(_ bytes: [UInt8]) -> OpaquePointer? {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe MHD_create_response_from_buffer(
                bytes.count,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                .RESPMEM_MUST_COPY
            )
        }
    }

    private static func reader(of exchange: Exchange) -> OpaquePointer? {
        unsafe MHD_create_response_from_callback(
            keijiban_http_size_unknown(),
            // Only a client of HTTP/1.0 is sent from it; to all others it is memory that lies idle for as long as they listen.
            2 * 1024,
            { source, _, target, size in
                guard let source = unsafe source else { return keijiban_http_end_with_error() }
                let exchange = unsafe Unmanaged<Exchange>.fromOpaque(source).takeUnretainedValue()
                return unsafe exchange.loop.read(
                    exchange,
                    into: UnsafeMutableRawBufferPointer(start: target, count: size)
                )
            },
            Unmanaged.passRetained(exchange).toOpaque(),
            { source in
                guard let source = unsafe source else { return }
                unsafe Unmanaged<Exchange>.fromOpaque(source).release()
            }
        )
    }
}

extension Headers.Field {
    /// The server itself writes these.
    var isServers: Bool {
        ["content-length", "transfer-encoding", "date"].contains(self.name.lowercased())
    }
}
