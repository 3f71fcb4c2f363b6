import Postgres

/// Takes the free text out of events, some at a time; what is beyond a transaction's bounds waits in a table.
///
/// It changes events of a shard, so its callers hold the lock of that shard.
struct RedactionStore {
    /// How many events a transaction empties, and of how many bytes; the last event may pass the bound.
    static let eventLimit = 2_000
    static let byteLimit = 4_000_000

    private let log: EventLog
    private let connection: Connection

    init(_ log: EventLog, in connection: Connection) {
        self.log = log
        self.connection = connection
    }

    /// Empties the next events, within the bounds; returns those of `redactions`, the last ones, that are not finished.
    func empty(_ redactions: [Redaction]) throws -> ArraySlice<Redaction> {
        guard !redactions.isEmpty else { return [] }
        let found = try self.find(redactions)
        var (taken, bytes) = (0, 0)
        while taken < min(found.count, Self.eventLimit), bytes < Self.byteLimit {
            bytes += found[taken].bytes
            taken += 1
        }
        try self.empty(found.prefix(taken).map { (redactions[$0.index], $0.sequence) })
        guard taken < found.count else { return [] }
        let last = found[taken - 1]
        var rest = redactions[last.index...]
        rest[last.index].after = last.sequence
        return rest
    }

    /// Keeps what is not finished for the worker.
    func keep(_ redactions: some Collection<Redaction>) throws {
        guard !redactions.isEmpty else { return }
        try self.connection.execute(
            """
            insert into pending_redactions (shard, subject, patch, after_seq, before_seq)
            select * from unnest($1::int4[], $2::text[], $3::text[], $4::int8[], $5::int8[])
            on conflict (shard, subject) do update set after_seq = excluded.after_seq
            """,
            redactions.map { Int32($0.shard) },
            redactions.map(\.subject),
            redactions.map(\.patch),
            redactions.map(\.after),
            redactions.map(\.before)
        )
    }

    func finish(_ redactions: some Collection<Redaction>) throws {
        guard !redactions.isEmpty else { return }
        try self.connection.execute(
            "delete from pending_redactions where (shard, subject) in (select * from unnest($1::int4[], $2::text[]))",
            redactions.map { Int32($0.shard) },
            redactions.map(\.subject)
        )
    }

    /// The shards in which some wait.
    func shards() throws -> [Int] {
        try self.connection.query("select distinct shard from pending_redactions order by shard").map { try $0.get(0) }
    }

    /// Some of a shard's.
    func waiting(in shard: Int, limit: Int) throws -> [Redaction] {
        try self.connection.query(
            """
            select subject, patch, after_seq, before_seq from pending_redactions where shard = $1 order by subject limit $2
            """,
            Int32(shard),
            Int64(limit)
        ).map {
            Redaction(
                shard: shard,
                subject: try $0.get(0),
                patch: try $0.get(1),
                after: try $0.get(2),
                before: try $0.get(3)
            )
        }
    }

    /// The events to be emptied, in the order of `redactions`, one more than a transaction takes at most.
    private func find(_ redactions: [Redaction]) throws -> [(index: Int, sequence: Int64, bytes: Int)] {
        try self.connection.query(
            """
            select wanted.number, found.seq, found.bytes
            from unnest($2::int4[], $3::text[], $4::int8[], $5::int8[]) with ordinality
                as wanted(shard, subject, after, before, number)
            cross join lateral (
                select seq, octet_length(data) as bytes from events
                where topic = $1 and events.shard = wanted.shard and events.subject = wanted.subject
                    and seq > wanted.after and seq < wanted.before
                order by seq limit $6
            ) found
            limit $6
            """,
            self.log.topic,
            redactions.map { Int32($0.shard) },
            redactions.map(\.subject),
            redactions.map(\.after),
            redactions.map(\.before),
            Int64(Self.eventLimit + 1)
        ).map { (try $0.get(0, as: Int.self) - 1, try $0.get(1), try $0.get(2)) }
    }

    private func empty(_ events: [(redaction: Redaction, sequence: Int64)]) throws {
        guard !events.isEmpty else { return }
        try self.connection.execute(
            """
            update events set data = (data::jsonb || emptied.patch::jsonb)::text
            from unnest($2::int4[], $3::int8[], $4::text[]) as emptied(shard, seq, patch)
            where events.topic = $1 and events.shard = emptied.shard and events.seq = emptied.seq
            """,
            self.log.topic,
            events.map { Int32($0.redaction.shard) },
            events.map(\.sequence),
            events.map(\.redaction.patch)
        )
    }
}
