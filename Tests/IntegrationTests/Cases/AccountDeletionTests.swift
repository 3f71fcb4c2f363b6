import Events
import Foundation
import HTTP
import KeijibanAPI
import Postgres
import ServiceHost
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(3)))
    struct AccountDeletionTests {
        private func delete(_ person: Person, on board: TestBoard) async throws {
            #expect(try await board.status("DELETE", "/v1/users/me", as: person) == 204)
        }

        private func count(_ part: Part, _ sql: String, _ id: ID, on board: TestBoard) async throws -> Int {
            try await board.query(part, "select count(*) from \(sql) = $1", id)[0]
        }

        /// How many rows of a user the services still have.
        private func rows(of person: Person, on board: TestBoard) async throws -> [Int] {
            [
                try await self.count(.threads, "threads where deleted_at is null and author_id", person.id, on: board),
                try await self.count(.posts, "posts where author_id", person.id, on: board),
                try await self.count(.likes, "likes where user_id", person.id, on: board),
                try await self.count(.media, "media where owner_id", person.id, on: board),
            ]
        }

        private func expectNothingLeft(of person: Person, on board: TestBoard) async throws {
            try await eventually("nothing of \(person.id) is left") {
                try await self.rows(of: person, on: board) == [0, 0, 0, 0]
            }
            for part in [Part.threads, .posts, .likes, .media] {
                try await eventually("\(part.name) is done") {
                    try await self.count(part, "pending_cascades where id", person.id, on: board) == 0
                }
            }
        }

        @Test func aDeletedAccountTakesAllThatItHasAlongAndCountsStayExact() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(3)
            let (gone, owner, fan) = (people[0], people[1], people[2])
            let cover = try await board.upload(gone)
            let photo = try await board.upload(gone)
            let own = try await board.openThread(gone, image: cover.id)
            let guest = try await board.post(fan, in: own)
            let thread = try await board.openThread(owner)
            let posts = try await (0..<3).asyncMap { _ in try await board.post(gone, in: thread, image: photo.id) }
            let kept = try await board.post(owner, in: thread)
            for person in people { try await board.like(kept, person) }
            try await board.like(posts[0], fan)
            try await board.like(guest, owner)
            try await self.delete(gone, on: board)

            // At once, whatever the services have done by now.
            for path in [
                "/v1/users/\(gone.id)", "/v1/threads/\(own.id)", "/v1/threads/\(own.id)/posts",
                "/v1/posts/\(posts[0].id)",
                "/v1/posts/\(guest.id)",
            ] { #expect(try await board.status("GET", path) == 404, "\(path)") }
            let page: Page<Post> = try await board.get("/v1/threads/\(thread.id)/posts")
            #expect(page.items.map(\.id) == [kept.id])
            let threads: Page<BoardThread> = try await board.get("/v1/threads?limit=100")
            #expect(!threads.items.contains { $0.id == own.id })
            #expect(try await board.status("PUT", "/v1/posts/\(posts[1].id)/like", as: fan) == 404)
            let draft = ["title": "持ち主のいないスレッドへの投稿です", "body": "本文です。"]
            #expect(try await board.call("POST", "/v1/threads/\(own.id)/posts", as: fan, draft).status == 404)
            let counts = try await board.call("GET", "/v1/counts?thread=\(own.id)&post=\(posts[0].id)&post=\(guest.id)")
            #expect(counts.text == #"{"posts":[],"threads":[]}"#)

            try await self.expectNothingLeft(of: gone, on: board)
            for image in [cover, photo] {
                try await eventually("the pictures are gone") { try await board.status("GET", image.url) == 404 }
            }
            try await eventually("the counts are right") {
                let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)")
                let post: Post = try await board.get("/v1/posts/\(kept.id)")
                let users = try await [owner, fan].asyncMap { person -> User in
                    try await board.get("/v1/users/\(person.id)")
                }
                return shown.postCount == 1 && shown.likeCount == 2 && post.likeCount == 2
                    && users.map(\.postCount) == [1, 0] && users.map(\.likeCount) == [2, 0]
            }
            try await self.expectEvents(of: gone, own, guest, kept, on: board)
        }

        private func expectEvents(
            of gone: Person,
            _ own: BoardThread,
            _ guest: Post,
            _ kept: Post,
            on board: TestBoard
        ) async throws {
            let threads = try await board.log(ThreadDeleted.self, of: .threads) { $0.authorId == gone.id }
            #expect(threads.map(\.id) == [own.id] && threads[0].reason == .userDeleted)
            try await eventually("the posts in it are gone too") {
                try await board.log(PostDeleted.self, of: .posts) { $0.id == guest.id }.map(\.reason) == [
                    .threadDeleted
                ]
            }
            let posts = try await board.log(PostDeleted.self, of: .posts) { $0.authorId == gone.id }
            #expect(posts.count == 3 && posts.allSatisfy { $0.reason == .userDeleted })
            #expect(Set(posts.map(\.threadPostCount)) == [1, 2, 3])
            let unliked = try await board.log(PostUnliked.self, of: .likes) { $0.userId == gone.id }
            #expect(
                unliked.map(\.postId) == [kept.id] && unliked[0].reason == .userDeleted && unliked[0].likeCount == 2
            )
            let removed = try await board.log(MediaRemoved.self, of: .media) { _ in true }
            #expect(Set(removed.map(\.id)).count == removed.count)
            let deleted = try await board.log(UserDeleted.self, of: .gateway) { $0.id == gone.id }
            #expect(deleted.map(\.version) == [2])
            let created = try await board.log(UserCreated.self, of: .gateway) { $0.id == gone.id }
            #expect(created.map(\.displayName) == [""] && created[0].redacted == true)
        }

        @Test func postsOfOthersStayCountedWhereAuthorsDeleteTheirAccounts() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(5)
            let thread = try await board.openThread(people[0])
            var posts: [[Post]] = []
            for (person, count) in zip(people, [10, 4, 2, 2, 2]) {
                posts.append(try await (0..<count).asyncMap { _ in try await board.post(person, in: thread) })
            }
            for post in posts[0].prefix(3) {
                #expect(try await board.status("DELETE", "/v1/posts/\(post.id)", as: people[0]) == 204)
            }
            for post in posts[0].prefix(2) {
                #expect(try await board.status("DELETE", "/v1/posts/\(post.id)", as: people[0]) == 404)
            }
            for person in people[3...] { try await self.delete(person, on: board) }
            try await eventually("13 are left everywhere") {
                let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)")
                let counts = try await board.call("GET", "/v1/counts?thread=\(thread.id)")
                let list: Page<Post> = try await board.get("/v1/threads/\(thread.id)/posts?limit=100")
                let stored: [Int] = try await board.query(
                    .gateway,
                    "select post_count from thread_counts where id = $1",
                    thread.id
                )
                return shown.postCount == 13 && counts.text.contains(#""postCount":13"#) && list.items.count == 13
                    && stored == [13]
            }
        }

        @Test func tokensStopWorkingAtOnceAtEveryGatewayAndTheDeviceIsANewUserThen() async throws {
            let board = try await TestBoard.shared()
            let other = try board.anotherGateway()
            try other.start()
            try await eventually("the second gateway is ready") {
                try await board.send("GET", other.address + "/readyz").status == 200
            }
            let device = ["deviceId": UUID().uuidString, "displayName": "ハナ"]
            let key = UUID().uuidString
            let session = try await board.call("POST", "/v1/users", device, key: key).value(201, as: Session.self)
            let person = Person(id: session.user.id, name: "", token: session.token)
            let renewed = try await board.call("POST", "/v1/users/me/token", as: person).value(201, as: Session.self)
            let second = Person(id: person.id, name: "", token: renewed.token)
            let post = try await board.post(person, in: try await board.openThread(try await board.signUp()))
            for gateway in [board.gateway, other] {
                let me: User = try await board.get("/v1/users/me", as: person, at: gateway)
                #expect(me.id == person.id)
            }
            try await self.delete(person, on: board)
            for token in [person, second] {
                for (method, path) in [
                    ("GET", "/v1/users/me"), ("GET", "/v1/threads"), ("PUT", "/v1/posts/\(post.id)/like"),
                    ("POST", "/v1/users/me/token"), ("DELETE", "/v1/users/me"),
                ] { #expect(try await board.status(method, path, as: token) == 401, "\(method) \(path)") }
                try await eventually("the other gateway refuses it too") {
                    try await board.call("GET", "/v1/threads", as: token, at: other).status == 401
                }
            }
            for path in ["/v1/posts/\(post.id)", "/v1/users/\(person.id)"] {
                try await eventually("the other gateway hides \(path)") {
                    try await board.call("GET", path, at: other).status == 404
                }
            }
            // A repeat of the first request asks for somebody who is gone; a new one makes somebody new.
            #expect(try await board.call("POST", "/v1/users", device, key: key).status == 404)
            let anew = try await board.call("POST", "/v1/users", device).value(201, as: Session.self)
            #expect(anew.user.id != person.id && anew.user.postCount == 0)
            await other.stop()
        }

        @Test func nothingSurvivesThatIsWrittenWhileTheAccountGoes() async throws {
            let board = try await TestBoard.shared()
            let owner = try await board.signUp()
            let thread = try await board.openThread(owner)
            let liked = try await (0..<10).asyncMap { _ in try await board.post(owner, in: thread) }
            for _ in 0..<3 {
                let person = try await board.signUp()
                let statuses = try await inParallel(60, width: 60) { index in
                    switch index % 5 {
                    case 0 where index == 30:
                        try await board.send("DELETE", board.gateway.address + "/v1/users/me", Asking(person: person))
                    case 0:
                        try await board.call("POST", "/v1/threads", as: person, ["title": "題名\(index)"])
                    case 1:
                        try await board.call("PUT", "/v1/posts/\(liked[index % 10].id)/like", as: person)
                    case 2:
                        try await board.call(
                            "POST",
                            "/v1/media",
                            as: person,
                            body: Pictures.jpeg,
                            headers: ["Content-Type": "image/jpeg"]
                        )
                    default:
                        try await board.call(
                            "POST",
                            "/v1/threads/\(thread.id)/posts",
                            as: person,
                            ["title": "急いで書いている投稿の題名です \(index)", "body": "本文です。"]
                        )
                    }
                }.map(\.status)
                #expect(statuses[30] == 204)
                #expect(Set(statuses).isSubset(of: [200, 201, 204, 401, 404]), "\(Set(statuses))")
                try await self.expectNothingLeft(of: person, on: board)
            }
            try await eventually("the counts are what is there") {
                let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)")
                return shown.postCount == 10 && shown.likeCount == 0
            }
            let likes: [Int] = try await board.query(
                .likes,
                "select like_count from known_posts where id = any($1)",
                liked.map(\.id)
            )
            #expect(likes == Array(repeating: 0, count: 10))
        }

        @Test func whatAServiceMissedWhileItWasDownGoesWhenItIsBack() async throws {
            let board = try await TestBoard.start()
            let person = try await board.signUp()
            let owner = try await board.signUp()
            let thread = try await board.openThread(owner)
            let kept = try await board.post(owner, in: thread)
            _ = try await board.post(person, in: thread)
            try await board.like(kept, person)
            for part in [Part.posts, .likes] { await board.part(part).stop() }
            try await self.delete(person, on: board)
            for part in [Part.posts, .likes] { try board.part(part).start() }
            try await board.isReady()
            try await self.expectNothingLeft(of: person, on: board)
            // The same news again has nothing more to say.
            try await board.replay(try await board.published(by: .gateway).filter { $0.type == UserDeleted.type })
            try await eventually("the counts are right") {
                let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)")
                return shown.postCount == 1 && shown.likeCount == 0
            }
            #expect(try await board.log(PostUnliked.self, of: .likes) { $0.userId == person.id }.count == 1)
            #expect(try await board.log(PostDeleted.self, of: .posts) { $0.authorId == person.id }.count == 1)
            await board.stop()
        }

        @Test func whatServicesMissedGoesAlsoWhereTheUsersLogHasBegunAnotherLifeMeanwhile() async throws {
            let board = try await TestBoard.start()
            let people = try await board.signUp(2)
            let (person, owner) = (people[0], people[1])
            let own = try await board.openThread(person, image: try await board.upload(person).id)
            let thread = try await board.openThread(owner)
            let kept = try await board.post(owner, in: thread)
            for thread in [own, thread] { _ = try await board.post(person, in: thread) }
            try await board.like(kept, person)
            let parts = [Part.threads, .posts, .likes, .media]
            for part in parts { await board.part(part).stop() }
            try await self.delete(person, on: board)
            _ = try await board.gateway.host.database.transaction { try EventLog.beginNewEpoch(in: $0) }
            for part in parts { try board.part(part).start() }
            try await board.isReady()
            for part in parts {
                try await eventually("\(part.name) has heard of it") {
                    try await self.count(part, "deleted_users where user_id", person.id, on: board) == 1
                }
                #expect(try await self.count(part, "deleted_users where user_id", owner.id, on: board) == 0)
            }
            try await self.expectNothingLeft(of: person, on: board)
            try await eventually("what others have stays, and is counted") {
                let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)")
                return shown.postCount == 1 && shown.likeCount == 0
            }
            await board.stop()
        }
    }
}
