import Crypto
public import KeijibanAPI
public import Postgres

/// A request that may be repeated: who sent it where, under which key, and what it says.
public struct IdempotentRequest: Sendable, Hashable {
    public let shard: Int
    public let user: ID
    public let path: String
    public let key: String
    public let bodyHash: [UInt8]

    /// - Parameter shard: Where the effect is; the key is kept beside it.
    public init(shard: Int, user: ID, path: String, key: String, body: [UInt8]) {
        self.shard = shard
        self.user = user
        self.path = path
        self.key = key
        self.bodyHash = SHA256.hash(body)
    }

    /// An id that every attempt at the request has.
    public var id: ID {
        let hash = SHA256.hash(Array(self.conflictKey.utf8))
        let word = { (bytes: ArraySlice<UInt8>) in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return ID(high: word(hash[0..<8]), low: word(hash[8..<16]))
    }

    /// Stands for the key where two requests must not be under way at once.
    public var conflictKey: String { "\(self.user) \(self.path) \(self.key)" }
}

/// What the database knows of a request's key.
public enum Earlier: Sendable, Hashable {
    /// It was carried out, and this is what it made.
    case done(ID)
    /// The key was used for something else.
    case reused
}

/// The requests that were carried out, kept for 24 hours, written in the transaction of their effect.
public struct IdempotencyStore {
    private let connection: Connection

    public init(_ connection: Connection) {
        self.connection = connection
    }

    /// What is known of these requests, those that are new left out.
    public func earlier(_ requests: [IdempotentRequest]) throws -> [IdempotentRequest: Earlier] {
        guard !requests.isEmpty else { return [:] }
        let rows = try self.connection.query(
            """
            select wanted.number, known.body_hash, known.resource_id
            from unnest($1::int4[], $2::uuid[], $3::text[], $4::text[]) with ordinality
                as wanted(shard, user_id, path, key, number)
            join idempotency_keys known using (shard, user_id, path, key)
            where known.created_at > now() - interval '24 hours'
            """,
            requests.map { Int32($0.shard) },
            requests.map(\.user),
            requests.map(\.path),
            requests.map(\.key)
        )
        var earlier: [IdempotentRequest: Earlier] = [:]
        for row in rows {
            let request = requests[try row.get(0, as: Int.self) - 1]
            let isSame = try row.get(1, as: [UInt8].self) == request.bodyHash
            earlier[request] = isSame ? .done(try row.get(2)) : .reused
        }
        return earlier
    }

    /// Remembers what requests made.
    public func remember(_ made: [(request: IdempotentRequest, resource: ID)]) throws {
        guard !made.isEmpty else { return }
        try self.connection.execute(
            """
            insert into idempotency_keys (shard, user_id, path, key, body_hash, resource_id, created_at)
            select *, now() from unnest($1::int4[], $2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::uuid[])
            on conflict (shard, user_id, path, key) do update
            set body_hash = excluded.body_hash, resource_id = excluded.resource_id, created_at = excluded.created_at
            """,
            made.map { Int32($0.request.shard) },
            made.map(\.request.user),
            made.map(\.request.path),
            made.map(\.request.key),
            made.map(\.request.bodyHash),
            made.map(\.resource)
        )
    }

    /// Forgets what is older than 24 hours, a part at a time; returns how many rows went.
    public func forgetOld(limit: Int = 5_000) throws -> Int {
        try self.connection.execute(
            """
            delete from idempotency_keys where ctid in (
                select ctid from idempotency_keys where created_at < now() - interval '25 hours'
                order by created_at limit $1)
            """,
            Int64(limit)
        )
    }
}
