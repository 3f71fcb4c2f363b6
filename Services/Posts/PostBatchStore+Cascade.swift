import Events
import KeijibanAPI
import Postgres

/// Posts that go with something else.
extension PostBatchStore {
    /// Deletes the next posts of a thread or a user that is gone; returns how many.
    mutating func cascade(_ cascade: Cascade, limit: Int) throws -> Int {
        let isOfUser = cascade.kind == Cascade.user
        if !isOfUser {
            // A snapshot may have brought the thread back.
            guard try self.store.knownThread(cascade.id, in: self.connection)?.isDeleted == true else { return 0 }
        }
        let posts =
            isOfUser
            ? try self.keys(ofAuthor: cascade.id, inShard: cascade.shard, limit: limit)
            : try self.keys(ofThread: cascade.id, limit: limit)
        let threads = Array(Set(posts.map(\.threadId)))
        for thread in try self.store.knownThreads(threads, absentToo: true, in: self.connection) {
            self.threads[thread.id] = thread
        }
        let reason: DeletionReason = isOfUser ? .userDeleted : .threadDeleted
        for post in posts { _ = try self.remove(post, reason, cascade.traceparent) }
        try self.write()
        return posts.count
    }
}

extension Cascade {
    /// Of the posts of a thread.
    static let thread = "thread"
}

extension PostStore {
    /// Deletes the posts of threads and users who are gone.
    var cascade: CascadeWorker.Step {
        { cascade, limit, batch, connection in
            var work = PostBatchStore(self, batch, in: connection)
            return try work.cascade(cascade, limit: limit)
        }
    }
}
