internal import Foundation
internal import Glibc

/// TCP ports of this machine that nobody uses.
enum Ports {
    struct InUse: Error, CustomStringConvertible {
        let port: Int
        var description: String { "port \(self.port) is in use (KEIJIBAN_PORT chooses another)" }
    }

    /// Ports for services that keep theirs over many restarts. They lie outside the range from which the system
    /// takes the near end of outgoing connections; one of those could else sit on a port between two lives of its service.
    static func free(_ count: Int) -> [Int] {
        let range = self.range(ephemeral: self.ephemeral)
        var found: Set<Int> = []
        while found.count < count {
            let port = Int.random(in: range)
            if self.isFree(port) { found.insert(port) }
        }
        return Array(found)
    }

    static func isFree(_ port: Int) -> Bool {
        let socket = Descriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var yes: Int32 = 1
        unsafe setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in.loopback(port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(socket.number, $0, size)
            }
        }
        return result == 0 && listen(socket.number, 1) == 0
    }

    /// The wider side of what the system's own range leaves of the unprivileged ports.
    static func range(ephemeral: ClosedRange<Int>) -> ClosedRange<Int> {
        let below = 10_000...max(ephemeral.lowerBound - 1, 10_000)
        let above = min(ephemeral.upperBound + 1, 65_535)...65_535
        let wider = below.count >= above.count ? below : above
        return wider.count >= 1_000 ? wider : 10_000...65_535
    }

    private static var ephemeral: ClosedRange<Int> {
        let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        let bounds = (text ?? "").split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        return bounds.count == 2 && bounds[0] <= bounds[1] ? bounds[0]...bounds[1] : 32_768...60_999
    }
}

extension sockaddr_in {
    static func loopback(_ port: Int) -> sockaddr_in {
        sockaddr_in(
            sin_family: sa_family_t(AF_INET),
            sin_port: in_port_t(port).bigEndian,
            sin_addr: in_addr(s_addr: UInt32(0x7f00_0001).bigEndian),
            sin_zero: (0, 0, 0, 0, 0, 0, 0, 0)
        )
    }
}
