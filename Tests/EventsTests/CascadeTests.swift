import Events
import KeijibanAPI
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct CascadeTests {
    private struct Refused: Error {}

    /// A service whose rows hang on owners that may be gone.
    private func service() async throws -> NoteService {
        let service = try await NoteService.make()
        try await Migrator(EventMigrations.all + [NoteStore.migration, EventMigrations.cascades]).run(
            on: service.database
        )
        try await service.run("create table rows (owner uuid not null, shard int4 not null, number int4 not null)")
        return service
    }

    private func fill(_ service: NoteService, _ owner: ID, _ count: Int) async throws {
        try await service.database.withConnection { connection in
            try connection.execute(
                "insert into rows select $1, number % 3, number from generate_series(1, $2) number",
                owner,
                Int64(count)
            )
        }
    }

    private func left(_ service: NoteService, _ table: String = "rows") async throws -> Int {
        try await service.database.withConnection { try $0.query("select count(*) from \(table)")[0].get(0) }
    }

    private func delete(_ cascade: Cascade, _ limit: Int, _ connection: Connection) throws -> Int {
        try connection.execute(
            "delete from rows where ctid in (select ctid from rows where owner = $1 and shard = $2 limit $3)",
            cascade.id,
            Int32(cascade.shard),
            Int64(limit)
        )
    }

    private func event(_ payload: some EventPayload) throws -> Event {
        Event(
            id: .random(),
            type: type(of: payload).type,
            subject: payload.subject.description,
            time: .now,
            partitionKey: payload.subject.description,
            shard: Shard(Topic.users, 0),
            position: LogPosition(epoch: .random(), sequence: 1),
            traceparent: nil,
            data: try payload.encoded()
        )
    }

    @Test func itTakesSomeRowsATransactionAndEndsInEveryShard() async throws {
        let service = try await self.service()
        let owners = [ID.random(), ID.random()]
        for owner in owners { try await self.fill(service, owner, 95) }
        let counts = Mutex<[Int]>([])
        let worker = CascadeWorker(
            service.log,
            in: service.database,
            telemetry: service.telemetry,
            chunk: 10,
            didCommit: {},
            step: { cascade, limit, _, connection in
                let count = try self.delete(cascade, limit, connection)
                counts.withLock { $0.append(count) }
                return count
            }
        )
        try await service.database.transaction { connection in
            try CascadeStore(connection).begin(
                owners.flatMap { owner in (0..<3).map { Cascade("owner", owner, shard: $0) } }
            )
        }
        try await withBackground([{ await worker.run() }]) {
            try await eventually("all is done") { try await self.left(service, "pending_cascades") == 0 }
        }
        #expect(try await self.left(service) == 0)
        #expect(counts.withLock { $0.allSatisfy { $0 <= 10 } && $0.reduce(0, +) == 190 })
    }

    @Test func oneThatFailsHoldsUpNoOtherShardAndIsTakenUpByTheNextProcess() async throws {
        let service = try await self.service()
        let owner = ID.random()
        try await self.fill(service, owner, 30)
        let isWell = Mutex(false)
        func worker() -> CascadeWorker {
            CascadeWorker(
                service.log,
                in: service.database,
                telemetry: service.telemetry,
                chunk: 4,
                didCommit: {},
                step: { cascade, limit, _, connection in
                    let count = try self.delete(cascade, limit, connection)
                    if cascade.shard == 0, !isWell.withLock({ $0 }) { throw Refused() }
                    return count
                }
            )
        }
        try await service.database.transaction { connection in
            try CascadeStore(connection).begin((0..<3).map { Cascade("owner", owner, shard: $0) })
        }
        let first = worker()
        try await withBackground([{ await first.run() }]) {
            try await eventually("the others are done") { try await self.left(service, "pending_cascades") == 1 }
        }
        // What it did in the transaction that failed is not done.
        #expect(try await self.left(service) == 10)
        isWell.withLock { $0 = true }
        let second = worker()
        try await withBackground([{ await second.run() }]) {
            try await eventually("all is done") { try await self.left(service, "pending_cascades") == 0 }
        }
        #expect(try await self.left(service) == 0)
    }

    @Test func aUserWhomASnapshotBringsBackKeepsWhatIsLeft() async throws {
        let service = try await self.service()
        let (back, gone) = (ID.random(), ID.random())
        for owner in [back, gone] { try await self.fill(service, owner, 30) }
        let projection = UserDeletion(service.log, didDelete: {})
        let deletions = try [back, gone].map { try self.event(UserDeleted(id: $0, version: 2, deletedAt: .now)) }
        let standing = [try self.event(UserCreated(id: back, version: 1, displayName: "", createdAt: .now))]
        try await service.database.transaction { connection in
            try projection.apply(deletions, in: connection)
            // The same news twice is the same.
            try projection.apply(deletions, in: connection)
            try projection.rebuild(Shard(Topic.users, 0), from: standing, in: connection)
        }
        let known = try await service.database.withConnection { connection in
            try DeletedUserStore(connection).gone(among: [back, gone, .random()])
        }
        #expect(known == [gone])
        let worker = CascadeWorker(
            service.log,
            in: service.database,
            telemetry: service.telemetry,
            chunk: 100,
            didCommit: {},
            step: { cascade, limit, _, connection in try self.delete(cascade, limit, connection) }
        )
        try await withBackground([{ await worker.run() }]) {
            try await eventually("all is done") { try await self.left(service, "pending_cascades") == 0 }
        }
        #expect(try await self.left(service) == 30)
    }

    @Test func whoIsGoneByASnapshotGoesAlsoWhereTheirDeletionWasMissed() async throws {
        let service = try await self.service()
        let (missed, standing) = (ID.random(), ID.random())
        let didDelete = Mutex(0)
        let projection = UserDeletion(service.log, didDelete: { didDelete.withLock { $0 += 1 } })
        let snapshot = [
            try self.event(UserCreated(id: standing, version: 1, displayName: "", createdAt: .now)),
            try self.event(UserDeleted(id: missed, version: 3, deletedAt: .now)),
        ]
        func rebuild() async throws {
            try await service.database.transaction { connection in
                try projection.rebuild(Shard(Topic.users, 0), from: snapshot, in: connection)
            }
        }
        try await rebuild()
        let known = try await service.database.withConnection { connection in
            try DeletedUserStore(connection).gone(among: [missed, standing])
        }
        #expect(known == [missed])
        #expect(try await self.left(service, "pending_cascades") == service.log.shardCount)
        #expect(didDelete.withLock { $0 } == 1)
        // What the same news again finds is done.
        try await service.run("delete from pending_cascades")
        try await rebuild()
        #expect(try await self.left(service, "pending_cascades") == 0)
    }
}
