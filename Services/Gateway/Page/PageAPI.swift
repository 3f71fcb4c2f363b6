import HTTP
import KeijibanAPI
import ServiceHost

/// The board's own API, asked in this process as any client would ask it: what the page shows is what the contract says.
struct PageAPI: Sendable {
    private let router: Router

    init(_ routes: [Route]) {
        self.router = Router(routes, refuse: ProblemAnswer.refuse)
    }

    /// What a reader is shown; with the position of their last write, so that it is never less than they have done. Throws the
    /// problem that is answered in its place.
    func get<Value: Decodable>(
        _ target: String,
        for visitor: Visitor,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        var answer = try await self.send("GET", target, by: visitor, position: visitor.position)
        // A position that cannot be read says nothing.
        if answer.status == 400, visitor.position != nil { answer = try await self.send("GET", target, by: visitor) }
        return try Self.value(of: answer)
    }

    func send(
        _ method: String,
        _ target: String,
        by visitor: Visitor,
        position: String? = nil,
        body: [UInt8] = []
    ) async throws -> Response {
        var headers: Headers = ["Accept-Language": visitor.words.language.rawValue]
        headers["Authorization"] = visitor.token.map { "Bearer \($0)" }
        headers["Keijiban-Position"] = position
        // Whom the request comes from is counted as for any other.
        for name in ["X-Forwarded-For", "Forwarded"] {
            for value in visitor.head.headers.all(name) { headers.add(name, value) }
        }
        let head = try RequestHead(
            method: method,
            target: target,
            headers: headers,
            remoteAddress: visitor.head.remoteAddress
        )
        return await self.router.respond(to: Request(head, body: body))
    }

    static func value<Value: Decodable>(of answer: Response, as type: Value.Type = Value.self) throws -> Value {
        guard 200...299 ~= answer.status else {
            throw (try? JSON.decode(Problem.self, from: answer.bytes)) ?? Problem(.unavailable)
        }
        return try JSON.decode(from: answer.bytes)
    }
}
