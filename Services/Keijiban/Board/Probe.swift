internal import BlockingIO
internal import Glibc

/// Asks a service of this machine, over a connection of its own, as an operator with curl would.
enum Probe {
    /// What `GET path` answers: status and body; nil where nobody answers within a second.
    static func get(_ path: String, port: Int) async -> (status: Int, body: String)? {
        await BlockingThread(name: "probe").run { self.ask(path, port: port) }
    }

    /// Whether somebody listens there.
    static func accepts(_ port: Int) async -> Bool {
        await BlockingThread(name: "probe").run { self.connect(port) != nil }
    }

    private static func ask(_ path: String, port: Int) -> (status: Int, body: String)? {
        guard let socket = self.connect(port) else { return nil }
        socket.write("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n".utf8)
        var answer: [UInt8] = []
        while case let more = socket.read(), !more.isEmpty { answer += more }
        let text = String(decoding: answer, as: UTF8.self)
        let words = text.prefix(64).split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        let body = text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) }
        return (status, body ?? "")
    }

    private static func connect(_ port: Int) -> Descriptor? {
        let socket = Descriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var second = timeval(tv_sec: 1, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(socket.number, SOL_SOCKET, SO_RCVTIMEO, &second, size)
        unsafe setsockopt(socket.number, SOL_SOCKET, SO_SNDTIMEO, &second, size)
        var address = sockaddr_in.loopback(port)
        let result = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0 ? socket : nil
    }
}
