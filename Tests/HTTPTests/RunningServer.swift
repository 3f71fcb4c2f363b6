import Foundation
import HTTP
import Testing

/// Serves `routes` while `body` runs.
func withServer<Value>(
    _ routes: [Route],
    configure: (inout Server.Configuration) -> Void = { _ in },
    _ body: (Server) async throws -> Value
) async throws -> Value {
    var configuration = Server.Configuration()
    configure(&configuration)
    let server = try Server(configuration, router: router(routes))
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await server.run() }
        let value = try await body(server)
        group.cancelAll()
        try await group.waitForAll()
        return value
    }
}

/// Refuses with a body that names the refusal, so that a test can tell them apart.
func router(_ routes: [Route]) -> Router {
    Router(routes) { refusal, _ in
        Response(status: refusal.status, headers: refusal.headers, body: .bytes(Array("\(refusal)".utf8)))
    }
}

extension Server {
    func url(_ path: String) -> String { "http://127.0.0.1:\(self.port)\(path)" }
}

extension Response {
    static func text(_ text: String) -> Response { Response(body: .bytes(Array(text.utf8))) }
}

extension ClientResponse {
    var text: String { String(decoding: self.body, as: UTF8.self) }
}

extension Client {
    /// A request with a deadline that a busy machine keeps.
    func send(
        _ method: String,
        _ url: String,
        headers: Headers = [:],
        body: [UInt8]? = nil
    ) async throws -> ClientResponse {
        try await self.send(ClientRequest(method, url, headers: headers, body: body, timeout: .seconds(20)))
    }
}

struct Unfulfilled: Error, CustomStringConvertible {
    let description: String
}

/// Waits until `condition` holds, looking every few milliseconds.
func eventually(_ what: String, within limit: Duration = .seconds(45), _ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < deadline else { throw Unfulfilled(description: "never: \(what)") }
        try await Task.sleep(for: .milliseconds(5))
    }
}
