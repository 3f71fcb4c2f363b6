import Foundation
import HTTP
import Kafka
import KeijibanAPI
import Postgres
import ServiceHost
import TestSupport
import Testing

extension IntegrationTests {
    /// PostgreSQL, Kafka or both away, or slow.
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct OutageTests {
        /// A board on a cluster that these tests stop and start.
        private static let board = SharedBoard { try await TestBoard.start(on: try await PrivatePostgres()) }

        private func statuses(_ path: String, of board: TestBoard) async throws -> [Int] {
            try await board.parts.asyncMap { try await board.send("GET", $0.address + path).status }
        }

        @Test func startedBeforePostgresAndKafkaTheServicesWaitAndThenServe() async throws {
            let cluster = try await PrivatePostgres()
            let broker = try await TestBoard.broker(.embedded)
            let board = try TestBoard(
                on: cluster,
                broker: broker,
                databases: try await TestBoard.databases(on: cluster)
            )
            try await cluster.stop()
            try await broker.interrupt()
            try board.startAll()
            #expect(try await self.statuses("/livez", of: board) == [200, 200, 200, 200, 200])
            #expect(try await self.statuses("/readyz", of: board) == [503, 503, 503, 503, 503])
            let reason = try await board.send("GET", board.gateway.address + "/readyz").text
            #expect(reason.contains("postgres"))
            let early = try await board.send("GET", board.gateway.address + "/v1/threads")
            #expect(early.status == 503 && early.problem == "unavailable")

            try await cluster.start()
            try await eventually("all serve without the broker") {
                try await self.statuses("/readyz", of: board) == [200, 200, 200, 200, 200]
            }
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let post = try await board.post(person, in: thread)
            try await board.like(post, person)
            try await eventually("it is said that the broker is away") {
                try await board.send("GET", board.gateway.address + "/readyz").text.contains(#""status":"degraded""#)
            }
            try await eventually("counts are right without it") {
                let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)")
                return shown.postCount == 1 && shown.likeCount == 1
            }

            try await broker.resume()
            try await board.isReady()
            let published = try await board.published(by: .likes).map(\.subject)
            #expect(published == ["\(post.id)"])
            await board.stop()
            await cluster.remove()
        }

        @Test func whilePostgresIsAwayTheProcessesLiveAndAfterwardsServeAgain() async throws {
            let board = try await Self.board.board()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            try await board.cluster.stop()
            try await eventually("none is ready") {
                #expect(try await self.statuses("/livez", of: board) == [200, 200, 200, 200, 200])
                return try await self.statuses("/readyz", of: board) == [503, 503, 503, 503, 503]
            }
            let draft = ["title": "データベースが止まっている間の投稿", "body": "本文です。"]
            let asking = Asking(person: person, json: draft)
            let path = "/v1/threads/\(thread.id)/posts"
            let refused = try await board.send("POST", board.gateway.address + path, asking)
            #expect(refused.status == 503 && refused.headers["Retry-After"] != nil)
            #expect(try await self.statuses("/livez", of: board) == [200, 200, 200, 200, 200])
            try await board.cluster.start()
            try await board.isReady()
            // With the same key, as whoever was refused does.
            let accepted = try await board.call("POST", path, as: person, draft, key: asking.key ?? "")
            #expect(accepted.status == 201)
            let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)", as: person)
            #expect(shown.postCount == 1)
        }

        @Test func aRestartOfPostgresUnderLoadLosesAndDoublesNothing() async throws {
            let board = try await Self.board.board()
            let people = try await board.signUp(8)
            let thread = try await board.openThread(people[0])
            let target = try await board.post(people[0], in: thread)
            let isOver = Flag()
            let seen = Tally()
            /// Sends a request with its key until it is answered for good.
            @Sendable func insist(_ method: String, _ path: String, _ asking: Asking) async throws -> ClientResponse {
                while true {
                    let answer = try await board.send(method, board.gateway.address + path, asking)
                    seen.add(answer.status)
                    if answer.status == 503 { #expect(answer.headers["Retry-After"] != nil) }
                    guard answer.status == 503 || answer.problem == "conflict" else { return answer }
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            let written = try await withThrowingTaskGroup(of: Int.self) { group in
                for person in people {
                    group.addTask {
                        var count = 0
                        while !isOver.isUp {
                            let title = "再起動の最中にも投稿しています \(count)"
                            let asking = Asking(person: person, json: ["title": title, "body": "本文です。"])
                            let answer = try await insist("POST", "/v1/threads/\(thread.id)/posts", asking)
                            #expect(answer.status == 201, "\(answer.text)")
                            let method = count.isMultiple(of: 2) ? "PUT" : "DELETE"
                            let like = try await insist(method, "/v1/posts/\(target.id)/like", Asking(person: person))
                            #expect(like.status == 200)
                            count += 1
                        }
                        // The last word of each is a like.
                        _ = try await insist("PUT", "/v1/posts/\(target.id)/like", Asking(person: person))
                        return count
                    }
                }
                func some(_ count: Int) async throws {
                    let before = (seen.counts[201] ?? 0)
                    try await eventually("\(count) more posts") { (seen.counts[201] ?? 0) >= before + count }
                }
                try await some(20)
                try await board.cluster.restart()
                try await some(20)
                let administration = Database(.init(url: board.cluster.url(), poolSize: 1))
                try await administration.withConnection { connection in
                    _ = try connection.query(
                        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'"
                    )
                }
                await administration.close()
                try await some(20)
                isOver.raise()
                return try await group.reduce(0, +)
            }
            let statuses = seen.counts
            #expect(Set(statuses.keys).isSubset(of: [200, 201, 503, 409]), "\(statuses)")
            let rows: [Int] = try await board.query(
                .posts,
                "select count(*) from posts where thread_id = $1",
                thread.id
            )
            #expect(rows == [written + 1])
            let likes: [Int] = try await board.query(.likes, "select count(*) from likes where post_id = $1", target.id)
            #expect(likes == [people.count])
            try await board.isReady()
            try await eventually("the gateway counts the same") {
                let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)")
                return shown.postCount == written + 1 && shown.likeCount == people.count
            }
        }

        @Test func slowQueriesDoNotStopTheProcess() async throws {
            let board = try await Self.board.board()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            _ = try await board.post(person, in: thread)
            let url = try board.part(.posts).host.settings.databaseURL
            let database = Database(.init(url: url, poolSize: 1, statementTimeout: .seconds(60)))
            let isHeld = Flag()
            let isOver = Flag()
            try await withBackground([
                {
                    // Every query of posts waits for this lock.
                    _ = try? await database.transaction { connection in
                        try connection.execute("lock table posts in access exclusive mode")
                        isHeld.raise()
                        while !isOver.isUp { try connection.execute("select pg_sleep(0.02)") }
                    }
                }
            ]) {
                try await eventually("the table is locked") { isHeld.isUp }
                async let held = inParallel(64) { _ in
                    try await board.send("GET", board.gateway.address + "/v1/threads/\(thread.id)/posts").status
                }
                for _ in 0..<20 {
                    for part in [board.part(.posts), board.gateway] {
                        let asking = Asking(timeout: .seconds(5))
                        #expect(try await board.send("GET", part.address + "/livez", asking).status == 200)
                    }
                }
                // Others are not held up.
                _ = try await board.openThread(person)
                #expect(try await held.allSatisfy { $0 == 503 })
                isOver.raise()
            }
            await database.close()
            let page: Page<Post> = try await board.get("/v1/threads/\(thread.id)/posts", as: person)
            #expect(page.items.count == 1)
        }

        @Test func withoutTheGatewaysDatabaseReadersAndWritersGoOnWhomItDoesNotKnow() async throws {
            let cluster = try await PrivatePostgres()
            let shared = try await PrivatePostgres.shared()
            var databases = try await TestBoard.databases(on: shared)
            databases["gateway"] = try await cluster.createDatabase()
            let broker = try await TestBoard.broker(.embedded)
            let board = try TestBoard(on: shared, broker: broker, databases: databases)
            try board.startAll()
            try await board.isReady()
            let owner = try await board.signUp()
            let thread = try await board.openThread(owner)
            let post = try await board.post(owner, in: thread)
            // The second gateway has not heard of this one.
            let person = try await board.signUp("ハナ")
            let gateway = try board.anotherGateway()
            try gateway.start()
            try await eventually("it has counted the post") {
                let answer = try await board.send("GET", gateway.address + "/v1/counts?thread=\(thread.id)")
                return answer.status == 200 && answer.text.contains(#""postCount":1"#)
            }
            try await cluster.stop()
            let counts = "/v1/counts?thread=\(thread.id)"
            #expect(try await board.call("GET", counts, as: person, at: gateway).status == 200)
            #expect(try await board.call("PUT", "/v1/posts/\(post.id)/like", as: person, at: gateway).status == 200)
            let (draft, key) = (["title": "名前が分からない間に書いた投稿です", "body": "本文です。"], UUID().uuidString)
            var path = ""
            for isReplay in [false, true] {
                let target = "/v1/threads/\(thread.id)/posts"
                let answer = try await board.call("POST", target, as: person, draft, key: key, at: gateway)
                let made = try answer.value(201, as: Post.self)
                path = "/v1/posts/\(made.id)"
                #expect(made.author.id == person.id && made.author.displayName != "ハナ")
                #expect(answer.headers["Keijiban-Partial"] == "users")
                #expect((answer.headers["Idempotent-Replay"] == "true") == isReplay)
            }
            let edit = Asking(person: person, body: Array(#"{"body": "次の本文"}"#.utf8))
            let edited = try await board.send("PATCH", gateway.address + path, edit)
            #expect(try edited.value(200, as: Post.self).version == 2)
            #expect(edited.headers["Keijiban-Partial"] == "users")
            // What is the gateway's own cannot be had.
            let name = Asking(person: person, body: Array(#"{"displayName": "次"}"#.utf8))
            let renamed = try await board.send("PATCH", gateway.address + "/v1/users/me", name)
            #expect(renamed.status == 503 && renamed.headers["Retry-After"] != nil)
            let me = try await board.send("GET", gateway.address + "/v1/users/me", Asking(person: person))
            #expect(me.status == 503)
            try await cluster.start()
            let shown: Post = try await board.get(path, as: person, at: gateway)
            #expect(shown.author.displayName == "ハナ" && shown.body == "次の本文")
            await gateway.stop()
            await board.stop()
            await cluster.remove()
        }
    }
}
