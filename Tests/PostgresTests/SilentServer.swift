import Foundation

/// Takes connections and never says a word.
final class SilentServer: Sendable {
    struct Failure: Error {}

    let port: Int
    private let descriptor: Int32

    init() throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        guard result == 0, listen(descriptor, 16) == 0 else { throw Failure() }
    }

    deinit {
        close(self.descriptor)
    }
}
