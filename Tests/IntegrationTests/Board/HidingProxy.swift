import HTTP
import Peers
import ServiceHost
import Synchronization

/// Stands before a service and passes on what it is asked; on demand it keeps parts of the service's log to itself.
final class HidingProxy: Sendable {
    let port: Int
    private let task: Task<Void, Never>
    private let hidden: Hidden

    private final class Hidden: Sendable {
        let paths = Mutex<Set<String>>([])
    }

    init(before service: RunningPart, _ client: Client) throws {
        let hidden = Hidden()
        let address = service.address
        let pass: Route.Handler = { request in
            if hidden.paths.withLock({ $0.contains(request.path) }) { return Response(status: 503) }
            let query = request.query.names.flatMap { name in
                request.query.all(name).map { "\(name)=\($0)" }
            }
            let target = request.path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
            var headers = request.head.headers
            for name in ["Host", "Content-Length", "Connection", "Expect"] { headers[name] = nil }
            let body = request.body.isEmpty ? nil : request.body
            let passed = ClientRequest(
                request.method,
                address + target,
                headers: headers,
                body: body,
                timeout: .seconds(10)
            )
            guard let answer = try? await client.send(passed) else { return Response(status: 503) }
            return Response(status: answer.status, headers: answer.headers, body: .bytes(answer.body))
        }
        let routes = ["GET", "POST", "DELETE"].map {
            Route($0, "/{path...}", bodyLimit: $0 == "POST" ? 4_000_000 : 0, pass)
        }
        let server = try Server(
            Server.Configuration(),
            router: Router(routes) { refusal, _ in Response(status: refusal.status) }
        )
        self.port = server.port
        self.hidden = hidden
        self.task = Task { await server.run() }
    }

    /// From now on these paths answer 503.
    func hide(_ paths: String...) { self.hidden.paths.withLock { $0.formUnion(paths) } }

    func stop() { self.task.cancel() }
}
