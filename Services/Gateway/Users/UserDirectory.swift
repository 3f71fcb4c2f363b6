import KeijibanAPI
import Postgres
import Synchronization

/// Who is called what, and who is gone: users as read from the database, remembered since names are asked for with every list.
///
/// The users' log tells it of renames and deletions. What is read from the database at the same time may be older than what was
/// told: of two versions of a user the higher one stands.
final class UserDirectory: Sendable {
    /// Users as far as they are known.
    struct People: Sendable {
        var standing: [ID: UserRecord] = [:]
        /// Who has deleted their account. Who is neither here nor there was never heard of.
        var gone: Set<ID> = []
    }

    private struct Entry {
        var version: Int
        /// Nil where only the version was told, and where the user is gone.
        var user: UserRecord?
        var isGone = false

        var isComplete: Bool { self.isGone || self.user != nil }
    }

    private struct State {
        var entries: [ID: Entry] = [:]
        /// How often everything was forgotten: what was read before must not be remembered after.
        var generation = 0

        func known(_ ids: Set<ID>) -> People {
            var people = People()
            for id in ids {
                guard let entry = self.entries[id] else { continue }
                if entry.isGone { people.gone.insert(id) } else { people.standing[id] = entry.user }
            }
            return people
        }

        mutating func forget() {
            self.entries.removeAll()
            self.generation += 1
        }

        mutating func note(_ id: ID, _ entry: Entry) {
            if let known = self.entries[id] {
                guard entry.version > known.version || (entry.version == known.version && !known.isComplete) else {
                    return
                }
            }
            if self.entries.count >= UserDirectory.memoryLimit { self.forget() }
            self.entries[id] = entry
        }
    }

    private static let memoryLimit = 100_000

    private let database: Database
    private let store: UserStore
    private let state = Mutex(State())

    init(_ database: Database, store: UserStore) {
        self.database = database
        self.store = store
    }

    func user(_ id: ID) async throws -> UserRecord? {
        try await self.people([id]).standing[id]
    }

    /// Who of `ids` is gone. Where the database does not answer, those whom nothing is known of count as standing: the services
    /// know who is gone by themselves.
    func gone(among ids: Set<ID>) async -> Set<ID> {
        do {
            return try await self.people(ids).gone
        } catch {
            return self.known(ids).gone
        }
    }

    /// What is known of users without asking the database.
    func known(_ ids: Set<ID>) -> People {
        self.state.withLock { $0.known(ids) }
    }

    /// What is known of users, with one question for all that are not known here.
    func people(_ ids: Set<ID>) async throws -> People {
        let (known, generation) = self.state.withLock { ($0.known(ids), $0.generation) }
        var people = known
        let unknown = ids.filter { people.standing[$0] == nil && !people.gone.contains($0) }
        guard !unknown.isEmpty else { return people }
        let found = try await self.database.withConnection { try self.store.everyone(unknown.sorted(), in: $0) }
        self.state.withLock { state in
            for (user, isGone) in found {
                if isGone { people.gone.insert(user.id) } else { people.standing[user.id] = user }
                guard state.generation == generation else { continue }
                state.note(user.id, Entry(version: user.version, user: isGone ? nil : user, isGone: isGone))
            }
        }
        return people
    }

    func remember(_ user: UserRecord) {
        self.state.withLock { $0.note(user.id, Entry(version: user.version, user: user)) }
    }

    /// Takes over what the users' log says.
    func apply(_ event: BoardEvent) {
        switch event {
        case .userRenamed(let event):
            self.state.withLock { state in
                var user = state.entries[event.id]?.user
                user?.version = event.version
                user?.displayName = event.displayName
                state.note(event.id, Entry(version: event.version, user: user))
            }
        case .userDeleted(let event): self.bury(event.id, version: event.version)
        default: break
        }
    }

    func bury(_ id: ID, version: Int) {
        self.state.withLock { $0.note(id, Entry(version: version, user: nil, isGone: true)) }
    }

    /// Forgets everything: the log has begun another life.
    func forget() {
        self.state.withLock { $0.forget() }
    }
}
