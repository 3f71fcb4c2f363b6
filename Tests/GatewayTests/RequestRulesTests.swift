import HTTP
import KeijibanAPI
import ServiceHost
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct RequestRulesTests {
    /// The status that the rules answer with; 0 where they let it pass.
    private func status(_ method: String, _ target: String, _ headers: Headers = [:], _ operation: Operation) throws
        -> Int
    {
        let head = try RequestHead(method: method, target: target, headers: headers)
        return RequestRules.fault(of: head, operation)?.problem(in: .english).status ?? 0
    }

    private let list = Operation("GET", "/list", parameters: ["limit", "thread"], repeatable: ["thread"])
    private let form = Operation("POST", "/form")

    @Test(arguments: [
        ("/list", 0), ("/list?limit=3", 0), ("/list?thread=a&thread=b", 0), ("/list?limit=3&limit=3", 400),
        ("/list?other=1", 400),
        ("/list?limit", 0), ("/list?&", 0), ("/list?Limit=3", 400), ("/list?%6cimit=3&limit=4", 400),
    ])
    func parametersAreKnownAndThereOnce(_ target: String, _ status: Int) throws {
        #expect(try self.status("GET", target, [:], self.list) == status)
    }

    @Test(
        arguments: [
            (nil, 0), ("application/json", 0), ("application/json; charset=utf-8", 0),
            ("application/json;charset=\"UTF-8\"", 0),
            ("application/json; charset=utf-16", 415), ("application/json; charset=shift_jis", 415),
            ("text/plain", 415),
            ("application/x-www-form-urlencoded", 0), ("application/merge-patch+json", 0),
            ("multipart/form-data; boundary=x", 415),
            ("", 415), ("json", 415),
        ] as [(String?, Int)]
    )
    func aBodyIsJSONInUTF8(_ type: String?, _ status: Int) throws {
        var headers: Headers = ["Content-Length": "2"]
        headers["Content-Type"] = type
        #expect(try self.status("POST", "/form", headers, self.form) == status)
    }

    @Test func withoutABodyItsTypeDoesNotMatter() throws {
        #expect(
            try self.status("POST", "/form", ["Content-Length": "0", "Content-Type": "text/plain"], self.form) == 0
        )
        #expect(try self.status("GET", "/list", ["Content-Type": "text/plain"], self.list) == 0)
    }

    @Test func aCompressedBodyIsNotTaken() throws {
        #expect(
            try self.status("POST", "/form", ["Content-Length": "9", "Content-Encoding": "gzip"], self.form) == 415
        )
        #expect(
            try self.status("POST", "/form", ["Content-Length": "9", "Content-Encoding": "identity"], self.form) == 0
        )
    }

    @Test func aHeaderThatSaysOneThingIsThereOnce() throws {
        for name in ["Authorization", "Idempotency-Key", "Content-Type", "If-Match", "Keijiban-Position"] {
            #expect(try self.status("GET", "/list", [name: "a", name: "b"], self.list) == 400)
        }
        #expect(try self.status("GET", "/list", ["Accept": "text/html", "Accept": "*/*"], self.list) == 0)
    }

    @Test func whatAPathIsCalledDoesNotChangeItsRules() {
        let route = Route("GET", "/v1/posts/{id}/textpack") { _ in Response() }
        #expect(Operation.of(route).types == ["application/zip"])
        #expect(Operation.of(Route("GET", "/v1/new") { _ in Response() }).parameters == nil)
    }
}
