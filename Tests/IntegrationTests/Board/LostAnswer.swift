import Foundation
import HTTP

/// A request whose sender never reads the answer.
final class LostAnswer: Sendable {
    struct NoConnection: Error {}

    private let descriptor: Int32

    init(_ method: String, _ path: String, to port: Int, headers: Headers, body: [UInt8]) throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = self.descriptor
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw NoConnection() }
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.count)\r\n"
        for field in headers { head += "\(field.name): \(field.value)\r\n" }
        let bytes = Array((head + "\r\n").utf8) + body
        _ = unsafe Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func hangUp() { _ = Foundation.close(self.descriptor) }
}

extension Sequence {
    /// One after another.
    func asyncMap<Value>(_ body: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
