import Events
import HTTP
import KeijibanAPI
import Peers
import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct RemoteLogTests {
    /// Serves a service's log while `body` reads it from elsewhere.
    private func reading(
        _ service: NoteService,
        secret: String = "secret",
        _ body: (RemoteLog, Peer) async throws -> Void
    ) async throws {
        let routes = InternalAccess(secret: "secret").guarding(logRoutes(service.reader))
        let server = try Server(
            Server.Configuration(),
            router: Router(routes) { refusal, _ in Response(status: refusal.status, headers: [:], body: .empty) }
        )
        let peer = Peer(
            "notes",
            at: "http://127.0.0.1:\(server.port)",
            client: Client(Client.Configuration()),
            access: InternalAccess(secret: secret)
        )
        try await withBackground([{ await server.run() }]) {
            try await body(RemoteLog(topic: service.topic, producer: peer), peer)
        }
    }

    @Test func aRemoteReaderSeesWhatALocalOneSees() async throws {
        let service = try await NoteService.make()
        try await service.write(25, to: 1, text: "日本語 \"quoted\"\n\u{1E}line")
        try await self.reading(service) { remote, _ in
            let shard = Shard(service.topic, 1)
            let heads = try await service.reader.heads()
            #expect(try await remote.heads() == heads)
            #expect(try await remote.heads().count == 3)
            let events = try await remote.events(in: shard, after: 20, limit: 3)
            let local = try await service.reader.events(in: shard, after: 20, limit: 3)
            #expect(events == local)
            #expect(events.map(\.position.sequence) == [21, 22, 23])
            #expect(try await remote.events(in: shard, after: 25, limit: 3).isEmpty)
        }
    }

    @Test func largeEventsComeInAnswersOfBoundedSize() async throws {
        let service = try await NoteService.make()
        try await service.write(20, to: 0, text: String(repeating: "漢", count: 200_000))
        try await self.reading(service) { remote, _ in
            let shard = Shard(service.topic, 0)
            var sequences: [Int64] = []
            while sequences.count < 20 {
                let events = try await remote.events(in: shard, after: sequences.last ?? 0, limit: 500)
                #expect(events.reduce(0) { $0 + $1.data.count } < 5_000_000)
                try #require(!events.isEmpty)
                sequences += events.map(\.position.sequence)
            }
            #expect(sequences == Array(1...20))
        }
    }

    @Test func aSnapshotHasEveryRowInChunksAndTheEventsAfterItAreThoseSince() async throws {
        let service = try await NoteService.make()
        try await service.write(2_500, to: 2, batch: 500)
        try await self.reading(service) { remote, _ in
            let shard = Shard(service.topic, 2)
            let snapshot = try await remote.snapshot(of: shard)
            #expect(Set(snapshot.events.map(\.subject)).count == 2_500)
            let head = try await service.reader.heads()[shard]
            #expect(snapshot.position == head)
            #expect(try await service.reader.snapshot(of: shard).events.count == 2_500)
            try await service.write(1, to: 2)
            let later = try await remote.events(in: shard, after: snapshot.position.sequence, limit: 10)
            #expect(later.map(\.position.sequence) == [2_501])
        }
    }

    @Test func belowWhatIsKeptIs410ThatNamesTheSnapshot() async throws {
        let service = try await NoteService.make()
        try await service.write(10, to: 0)
        try await service.run("delete from events where seq < 6")
        try await self.reading(service) { remote, peer in
            let shard = Shard(service.topic, 0)
            await #expect(throws: LogGone.self) { try await remote.events(in: shard, after: 3, limit: 10) }
            #expect(try await remote.events(in: shard, after: 5, limit: 10).count == 5)
            let answer = try await peer.get("/internal/events?topic=\(service.topic)&shard=0&after=3")
            #expect(answer.status == 410)
            #expect(answer.headers["Location"] == "/internal/events/snapshot?topic=\(service.topic)&shard=0")
        }
    }

    @Test func strangersAndWrongQuestionsAreTurnedAway() async throws {
        let service = try await NoteService.make()
        try await self.reading(service) { _, peer in
            let topic = service.topic
            let questions = [
                "/heads?topic=other": 404, "?topic=\(topic)&shard=3": 404, "?topic=\(topic)&shard=x": 404,
                "?topic=\(topic)&shard=0&after=-1": 400, "?topic=\(topic)&shard=0&after=x": 400,
                "/snapshot?topic=\(topic)&shard=-1": 404,
            ]
            for (question, status) in questions {
                let answer = try await peer.get("/internal/events" + question)
                #expect(answer.status == status, "\(question)")
            }
        }
        try await self.reading(service, secret: "guessed") { remote, _ in
            await #expect(throws: PeerError.self) { try await remote.heads() }
        }
    }

    @Test func theDatabaseAwayIsNoAnswerAndNotAnEmptyLog() async throws {
        let service = try await NoteService.make()
        try await self.reading(service) { remote, _ in
            await service.database.close()
            await #expect(throws: PeerError.self) { try await remote.heads() }
            await #expect(throws: PeerError.self) {
                try await remote.events(in: Shard(service.topic, 0), after: 0, limit: 1)
            }
            await #expect(throws: PeerError.self) { try await remote.snapshot(of: Shard(service.topic, 0)) }
        }
    }
}
