internal import CMicroHTTPD

/// Where libmicrohttpd enters. The functions of C get back the objects they were given as pointers: the loop itself,
/// the connection (owned from its start to its end), and the exchange (owned from its request line to its completion).
extension ServerLoop {
    static var callbacks: keijiban_http_callbacks {
        unsafe keijiban_http_callbacks(
            request: { context, _, _, method, version, upload, uploadSize, exchange in
                guard
                    let context = unsafe context, let method = unsafe method, let version = unsafe version,
                    let uploadSize = unsafe uploadSize, let exchange = unsafe exchange?.pointee
                else { return .NO }
                let loop = unsafe ServerLoop.at(context)
                let isGoingOn = unsafe loop.request(
                    Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue(),
                    method: method,
                    version: version,
                    upload: UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
                )
                unsafe uploadSize.pointee = 0
                return isGoingOn ? MHD_Result.YES : MHD_Result.NO
            },
            completed: { context, _, exchange, _ in
                guard let context = unsafe context, let pointer = unsafe exchange?.pointee else { return }
                unsafe exchange?.pointee = nil
                unsafe ServerLoop.at(context).completed(Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue())
            },
            connection: { context, pointer, slot, change in
                guard let context = unsafe context, let pointer = unsafe pointer, let slot = unsafe slot else { return }
                let loop = unsafe ServerLoop.at(context)
                if change == .CONNECTION_NOTIFY_STARTED {
                    let connection = unsafe Connection(pointer)
                    unsafe slot.pointee = Unmanaged.passRetained(connection).toOpaque()
                    loop.opened(connection)
                } else if let connection = unsafe slot.pointee {
                    unsafe slot.pointee = nil
                    unsafe loop.closed(Unmanaged<Connection>.fromOpaque(connection).takeRetainedValue())
                }
            },
            target: { context, target, pointer in
                guard
                    let context = unsafe context, let target = unsafe target, let pointer = unsafe pointer,
                    let connection = unsafe ServerLoop.at(context).connection(of: pointer)
                else { return nil }
                let exchange = unsafe ServerLoop.at(context).begin(on: connection, target: String(cString: target))
                return unsafe Unmanaged.passRetained(exchange).toOpaque()
            }
        )
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> ServerLoop {
        unsafe Unmanaged.fromOpaque(context).takeUnretainedValue()
    }

    private func connection(of pointer: OpaquePointer) -> Connection? {
        unsafe self.connections[keijiban_http_socket(pointer)]
    }
}
