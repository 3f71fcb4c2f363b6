import KeijibanAPI
import Postgres
import Synchronization

/// Who is called what: users as read from the database, remembered since names are asked for with every list.
final class UserDirectory: Sendable {
    private static let memoryLimit = 100_000

    private let database: Database
    private let store: UserStore
    private let known = Mutex<[ID: UserRecord]>([:])

    init(_ database: Database, store: UserStore) {
        self.database = database
        self.store = store
    }

    func user(_ id: ID) async throws -> UserRecord? {
        try await self.users([id])[id]
    }

    /// Those of `ids` that there are, with one question for all that are not known here.
    func users(_ ids: Set<ID>) async throws -> [ID: UserRecord] {
        var users: [ID: UserRecord] = [:]
        self.known.withLock { known in
            for id in ids { users[id] = known[id] }
        }
        let unknown = ids.filter { users[$0] == nil }.sorted()
        guard !unknown.isEmpty else { return users }
        let found = try await self.database.withConnection { try self.store.users(unknown, in: $0) }
        for user in found { users[user.id] = user }
        self.remember(found)
        return users
    }

    func remember(_ users: [UserRecord]) {
        self.known.withLock { known in
            if known.count > Self.memoryLimit { known.removeAll() }
            for user in users { known[user.id] = user }
        }
    }
}
