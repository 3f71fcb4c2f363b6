public import Events
public import HTTP
public import KeijibanAPI
import Peers
import Synchronization

/// Lets one request of each idempotency key in at a time.
public final class IdempotencyGate: Sendable {
    private let underWay = Mutex<Set<String>>([])

    public init() {}

    /// Runs `body`; throws `/problems/conflict` while another request with the same key is under way.
    public func admitting<Value>(_ request: IdempotentRequest?, _ body: () async throws -> Value) async throws -> Value
    {
        guard let key = request?.conflictKey else { return try await body() }
        guard self.underWay.withLock({ $0.insert(key).inserted }) else { throw ProblemKindError(.conflict) }
        defer { self.underWay.withLock { _ = $0.remove(key) } }
        return try await body()
    }
}

extension Request {
    /// The key of a request that may be repeated; nil where it has none. Throws where it is not 1 to 255 visible ASCII characters.
    public func idempotencyKey() throws -> String? {
        guard let key = self.headers["Idempotency-Key"] else { return nil }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ProblemKindError(
                .malformedRequest,
                detail: "Idempotency-Key must be 1 to 255 visible ASCII characters."
            )
        }
        return key
    }

    /// `If-Match`; nil where there is none. Throws 400 where it cannot be read.
    public func versionCondition() throws -> VersionCondition? {
        let fields = self.headers.all(VersionCondition.header)
        guard !fields.isEmpty else { return nil }
        do throws(VersionCondition.Malformed) {
            return try VersionCondition(fields.joined(separator: ","))
        } catch {
            throw ProblemKindError(.malformedRequest, detail: "If-Match must be * or a list of entity tags in quotes.")
        }
    }

    /// How many items are asked for between services: one more than a page has, to see whether there is another.
    public var limit: Int { min(max(self.query.first("limit").flatMap { Int($0) } ?? 20, 1), 101) }

    /// An id in the path; one that is no UUID is 404, as one that does not exist.
    public func pathID(_ name: String) throws -> ID {
        guard let id = self.pathParameters[name].flatMap({ ID($0) }) else { throw ProblemKindError(.notFound) }
        return id
    }
}
