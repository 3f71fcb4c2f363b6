internal import CMicroHTTPD

/// Copies a request's head out of libmicrohttpd's memory, and checks what that leaves unchecked.
struct HeadReader {
    private var headers = Headers()
    private var isMalformed = false

    static func read(
        _ exchange: Exchange,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) throws(MalformedRequest) -> RequestHead {
        var reader = HeadReader()
        let connection = unsafe exchange.connection.pointer
        unsafe withUnsafeMutablePointer(to: &reader) { reader in
            _ = unsafe MHD_get_connection_values_n(
                connection,
                .HEADER_KIND,
                { reader, _, name, nameSize, value, valueSize in
                    unsafe reader?.assumingMemoryBound(to: HeadReader.self).pointee.add(
                        UnsafeRawBufferPointer(start: name, count: nameSize),
                        UnsafeRawBufferPointer(start: value, count: valueSize)
                    )
                    return .YES
                },
                reader
            )
        }
        let name = unsafe String(cString: method)
        // A NUL in the target, or more than one space beside it, moves the version away from where it belongs.
        guard unsafe version - method == name.utf8.count + exchange.target.utf8.count + 2 else {
            throw MalformedRequest("The request line is malformed.")
        }
        let end = unsafe UnsafeRawPointer(method) + keijiban_http_header_size(connection)
        guard !reader.isMalformed, unsafe reader.isWhole(from: UnsafeRawPointer(version), to: end) else {
            throw MalformedRequest("The header fields are malformed.")
        }
        guard unsafe reader.headers.all("Host").count == 1 || strcmp(version, "HTTP/1.0") == 0 else {
            throw MalformedRequest("There must be one Host field.")
        }
        return try RequestHead(
            method: name,
            target: exchange.target,
            headers: reader.headers,
            remoteAddress: exchange.connection.remoteAddress
        )
    }

    private mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard
            unsafe !name.isEmpty && name.allSatisfy(Self.isTokenCharacter),
            let name = unsafe String(validating: name, as: UTF8.self),
            let value = unsafe String(validating: value, as: UTF8.self)
        else { return self.isMalformed = true }
        self.headers.add(name, value)
    }

    /// Why a request's target cannot be read, judged by what it takes of the connection's memory: itself, and an entry for each of
    /// its parameters.
    static func refusal(ofTarget target: String) -> Refusal? {
        let parameters = self.parameters(of: target)
        guard parameters < self.parameterLimit else { return .malformed("The query has too many parameters.") }
        let memory = target.utf8.count + self.entrySize * parameters
        return memory > Daemon.memoryForHead ? .headTooLarge : nil
    }

    private static let parameterLimit = 128
    private static let entrySize = 64

    private static func parameters(of target: String) -> Int {
        target.utf8.count { $0 == UInt8(ascii: "&") }
    }

    /// What the head takes of the connection's memory: itself, an entry for each field and parameter, and a copy of the
    /// cookies.
    static func memory(of exchange: Exchange, _ head: RequestHead) -> Int {
        let entries = head.headers.count + self.parameters(of: exchange.target)
        let cookies = head.headers.all("Cookie").reduce(0) { $0 + $1.utf8.count }
        return unsafe keijiban_http_header_size(exchange.connection.pointer) + self.entrySize * entries + cookies
    }

    /// libmicrohttpd ends strings with NULs in place: one behind each name, two in place of each line's end. Any other
    /// count means a NUL was sent, a line ended in LF only or was folded: each has been used to smuggle requests.
    private func isWhole(from start: UnsafeRawPointer, to end: UnsafeRawPointer) -> Bool {
        let text = unsafe UnsafeRawBufferPointer(start: start, count: max(0, end - start))
        let expected = 4 + 3 * self.headers.count
        return unsafe text.count { $0 == 0 } == expected
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }
}
