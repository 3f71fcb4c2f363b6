import Foundation
import HTTP
import KeijibanAPI

typealias BoardThread = KeijibanAPI.Thread

/// Somebody who has signed up.
struct Person: Sendable {
    let id: ID
    let name: String
    let token: String
}

/// What a request says beside its method and path.
struct Asking: Sendable {
    var person: Person?
    var json: [String: String]?
    var body: [UInt8]?
    var headers: Headers = [:]
    /// Every POST has a key, as an app's would.
    var key: String? = UUID().uuidString
    var timeout: Duration = .seconds(30)
}

extension TestBoard {
    /// One request, answered once.
    func send(_ method: String, _ url: String, _ asking: Asking = Asking()) async throws -> ClientResponse {
        var headers = asking.headers
        if let person = asking.person { headers["Authorization"] = "Bearer \(person.token)" }
        if method == "POST" { headers["Idempotency-Key"] = headers["Idempotency-Key"] ?? asking.key }
        let body = try asking.body ?? asking.json.map(Self.encode)
        if body != nil, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        let request = ClientRequest(method, url, headers: headers, body: body, timeout: asking.timeout)
        return try await self.client.send(request)
    }

    /// The same bytes each time, since a request that is repeated must have the same body.
    static func encode(_ json: [String: String]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return [UInt8](try encoder.encode(json))
    }

    /// A request to a gateway, asked again for some time while the answer is 503, as an app would do on a busy machine.
    func call(
        _ method: String,
        _ path: String,
        as person: Person? = nil,
        _ json: [String: String]? = nil,
        body: [UInt8]? = nil,
        headers: Headers = [:],
        key: String = UUID().uuidString,
        at gateway: RunningPart? = nil
    ) async throws -> ClientResponse {
        let asking = Asking(person: person, json: json, body: body, headers: headers, key: key)
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            let answer = try await self.send(method, (gateway ?? self.gateway).address + path, asking)
            if answer.status != 503 || ContinuousClock.now > deadline { return answer }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// The resource that an answer must hold.
    func get<Value: Decodable>(
        _ path: String,
        as person: Person? = nil,
        headers: Headers = [:],
        at gateway: RunningPart? = nil
    ) async throws -> Value {
        try await self.call("GET", path, as: person, headers: headers, at: gateway).value(200)
    }
}

struct UnexpectedAnswer: Error, CustomStringConvertible {
    let description: String
}

extension ClientResponse {
    var text: String { String(decoding: self.body, as: UTF8.self) }

    /// The resource in an answer of this status.
    func value<Value: Decodable>(_ status: Int, as type: Value.Type = Value.self) throws -> Value {
        guard self.status == status else {
            throw UnexpectedAnswer(description: "\(self.status) instead of \(status): \(self.text)")
        }
        return try JSON.decode(type, from: self.body)
    }

    /// The last part of a problem's type: `duplicate-post`. Nil where this is none.
    var problem: String? {
        guard self.headers["Content-Type"] == "application/problem+json" else { return nil }
        return (try? JSON.decode(Problem.self, from: self.body))?.type.split(separator: "/").last.map(String.init)
    }

    var position: String? { self.headers["Keijiban-Position"] }
}
