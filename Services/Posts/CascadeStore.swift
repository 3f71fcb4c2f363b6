import KeijibanAPI
import Postgres

/// The threads whose posts are still to be deleted.
struct CascadeStore {
    let connection: Connection

    func begin(_ threads: [ID]) throws {
        guard !threads.isEmpty else { return }
        try self.connection.execute(
            "insert into cascades (thread_id) select unnest($1::uuid[]) on conflict do nothing",
            threads
        )
    }

    func cancel(_ threads: [ID]) throws {
        try self.connection.execute("delete from cascades where thread_id = any($1)", threads)
    }

    func waiting(limit: Int) throws -> [ID] {
        try self.connection.query("select thread_id from cascades order by thread_id limit $1", Int64(limit)).map {
            try $0.get(0)
        }
    }
}
