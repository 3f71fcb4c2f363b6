public import KeijibanAPI
public import Postgres

/// One write transaction's hold on the shards of a log: their locks, their ends, and the events it will append.
///
/// Make it first in the transaction, before any row is read: what is read after it stays true until the commit. The locks are
/// taken ascending, in a statement of its own, so that the next one sees what their last holders committed.
public final class LogBatch {
    private let log: EventLog
    private let connection: Connection
    private var tails: [Int: LogTail] = [:]
    private var keys: [Int: ID7Generator] = [:]
    private var eventIDs = ID7Generator()
    private var pending: [Event] = []
    private var redactions: [Redaction] = []

    public init(_ log: EventLog, locking shards: Set<Int>, in connection: Connection, now: Timestamp = .now) throws {
        self.log = log
        self.connection = connection
        let ascending = shards.sorted().map(Int32.init)
        let rows = try connection.pipeline([
            Statement(
                "select pg_advisory_xact_lock($1, shard) from (select unnest($2::int4[]) as shard) as wanted",
                AdvisoryLock.write.space(of: log.topic),
                ascending
            ),
            Statement(
                """
                select wanted.shard, coalesce(last.seq, 0), last.time, logs.epoch
                from unnest($2::int4[]) as wanted(shard)
                join event_logs logs on logs.topic = $1
                left join lateral (
                    select seq, time from events where topic = $1 and events.shard = wanted.shard order by seq desc limit 1
                ) last on true
                """,
                log.topic,
                ascending
            ),
        ])[1]
        guard rows.count == ascending.count else { throw EventLogError.missing(topic: log.topic) }
        for row in rows {
            self.tails[try row.get(0)] = LogTail(
                epoch: try row.get(3),
                sequence: try row.get(1),
                time: try row.get(2),
                now: now
            )
        }
    }

    /// The moment that rows of this batch are made at, in this shard: above that of every earlier batch.
    public func time(in shard: Int) throws -> Timestamp {
        try self.tail(shard).time
    }

    /// Where the shard stands, this batch's events so far included.
    public func position(in shard: Int) throws -> LogPosition {
        let tail = try self.tail(shard)
        return LogPosition(epoch: tail.epoch, sequence: tail.sequence)
    }

    /// A new id, above every earlier one of the shard.
    public func newID(in shard: Int) throws -> ID {
        self.keys[shard, default: ID7Generator()].next(at: try self.tail(shard).time)
    }

    /// A new id that itself falls into the shard, for what is keyed by its own id.
    public func newKey(in shard: Int) throws -> ID {
        while true {
            let id = try self.newID(in: shard)
            if self.log.shard(of: id) == shard { return id }
        }
    }

    /// Adds an event, keyed by `key`, after those of its shard so far. It is written by `flush`.
    ///
    /// - Parameter patch: where the event is the end of its entity, empties the free text of what was said of it before, by
    ///   replacing those members of the data; such events still apply. What is too much for one transaction is left to the
    ///   `RedactionWorker`.
    @discardableResult
    public func append(
        _ payload: some EventPayload,
        key: ID,
        traceparent: String? = nil,
        redacting patch: String? = nil
    ) throws -> LogPosition {
        let shard = self.log.shard(of: key)
        let time = try self.tail(shard).time
        guard let position = self.tails[shard]?.next() else {
            throw EventLogError.shardNotLocked(topic: self.log.topic, shard: shard)
        }
        let subject = payload.subject.description
        if let patch {
            self.redactions.append(
                Redaction(shard: shard, subject: subject, patch: patch, before: position.sequence)
            )
        }
        self.pending.append(
            Event(
                id: self.eventIDs.next(at: time),
                type: type(of: payload).type,
                subject: subject,
                time: time,
                partitionKey: key.description,
                shard: Shard(self.log.topic, shard),
                position: position,
                traceparent: traceparent,
                data: try JSON.encode(payload)
            )
        )
        return position
    }

    /// Writes the events. Call it last in the transaction.
    public func flush() throws {
        guard !self.pending.isEmpty else { return }
        try self.connection.execute(
            """
            insert into events (topic, shard, seq, id, type, subject, key, time, traceparent, data)
            select $1, * from unnest(
                $2::int4[], $3::int8[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::text[], $10::text[])
            """,
            self.log.topic,
            self.pending.map { Int32($0.shard.number) },
            self.pending.map(\.position.sequence),
            self.pending.map(\.id),
            self.pending.map(\.type),
            self.pending.map(\.subject),
            self.pending.map(\.partitionKey),
            self.pending.map(\.time),
            self.pending.map(\.traceparent),
            self.pending.map { String(decoding: $0.data, as: UTF8.self) }
        )
        self.pending.removeAll()
        let store = RedactionStore(self.log, in: self.connection)
        try store.keep(try store.empty(self.redactions))
        self.redactions.removeAll()
    }

    private func tail(_ shard: Int) throws -> LogTail {
        guard let tail = self.tails[shard] else {
            throw EventLogError.shardNotLocked(topic: self.log.topic, shard: shard)
        }
        return tail
    }
}
