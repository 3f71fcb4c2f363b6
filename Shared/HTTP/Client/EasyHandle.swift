internal import CCurl

/// Owns the libcurl handle of one transfer.
@safe final class EasyHandle {
    let transfer: Transfer
    private let pointer: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?

    init(_ transfer: Transfer, connectTimeout: Duration) throws(HTTPClientError) {
        guard let pointer = unsafe curl_easy_init() else {
            throw HTTPClientError(.connect, "libcurl has no memory for a transfer")
        }
        self.transfer = transfer
        unsafe self.pointer = unsafe pointer
        unsafe self.fields = nil
        let request = transfer.order.request
        self.set(CURLOPT_NOSIGNAL, 1)
        self.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        self.set(CURLOPT_FOLLOWLOCATION, 0)
        self.set(CURLOPT_PATH_AS_IS, 1)
        self.set(CURLOPT_TCP_KEEPALIVE, 1)
        self.set(CURLOPT_TIMEOUT_MS, max(1, request.timeout.milliseconds))
        self.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, min(connectTimeout, request.timeout).milliseconds))
        self.set(CURLOPT_PROXY, "")
        self.set(CURLOPT_PROTOCOLS_STR, "http,https")
        unsafe keijiban_curl_set_size(pointer, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.responseLimit))
        guard self.set(CURLOPT_URL, request.url) == CURLE_OK else {
            throw HTTPClientError(.invalidUrl, "not a URL: \(request.url)")
        }
        self.setMethod(request)
        try self.setHeaders(request)
        self.setReceivers()
    }

    deinit {
        unsafe curl_easy_cleanup(self.pointer)
        unsafe curl_slist_free_all(self.fields)
    }

    /// Names the handle while it exists.
    var identity: UInt { unsafe UInt(bitPattern: self.pointer) }

    func add(to queue: TransferQueue) {
        unsafe curl_multi_add_handle(queue.multi, self.pointer)
    }

    func remove(from queue: TransferQueue) {
        unsafe curl_multi_remove_handle(queue.multi, self.pointer)
    }

    private func setMethod(_ request: ClientRequest) {
        if let body = request.body {
            unsafe keijiban_curl_set_size(self.pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            // libcurl copies; of an empty body it still wants an address.
            unsafe (body + [0]).withUnsafeBytes { body in
                _ = unsafe keijiban_curl_set_bytes(self.pointer, CURLOPT_COPYPOSTFIELDS, body.baseAddress)
            }
        } else if request.method == "HEAD" {
            self.set(CURLOPT_NOBODY, 1)
        } else if request.method == "POST" {
            self.set(CURLOPT_POST, 1)
            self.set(CURLOPT_POSTFIELDSIZE, 0)
        }
        self.set(CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func setHeaders(_ request: ClientRequest) throws(HTTPClientError) {
        // An empty value keeps libcurl from sending a field of its own.
        var lines = ["Expect:"]
        if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        if request.headers["Accept"] == nil { lines.append("Accept:") }
        for field in request.headers {
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            guard !line.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
                throw HTTPClientError(.invalidHeader, "\(field.name) holds a line break or NUL")
            }
            lines.append(line)
        }
        for line in lines { unsafe self.fields = curl_slist_append(self.fields, line) }
        unsafe keijiban_curl_set_headers(self.pointer, self.fields)
    }

    private func setReceivers() {
        unsafe keijiban_curl_set_receivers(
            self.pointer,
            { bytes, size, count, context in
                guard let context = unsafe context else { return 0 }
                let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
                unsafe transfer.receiveHead(UnsafeRawBufferPointer(start: bytes, count: size * count))
                return size * count
            },
            { bytes, size, count, context in
                guard let context = unsafe context else { return 0 }
                let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
                let isWanted = unsafe transfer.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
                return isWanted ? size * count : Int.max
            },
            { context, _, _, _, _ in
                guard let context = unsafe context else { return CURL_PREREQFUNC_ABORT }
                let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.mayAttempt() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            },
            Unmanaged.passUnretained(self.transfer).toOpaque()
        )
    }

    @discardableResult
    private func set(_ option: CURLoption, _ value: Int) -> CURLcode {
        unsafe keijiban_curl_set_number(self.pointer, option, value)
    }

    @discardableResult
    private func set(_ option: CURLoption, _ value: String) -> CURLcode {
        unsafe keijiban_curl_set_text(self.pointer, option, value)
    }
}

extension Duration {
    fileprivate var milliseconds: Int {
        Int(self.components.seconds) * 1000 + Int(self.components.attoseconds / 1_000_000_000_000_000)
    }
}
