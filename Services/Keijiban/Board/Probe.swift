internal import BlockingIO
internal import Glibc
internal import HTTP

/// Asks a process of this machine how it is.
enum Probe {
    /// Why what listens there cannot serve just now; nil where it says that it can.
    static func obstacle(port: Int, over client: Client) async -> String? {
        do {
            let answer = try await client.send(
                ClientRequest("GET", "http://127.0.0.1:\(port)/readyz", timeout: .seconds(1), responseLimit: 65_536)
            )
            return answer.status == 200
                ? nil : "\(answer.status) \(String(decoding: answer.body, as: UTF8.self).prefix(300))"
        } catch {
            return "\(error)"
        }
    }

    /// Whether anybody listens there.
    static func accepts(_ port: Int) async -> Bool {
        await BlockingThread(name: "probe").run {
            let socket = Descriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
            var address = sockaddr_in.loopback(port)
            return unsafe withUnsafePointer(to: &address) { address in
                unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
    }

    /// `keijiban ready PORT`, for a container's health check.
    static func run(_ arguments: [String]) async throws -> Int32 {
        guard arguments.count == 1, let port = Int(arguments[0]) else { throw UsageError("ready PORT") }
        guard let obstacle = await self.obstacle(port: port, over: Client()) else { return EXIT_SUCCESS }
        Terminal.warn(obstacle)
        return EXIT_FAILURE
    }
}
