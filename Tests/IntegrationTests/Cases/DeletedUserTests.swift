import Events
import Foundation
import HTTP
import KeijibanAPI
import Peers
import Postgres
import ServiceHost
import TestSupport
import Testing

extension IntegrationTests {
    /// What the services themselves make of users who are gone, whatever gateway asks them.
    @Suite(.serialized, .timeLimit(.minutes(3)))
    struct DeletedUserTests {
        /// Sends a write straight to a service, as a gateway would that has not heard of the deletion.
        private func write(
            _ part: Part,
            as person: Person,
            in thread: BoardThread,
            liking post: Post,
            on board: TestBoard
        ) async throws -> Int {
            let headers: Headers = [InternalAccess.header: TestBoard.secret]
            let address = board.part(part).address
            var asking = Asking(person: person, headers: headers)
            switch part.name {
            case "threads":
                asking.json = ["title": "題名"]
                return try await board.send("POST", address + "/internal/threads", asking).status
            case "posts":
                asking.json = ["title": "ゲートウェイを通らない投稿です \(UUID().uuidString.prefix(8))", "body": "本文です。"]
                return try await board.send("POST", address + "/internal/threads/\(thread.id)/posts", asking).status
            case "media":
                asking.body = Pictures.jpeg
                asking.headers["Content-Type"] = "image/jpeg"
                return try await board.send("POST", address + "/internal/media", asking).status
            default:
                let isLiked = Bool.random()
                asking.body = try JSON.encode([
                    LikeWish(postId: post.id, token: person.token, isLiked: isLiked, traceparent: nil)
                ])
                let answer = try await board.send("POST", address + "/internal/likes", asking)
                let result = try answer.value(200, as: [LikeResult].self)[0]
                return result.refusal == .unauthorized ? 401 : result.like == nil ? 500 : 201
            }
        }

        private func expectNothingLeft(of person: Person, on board: TestBoard) async throws {
            for (part, rows) in [
                (Part.threads, "threads where deleted_at is null and author_id"), (.posts, "posts where author_id"),
                (.likes, "likes where user_id"), (.media, "media where owner_id"),
            ] {
                try await eventually("\(part.name) is done") {
                    let sql =
                        "select (select count(*) from \(rows) = $1) + (select count(*) from pending_cascades where id = $1)"
                    return try await board.query(part, sql, person.id) == [0]
                }
            }
        }

        @Test func servicesTakeNothingFromADeletedUserAndWhatTheyTookBeforeTheyKnewGoes() async throws {
            let board = try await TestBoard.shared()
            let owner = try await board.signUp()
            let thread = try await board.openThread(owner)
            let liked = try await board.post(owner, in: thread)
            let parts = [Part.threads, .posts, .likes, .media]
            for _ in 0..<3 {
                let person = try await board.signUp()
                let begun = Flag()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for part in parts {
                        group.addTask {
                            var taken = 0
                            while true {
                                let status = try await self.write(
                                    part,
                                    as: person,
                                    in: thread,
                                    liking: liked,
                                    on: board
                                )
                                if status == 401 { break }
                                #expect(status == 201)
                                taken += 1
                                if taken == 5 && part.name == "posts" { begun.raise() }
                            }
                            #expect(taken > 0, "\(part.name)")
                        }
                    }
                    group.addTask {
                        try await eventually("some is written") { begun.isUp }
                        #expect(try await board.status("DELETE", "/v1/users/me", as: person) == 204)
                    }
                    try await group.waitForAll()
                }
                try await self.expectNothingLeft(of: person, on: board)
                for part in parts {
                    let late = try await self.write(part, as: person, in: thread, liking: liked, on: board)
                    #expect(late == 401, "\(part.name)")
                }
            }
            try await eventually("the counts are what is there") {
                let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)")
                let post: Post = try await board.get("/v1/posts/\(liked.id)")
                return shown.postCount == 1 && shown.likeCount == 0 && post.likeCount == 0
            }
        }

        @Test func badgesListsAndTablesAgreeWhereLikersDeleteTheirAccounts() async throws {
            let board = try await TestBoard.shared()
            let owner = try await board.signUp()
            let thread = try await board.openThread(owner)
            let posts = try await (0..<5).asyncMap { _ in try await board.post(owner, in: thread) }
            let people = try await board.signUp(20)
            let statuses = try await inParallel(600, width: 50) { index in
                let person = people[index % 20]
                if index >= 300, index < 304 { return try await board.status("DELETE", "/v1/users/me", as: person) }
                let path = "/v1/posts/\(posts[(index * 7) % 5].id)/like"
                return try await board.status(index % 3 == 0 ? "DELETE" : "PUT", path, as: person)
            }
            #expect(statuses[300..<304].allSatisfy { $0 == 204 })
            #expect(Set(statuses).isSubset(of: [200, 204, 401]), "\(Set(statuses))")
            for person in people[0..<4] { try await self.expectNothingLeft(of: person, on: board) }
            for post in posts {
                let rows: Int = try await board.query(.likes, "select count(*) from likes where post_id = $1", post.id)[
                    0
                ]
                let total: [Int] = try await board.query(
                    .likes,
                    "select like_count from known_posts where id = $1",
                    post.id
                )
                #expect(total == [rows] && rows <= 16)
                try await eventually("the badge says \(rows)") {
                    let shown: Post = try await board.get("/v1/posts/\(post.id)")
                    let stored: [Int] = try await board.query(
                        .gateway,
                        "select like_count from post_counts where id = $1",
                        post.id
                    )
                    return shown.likeCount == rows && stored == [rows]
                }
            }
            let all: [Int] = try await board.query(
                .likes,
                "select count(*) from likes where post_id = any($1)",
                posts.map(\.id)
            )
            let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)")
            let user: User = try await board.get("/v1/users/\(owner.id)")
            #expect(shown.likeCount == all[0] && user.likeCount == all[0])
        }

        @Test func anotherLifeOfTheUsersLogDeletesNothingAndForgetsNoDeletion() async throws {
            let board = try await TestBoard.start()
            let person = try await board.signUp("のこる人")
            let gone = try await board.signUp()
            let thread = try await board.openThread(person)
            let post = try await board.post(person, in: thread)
            #expect(try await board.status("DELETE", "/v1/users/me", as: gone) == 204)
            for part in [Part.threads, .posts, .likes, .media] {
                try await eventually("\(part.name) knows") {
                    try await board.query(part, "select count(*) from deleted_users where user_id = $1", gone.id) == [1]
                }
            }
            let epochs = try await board.gateway.host.database.transaction { try EventLog.beginNewEpoch(in: $0) }
            let epoch = try #require(epochs[Topic.users])
            for part in [Part.threads, .posts, .likes, .media] {
                try await eventually("\(part.name) has started over") {
                    let sql = "select count(*) from positions where topic = $1 and epoch = $2"
                    return try await board.query(part, sql, Topic.users, epoch) == [12]
                }
                let late = try await self.write(part, as: gone, in: thread, liking: post, on: board)
                #expect(late == 401, "\(part.name)")
                let now = try await self.write(part, as: person, in: thread, liking: post, on: board)
                #expect(now == 201, "\(part.name)")
            }
            let shown: Post = try await board.get("/v1/posts/\(post.id)")
            #expect(shown.author.displayName == "のこる人")
            let answer = try await board.call("PATCH", "/v1/users/me", as: person, ["displayName": "次の名前"])
            #expect(answer.status == 200)
            let renamed: Post = try await board.get("/v1/posts/\(post.id)")
            #expect(renamed.author.displayName == "次の名前")
            await board.stop()
        }
    }
}
