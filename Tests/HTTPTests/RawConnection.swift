import Dispatch
import Glibc

/// A TCP connection on which a test says exactly what it wants, rightly or wrongly.
///
/// Calls block on a queue of their own; each gives up after 15 s of silence.
@safe final class RawConnection: Sendable {
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "raw-connection")

    /// - Parameter receiveBuffer: A small one makes for a slow reader.
    init(port: Int, receiveBuffer: Int32? = nil) throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 15, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(self.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        unsafe setsockopt(self.descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        if var receiveBuffer {
            unsafe setsockopt(self.descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe connect(
                self.descriptor,
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count)
            )
        }
        guard result == 0 else { throw Failure(call: "connect", code: errno) }
    }

    deinit {
        Glibc.close(self.descriptor)
    }

    func send(_ text: String) async throws {
        try await self.send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) async throws {
        try await self.run { descriptor in
            var sent = 0
            while sent < bytes.count {
                let count = unsafe bytes[sent...].withUnsafeBytes { rest in
                    unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(call: "send", code: errno) }
                sent += count
            }
        }
    }

    /// Reads one answer: the head, and as much body as its Content-Length says.
    func answer(toHead isHead: Bool = false) async throws -> RawAnswer {
        try await self.run { descriptor in
            var bytes: [UInt8] = []
            while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                guard let byte = try Self.receive(descriptor, 1).first else {
                    throw Failure(call: "end in head", code: 0)
                }
                bytes.append(byte)
            }
            var answer = RawAnswer(head: String(decoding: bytes, as: UTF8.self))
            var body: [UInt8] = []
            while !isHead, body.count < answer.contentLength {
                let piece = try Self.receive(descriptor, answer.contentLength - body.count)
                if piece.isEmpty { throw Failure(call: "end in body", code: 0) }
                body += piece
            }
            answer.body = String(decoding: body, as: UTF8.self)
            return answer
        }
    }

    /// Reads up to `count` bytes; none at the end of the connection.
    func read(_ count: Int) async throws -> [UInt8] {
        try await self.run { try Self.receive($0, count) }
    }

    /// Reads all that comes until the other side closes.
    func readToEnd() async throws -> String {
        try await self.run { descriptor in
            var bytes: [UInt8] = []
            while case let piece = try Self.receive(descriptor, 65536), !piece.isEmpty { bytes += piece }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// What comes until the last chunk of a body has.
    func readUntilEndOfBody() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while !bytes.suffix(5).elementsEqual(Array("0\r\n\r\n".utf8)) {
            let piece = try await self.read(16_384)
            guard !piece.isEmpty else { throw Failure(call: "recv", code: 0) }
            bytes += piece
        }
        return bytes
    }

    func finishSending() {
        shutdown(self.descriptor, Int32(SHUT_WR))
    }

    /// Goes away at once, with a reset.
    func vanish() {
        var ending = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(self.descriptor, SOL_SOCKET, SO_LINGER, &ending, 8)
        // The descriptor's number stays taken until `deinit` closes it.
        let other = unsafe open("/dev/null", O_RDONLY)
        dup2(other, self.descriptor)
        Glibc.close(other)
    }

    private func run<Value: Sendable>(_ work: @escaping @Sendable (Int32) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            self.queue.async { continuation.resume(with: Result { try work(self.descriptor) }) }
        }
    }

    private static func receive(_ descriptor: Int32, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = unsafe recv(descriptor, &bytes, count, 0)
        guard received >= 0 else { throw Failure(call: "recv", code: errno) }
        return Array(bytes.prefix(received))
    }
}

/// An answer as it came over the wire.
struct RawAnswer: Sendable {
    let head: String
    var body = ""

    init(head: String) {
        self.head = head
    }

    var status: Int { Int(self.head.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    var contentLength: Int { self.field("content-length").flatMap { Int($0) } ?? 0 }
    var closes: Bool { self.field("connection")?.lowercased() == "close" }

    func field(_ name: String) -> String? {
        self.head.split(separator: "\r\n")
            .first { $0.lowercased().hasPrefix("\(name):") }
            .map { $0.dropFirst(name.count + 1).trimmingPrefix(" ") }
            .map(String.init)
    }
}
