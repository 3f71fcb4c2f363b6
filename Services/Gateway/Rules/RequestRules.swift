import HTTP
import KeijibanAPI
import ServiceHost

/// The rules of HTTP that hold of every public operation, looked at before its handler runs.
enum RequestRules {
    /// Headers that say one thing. Two of one name are a request that two readers may understand in two ways.
    private static let single = [
        "Authorization", "Content-Encoding", "Content-Type", "Idempotency-Key", "If-Match", "Keijiban-Position",
        "Last-Event-ID",
    ]

    /// The same route behind the rules of its operation.
    static func guarding(_ route: Route) -> Route {
        let operation = Operation.of(route)
        return route.admitting { head in
            do throws(ProblemKindError) {
                try self.check(head, operation)
                return nil
            } catch {
                let language = Language(acceptLanguage: head.headers["Accept-Language"])
                return ProblemAnswer.response(Problem(error.kind, in: language, detail: error.detail))
            }
        }
    }

    /// Throws 400, 406 or 415 where the head of a request is not one that the operation takes.
    static func check(_ head: RequestHead, _ operation: Operation) throws(ProblemKindError) {
        for name in self.single where head.headers.all(name).count > 1 {
            throw ProblemKindError(.malformedRequest, detail: "The header \(name) is there more than once.")
        }
        if let known = operation.parameters { try self.check(head.query, known, repeatable: operation.repeatable) }
        let accept = head.headers.all("Accept")
        guard MediaRange.accepts(accept.isEmpty ? nil : accept.joined(separator: ","), operation.types) else {
            let types = operation.types.joined(separator: ", ")
            throw ProblemKindError(.notAcceptable, detail: "This is served as \(types).")
        }
        guard self.hasBody(head) else { return }
        if let coding = head.headers["Content-Encoding"], coding.lowercased() != "identity" {
            throw ProblemKindError(.unsupportedMediaType, detail: "The body must not be compressed.")
        }
        guard operation.body != .json || self.isJSON(head.headers["Content-Type"]) else {
            throw ProblemKindError(.unsupportedMediaType, detail: "The body must be application/json in UTF-8.")
        }
    }

    private static func check(
        _ query: Query,
        _ known: Set<String>,
        repeatable: Set<String>
    ) throws(ProblemKindError) {
        var seen: Set<String> = []
        for item in query.items {
            let name = item.name.prefix(80)
            guard known.contains(item.name) else {
                throw ProblemKindError(.malformedRequest, detail: "The parameter \(name) is not known here.")
            }
            guard seen.insert(item.name).inserted || repeatable.contains(item.name) else {
                throw ProblemKindError(.malformedRequest, detail: "The parameter \(name) is there more than once.")
            }
        }
    }

    private static func hasBody(_ head: RequestHead) -> Bool {
        head.headers["Transfer-Encoding"] != nil || head.headers["Content-Length"].map { $0 != "0" } ?? false
    }

    /// Whether a body may be read as JSON. Without a type it may, and also with the one that curl gives to all it is told to send.
    static func isJSON(_ contentType: String?) -> Bool {
        guard let contentType else { return true }
        let value = ParameterizedValue(contentType)
        let type = value.value.lowercased()
        guard ["application/json", "application/x-www-form-urlencoded"].contains(type) || type.hasSuffix("+json") else {
            return false
        }
        return value.parameters["charset"].map { $0.lowercased() == "utf-8" } ?? true
    }
}
