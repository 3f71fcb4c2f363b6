public import HTTP
public import KeijibanAPI
import ServiceKit

/// Another service of the board, or another instance's: where it is and how it is asked.
public final class Peer: Sendable {
    /// What it is called where it is missing: `threads`.
    public let name: String
    private let baseURL: String
    private let client: Client
    private let access: InternalAccess

    public init(_ name: String, at baseURL: String, client: Client, access: InternalAccess) {
        self.name = name
        self.baseURL = baseURL
        self.client = client
        self.access = access
    }

    /// What goes along of the caller's request.
    public struct Caller: Sendable {
        public var token: String?
        public var language: Language
        public var idempotencyKey: String?

        public init(token: String? = nil, language: Language = .english, idempotencyKey: String? = nil) {
            self.token = token
            self.language = language
            self.idempotencyKey = idempotencyKey
        }
    }

    public func get(
        _ target: String,
        caller: Caller = Caller(),
        headers: Headers = [:],
        timeout: Duration = .seconds(1)
    ) async throws(PeerError) -> ClientResponse {
        try await self.send(
            "GET",
            target,
            caller: caller,
            headers: headers,
            body: nil,
            timeout: timeout,
            isIdempotent: true
        )
    }

    public func post(
        _ target: String,
        caller: Caller = Caller(),
        body: [UInt8],
        contentType: String = "application/json",
        timeout: Duration = .seconds(5),
        isIdempotent: Bool = false
    ) async throws(PeerError) -> ClientResponse {
        try await self.send(
            "POST",
            target,
            caller: caller,
            body: body,
            contentType: contentType,
            timeout: timeout,
            isIdempotent: isIdempotent
        )
    }

    /// Sends a request and returns the answer, whatever its status but 5xx; throws where there is none in time.
    public func send(
        _ method: String,
        _ target: String,
        caller: Caller = Caller(),
        headers: Headers = [:],
        body: [UInt8]?,
        contentType: String = "application/json",
        timeout: Duration = .seconds(5),
        isIdempotent: Bool
    ) async throws(PeerError) -> ClientResponse {
        var headers = headers
        headers[InternalAccess.header] = self.access.secret
        headers["Traceparent"] = TraceContext.current?.child().traceparent
        headers["Accept-Language"] = caller.language.rawValue
        if let token = caller.token { headers["Authorization"] = "Bearer \(token)" }
        headers["Idempotency-Key"] = caller.idempotencyKey
        if body != nil { headers["Content-Type"] = contentType }
        let request = ClientRequest(
            method,
            self.baseURL + target,
            headers: headers,
            body: body,
            timeout: timeout,
            isIdempotent: isIdempotent
        )
        let response: ClientResponse
        do {
            response = try await self.client.send(request)
        } catch {
            throw PeerError.unavailable(self.name, "\(error)")
        }
        guard response.status < 500 else { throw PeerError.unavailable(self.name, "status \(response.status)") }
        return response
    }

    /// The same, with the answer's JSON; a problem that the peer answers with is thrown as it is.
    public func value<Value: Decodable>(of response: ClientResponse, as type: Value.Type = Value.self) throws -> Value {
        guard response.status < 300 else {
            if let problem = try? JSON.decode(Problem.self, from: response.body) { throw problem }
            throw PeerError.unavailable(self.name, "status \(response.status)")
        }
        return try JSON.decode(type, from: response.body)
    }
}

/// A service could not be asked.
public enum PeerError: Error, Sendable, CustomStringConvertible {
    case unavailable(String, String)

    public var service: String {
        switch self {
        case .unavailable(let name, _): name
        }
    }

    public var description: String {
        switch self {
        case .unavailable(let name, let reason): "\(name) is unavailable: \(reason)"
        }
    }
}
