/// One request under way. Lives on the client's thread.
final class Transfer {
    typealias Outcome = Result<ClientResponse, HTTPClientError>

    /// Takes the body as it comes, in place of collecting it.
    struct Receiver: Sendable {
        let onHead: (@Sendable (ClientResponse) -> Void)?
        let onBytes: @Sendable ([UInt8]) -> Bool
    }

    struct Order: Sendable {
        let id: UInt64
        let request: ClientRequest
        let receiver: Receiver?
        let finish: @Sendable (Outcome) -> Void
    }

    let order: Order
    private(set) var response = ClientResponse(status: 0)
    private(set) var isTooLarge = false
    private(set) var attempts = 0
    /// The receiver has had enough.
    private(set) var isStopped = false
    let deadline: ContinuousClock.Instant
    private var received = 0

    init(_ order: Order) {
        self.order = order
        self.deadline = .now + order.request.timeout
    }

    var hasConnected: Bool { self.attempts > 0 }

    /// libcurl is about to write the request on a connection. It repeats by itself whatever it wrote on a kept
    /// connection that died without an answer; only a request that is safe to repeat may be.
    func mayAttempt() -> Bool {
        self.attempts += 1
        return self.attempts <= (self.order.request.isIdempotent ? 2 : 1)
    }

    /// Takes one line of the head; a status line starts over, since interim answers come first.
    func receiveHead(_ bytes: UnsafeRawBufferPointer) {
        let line = unsafe String(decoding: bytes, as: UTF8.self).trimmingLineEnd
        if line.hasPrefix("HTTP/") {
            let status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            self.response = ClientResponse(status: status ?? 0)
        } else if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let value = line[line.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            self.response.headers.add(String(line[..<colon]), String(value))
        } else if line.isEmpty, self.response.status >= 200 {
            self.order.receiver?.onHead?(self.response)
        }
    }

    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.received += bytes.count
        self.isTooLarge = self.received > self.order.request.responseLimit
        if self.isTooLarge { return false }
        if let receiver = self.order.receiver {
            self.isStopped = unsafe !receiver.onBytes(Array(bytes))
        } else {
            unsafe self.response.body.append(contentsOf: bytes)
        }
        return !self.isStopped
    }
}

extension String {
    fileprivate var trimmingLineEnd: Substring {
        var line = self[...]
        while let last = line.last, last.isNewline || last == " " { line.removeLast() }
        return line
    }
}
