import Events
public import HTTP
public import KeijibanAPI
import Peers
import Postgres
public import ServiceKit

/// Turns what went wrong into an answer in the contract's form.
public enum ProblemAnswer {
    public static func response(_ problem: Problem, headers: Headers = [:]) -> Response {
        var headers = headers
        headers["Content-Type"] = "application/problem+json"
        headers["Cache-Control"] = "no-store"
        if problem.status == 503 || problem.isKind(.conflict) { headers["Retry-After"] = headers["Retry-After"] ?? "1" }
        if problem.status == 401 { headers["WWW-Authenticate"] = "Bearer" }
        let body = (try? JSON.encode(problem)) ?? []
        return Response(status: problem.status, headers: headers, body: .bytes(body))
    }

    /// Runs a handler; what it throws becomes a problem. Only what nobody foresaw is a 500, and is reported.
    public static func answering(
        _ request: Request,
        _ telemetry: Telemetry,
        _ handler: (Request) async throws -> Response
    ) async -> Response {
        do {
            return try await handler(request)
        } catch {
            return self.response(
                self.problem(error, Language(acceptLanguage: request.headers["Accept-Language"]), telemetry)
            )
        }
    }

    private static func problem(_ error: any Error, _ language: Language, _ telemetry: Telemetry) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let kind as ProblemKindError: return Problem(kind.kind, in: language, detail: kind.detail)
        case let faults as FieldFaults: return faults.problem(in: language)
        case let malformed as ObjectReader.Malformed:
            let detail = "The body is not JSON in UTF-8: \(malformed.reason)."
            return Problem(.malformedRequest, in: language, detail: detail)
        case is PositionVector.Damaged:
            return Problem(.malformedRequest, in: language, detail: "Keijiban-Position is damaged.")
        case is TokenError: return Problem(.unauthorized, in: language)
        case let error as PeerError:
            telemetry.report(.callFailed, ["peer": error.service, "reason": "\(error)"])
            return Problem(.unavailable, in: language, detail: "The service \(error.service) does not answer.")
        case is CommitQueueFull: return Problem(.unavailable, in: language, detail: "Too much waits to be written.")
        case let error as PostgresError where error.isTransient || error.kind == .closed:
            telemetry.report(.databaseFailure, ["reason": "\(error)"])
            return Problem(.unavailable, in: language, detail: "The database does not answer.")
        default:
            telemetry.report(.httpFailure, ["reason": "\(error)"])
            return Problem(.internal, in: language)
        }
    }

    /// What the HTTP layer itself turns away.
    @Sendable
    public static func refuse(_ refusal: Refusal, _ head: RequestHead) -> Response {
        let language = Language(acceptLanguage: head.headers["Accept-Language"])
        switch refusal {
        case .notFound: return self.response(Problem(.notFound, in: language))
        case .methodNotAllowed(let allowed):
            return self.response(
                Problem(.methodNotAllowed, in: language),
                headers: ["Allow": allowed.joined(separator: ", ")]
            )
        case .bodyTooLarge(limit: 0, _):
            return self.response(Problem(.malformedRequest, in: language, detail: "No body is taken here."))
        case .bodyTooLarge(let limit, let declared):
            let detail = "At most \(limit) bytes" + (declared.map { "; these are \($0)" } ?? "") + "."
            return self.response(Problem(.bodyTooLarge, in: language, detail: detail))
        case .headTooLarge: return self.response(Problem(.headersTooLarge, in: language))
        case .malformed(let reason): return self.response(Problem(.malformedRequest, in: language, detail: reason))
        default: return self.response(Problem(.unavailable, in: language, detail: "Too busy, or stopping."))
        }
    }
}

/// A problem whose words are chosen when the language of the reader is known.
public struct ProblemKindError: Error, Sendable {
    public let kind: ProblemKind
    public let detail: String?

    public init(_ kind: ProblemKind, detail: String? = nil) {
        self.kind = kind
        self.detail = detail
    }
}
