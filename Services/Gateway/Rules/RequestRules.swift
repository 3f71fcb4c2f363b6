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
            self.fault(of: head, operation).map { fault in
                ProblemAnswer.response(fault.problem(in: Language(acceptLanguage: head.headers["Accept-Language"])))
            }
        }
    }

    /// What is wrong with the head of a request, 400, 406 or 415; nil where the operation takes it.
    static func fault(of head: RequestHead, _ operation: Operation) -> (any RuleFault)? {
        if let known = operation.parameters,
            let fault = self.fault(of: head.query, known, repeatable: operation.repeatable)
        {
            return fault
        }
        do throws(ProblemKindError) {
            try self.check(head, operation)
            return nil
        } catch {
            return error
        }
    }

    private static func check(_ head: RequestHead, _ operation: Operation) throws(ProblemKindError) {
        for name in self.single where head.headers.all(name).count > 1 {
            throw ProblemKindError(.malformedRequest, detail: "The header \(name) is there more than once.")
        }
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

    private static func fault(of query: Query, _ known: Set<String>, repeatable: Set<String>) -> FieldFaults? {
        var seen: Set<String> = []
        for item in query.items {
            let name = String(item.name.prefix(80))
            guard known.contains(item.name) else { return .parameter(name, .unknown) }
            guard seen.insert(item.name).inserted || repeatable.contains(item.name) else {
                return .parameter(name, .repeated)
            }
        }
        return nil
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

/// What is wrong with a request, said as a problem once the reader's language is known.
protocol RuleFault {
    func problem(in language: Language) -> Problem
}

extension FieldFaults: RuleFault {}

extension ProblemKindError: RuleFault {
    func problem(in language: Language) -> Problem { Problem(self.kind, in: language, detail: self.detail) }
}
