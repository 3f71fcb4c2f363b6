import Crypto
import Kafka
import KeijibanAPI
import Postgres

/// What could not be applied, kept until somebody has looked at it.
struct DeadLetterStore {
    let connection: Connection

    /// A dead letter that has not gone out yet.
    struct Letter: Sendable {
        var id: Int64
        var topic: String
        var shard: Int
        var key: [UInt8]?
        var value: [UInt8]?
        var headers: [Header]
        var offset: Int64?
        var reason: String
        var attempts: Int
        var firstAt: Timestamp
        var lastAt: Timestamp
    }

    /// An event of the log that cannot be applied, as it would have come by Kafka.
    func insert(_ event: Event, reason: String, attempts: Int) throws {
        let record = event.record
        try self.insert(
            event.shard,
            place: "event \(event.position.epoch) \(event.position.sequence)",
            key: record.key,
            value: record.value,
            headers: record.headers,
            offset: nil,
            reason: reason,
            attempts: attempts
        )
    }

    /// A foreign record, told from others by its offset and what it holds, since offsets begin again on a wiped broker.
    func insert(_ foreign: ForeignRecord) throws {
        let record = foreign.record
        let digest = Hex.encode(SHA256.hash((record.key ?? []) + [0] + (record.value ?? [])).prefix(8))
        try self.insert(
            Shard(record.topic, record.partition),
            place: "record \(record.offset) \(digest)",
            key: record.key,
            value: record.value,
            headers: record.headers,
            offset: record.offset,
            reason: foreign.reason,
            attempts: 1
        )
    }

    private func insert(
        _ shard: Shard,
        place: String,
        key: [UInt8]?,
        value: [UInt8]?,
        headers: [Header],
        offset: Int64?,
        reason: String,
        attempts: Int
    ) throws {
        try self.connection.execute(
            """
            insert into dead_letters (topic, shard, place, record_key, record_value, header_names, header_values,
                record_offset, reason, attempts, first_at, last_at)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) on conflict do nothing
            """,
            shard.topic,
            Int32(shard.number),
            place,
            key,
            value,
            headers.map(\.name),
            headers.map(\.value),
            offset,
            String(reason.replacing("\0", with: "").prefix(500)),
            Int32(attempts),
            Timestamp.now
        )
    }

    /// Takes letters that have not gone out, for a minute, in which no other instance sends them.
    func claim(limit: Int) throws -> [Letter] {
        let rows = try self.connection.query(
            """
            with claimed as (
                update dead_letters set claimed_until = now() + interval '1 minute'
                where id in (
                    select id from dead_letters where sent_at is null and (claimed_until is null or claimed_until < now())
                    order by id limit $1 for update skip locked)
                returning *
            )
            select id, topic, shard, record_key, record_value, header_names, header_values, record_offset, reason, attempts,
                first_at, last_at
            from claimed order by id
            """,
            Int64(limit)
        )
        return try rows.map { row in
            Letter(
                id: try row.get(0),
                topic: try row.get(1),
                shard: try row.get(2),
                key: try row.get(3),
                value: try row.get(4),
                headers: zip(try row.get(5, as: [String].self), try row.get(6, as: [[UInt8]?].self))
                    .map { Header(name: $0, value: $1) },
                offset: try row.get(7),
                reason: try row.get(8),
                attempts: try row.get(9),
                firstAt: try row.get(10),
                lastAt: try row.get(11)
            )
        }
    }

    func markSent(_ id: Int64) throws {
        try self.connection.execute("update dead_letters set sent_at = now() where id = $1", id)
    }

    /// Lets go of letters that were claimed and not sent.
    func release(_ ids: [Int64]) throws {
        try self.connection.execute("update dead_letters set claimed_until = null where id = any($1)", ids)
    }

    /// Empties old letters, also those that never went out: what they say is not kept longer than the log that it came from.
    func emptyOld(_ age: Duration, limit: Int) throws -> Int {
        try self.connection.execute(
            """
            \(Self.empty) where id in (
                select id from dead_letters where \(Self.isFull)
                    and first_at < now() - $1 * interval '1 second' order by id limit $2)
            """,
            age / .seconds(1),
            Int64(limit)
        )
    }

    /// Empties the letters that tell of what these events say is gone.
    func empty(toldOf events: [Event]) throws {
        let ends = events.filter { $0.type.hasSuffix(Self.deletion) }
        guard !ends.isEmpty else { return }
        try self.connection.execute(
            """
            \(Self.empty) where \(Self.isFull)
                and (topic, header_values[array_position(header_names, 'ce_subject')]) in
                    (select * from unnest($1::text[], $2::bytea[]))
            """,
            ends.map(\.shard.topic),
            ends.map { Array($0.subject.utf8) }
        )
    }

    private static let deletion = ".deleted.v1"
    private static let empty =
        "update dead_letters set record_key = null, record_value = null, header_names = '{}', header_values = '{}'"
    private static let isFull = "(header_names <> '{}' or record_key is not null or record_value is not null)"

    func count() throws -> Int {
        try self.connection.query("select count(*) from dead_letters")[0].get(0)
    }
}
