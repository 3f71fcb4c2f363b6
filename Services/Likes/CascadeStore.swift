import KeijibanAPI
import Postgres

/// The posts whose likes are still to be deleted.
struct CascadeStore {
    let connection: Connection

    func begin(_ posts: [ID]) throws {
        guard !posts.isEmpty else { return }
        try self.connection.execute(
            "insert into cascades (post_id) select unnest($1::uuid[]) on conflict do nothing",
            posts
        )
    }

    func cancel(_ posts: [ID]) throws {
        try self.connection.execute("delete from cascades where post_id = any($1)", posts)
    }

    func finish(_ posts: [ID]) throws {
        guard !posts.isEmpty else { return }
        try self.cancel(posts)
    }

    func waiting(limit: Int) throws -> [ID] {
        try self.connection.query("select post_id from cascades order by post_id limit $1", Int64(limit)).map {
            try $0.get(0)
        }
    }
}
