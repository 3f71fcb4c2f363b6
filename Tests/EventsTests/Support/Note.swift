import Events
import KeijibanAPI
import Postgres

/// What the tests write: a text, and how many its shard has with it.
struct Noted: EventPayload, Hashable {
    static let type = "keijiban.test.noted.v1"
    var id: ID
    var text: String
    var total: Int
    var subject: ID { self.id }
}

/// An event of a type that no consumer knows.
struct Whispered: EventPayload {
    static let type = "keijiban.test.whispered.v9"
    var id: ID
    var subject: ID { self.id }
}

/// A note to be written.
struct NoteCommand: Sendable {
    var shard: Int
    var text: String
}

/// The rows of a note service and the events they make.
enum NoteStore {
    static let migration = Migration(
        name: "notes-0001",
        sql: """
            create table notes (id uuid primary key, shard int4 not null, text text not null, total int4 not null
                check (text <> 'forbidden'));
            """
    )

    /// Carries commands out, as a service's store does; returns what each made.
    static func apply(_ log: EventLog) -> @Sendable ([NoteCommand], Connection) throws -> [LogPosition] {
        { commands, connection in
            let batch = try LogBatch(log, locking: Set(commands.map(\.shard)), in: connection)
            let positions = try commands.map { command in
                let id = try batch.newKey(in: command.shard)
                let total = Int(try batch.position(in: command.shard).sequence) + 1
                try connection.execute(
                    "insert into notes (id, shard, text, total) values ($1, $2, $3, $4)",
                    id,
                    Int32(command.shard),
                    command.text,
                    Int32(total)
                )
                return try batch.append(Noted(id: id, text: command.text, total: total), key: id)
            }
            try batch.flush()
            return positions
        }
    }

    static let snapshotRows: LogReader.Rows = { shard, after, limit, connection in
        let rows = try connection.query(
            """
            select id, text, total from notes where shard = $1 and ($2::uuid is null or id > $2) order by id limit $3
            """,
            Int32(shard),
            after,
            Int64(limit)
        )
        let notes = try rows.map { Noted(id: try $0.get(0), text: try $0.get(1), total: try $0.get(2)) }
        return SnapshotRows(rows: notes.map { ($0, $0.id) }, next: notes.count == limit ? notes.last?.id : nil)
    }
}
