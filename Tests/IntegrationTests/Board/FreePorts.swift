import Foundation

/// Ports of the loopback that nobody listens on, each given out once. They lie below those that the system picks by itself.
enum FreePorts {
    struct NoPort: Error {}

    static func next() throws -> Int {
        for _ in 0..<1_000 {
            let port = Int.random(in: 12_000..<20_000)
            if let socket = try? ListeningSocket(port: port) {
                socket.close()
                return port
            }
        }
        throw NoPort()
    }
}

/// Listens and lets connections be made, but never answers: a service that hangs.
final class ListeningSocket: Sendable {
    struct Taken: Error {}

    private let descriptor: Int32

    init(port: Int) throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var reuse: Int32 = 1
        unsafe setsockopt(self.descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = self.descriptor
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0, listen(descriptor, 256) == 0 else {
            _ = Foundation.close(descriptor)
            throw Taken()
        }
    }

    func close() { _ = Foundation.close(self.descriptor) }
}
