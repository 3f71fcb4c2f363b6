import Crypto
import Postgres

/// The advisory locks of a service's database: one kind for who writes a shard, another for who relays it.
///
/// A relay holds its lock as long as it lives, so it must not be the writers'.
enum AdvisoryLock: String {
    case write
    case relay

    /// The first of the two numbers of a PostgreSQL advisory lock; the second is the shard.
    func space(of topic: String) -> Int32 {
        SHA256.hash(Array("\(self.rawValue) \(topic)".utf8)).prefix(4).reduce(Int32(0)) { $0 << 8 | Int32($1) }
    }
}
