import Dispatch
import Glibc
import Synchronization

/// A server that answers requests, one connection at a time, in the way a test has planned.
@safe final class RawServer: Sendable {
    enum Answer: Sendable {
        case answer(String)
        /// Closes the connection once the request has been read.
        case close
        /// Sends the first half of an answer, then closes.
        case half
    }

    let port: Int
    private let descriptor: Int32
    private let count = Count()

    init(answers: [Answer]) throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            unsafe bind(descriptor, pointer, length)
            listen(descriptor, 16)
            unsafe getsockname(descriptor, pointer, &length)
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        DispatchQueue(label: "raw-server").async { [count] in Self.serve(answers, on: descriptor, count) }
    }

    var requestCount: Int { self.count.value.load(ordering: .sequentiallyConsistent) }

    deinit {
        shutdown(self.descriptor, Int32(SHUT_RDWR))
        Glibc.close(self.descriptor)
    }

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    private static func serve(_ answers: [Answer], on descriptor: Int32, _ count: Count) {
        var answers = answers[...]
        while !answers.isEmpty {
            let connection = accept(descriptor, nil, nil)
            guard connection >= 0 else { return }
            while let answer = answers.first, self.readRequest(connection) {
                answers.removeFirst()
                count.value.add(1, ordering: .sequentiallyConsistent)
                switch answer {
                case .answer(let body):
                    self.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)", to: connection)
                    continue
                case .half: self.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", to: connection)
                case .close: break
                }
                break
            }
            Glibc.close(connection)
        }
    }

    /// Requests of these tests come in one piece.
    private static func readRequest(_ connection: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        return unsafe recv(connection, &bytes, bytes.count, 0) > 0
    }

    private static func write(_ text: String, to connection: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
