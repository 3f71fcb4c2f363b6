import Foundation
import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct IdempotencyTests {
        private static let draft = ["title": "応答が届かなかった投稿のやり直し", "body": "本文です。"]

        @Test func aRetryAfterALostAnswerHasOneEffectAtAnyGateway() async throws {
            let board = try await TestBoard.shared()
            let author = try await board.signUp()
            let thread = try await board.openThread(author)
            let path = "/v1/threads/\(thread.id)/posts"
            let key = UUID().uuidString
            // The request arrives; its answer reaches nobody.
            let request = try LostAnswer(
                "POST",
                path,
                to: board.gateway.port,
                headers: ["Authorization": "Bearer \(author.token)", "Idempotency-Key": key],
                body: try TestBoard.encode(Self.draft)
            )
            try await eventually("the post is stored") {
                try await board.query(.posts, "select count(*) from posts where thread_id = $1", thread.id) == [1]
            }
            request.hangUp()

            let another = try board.anotherGateway()
            try another.start()
            await board.gateway.stop()
            try board.gateway.start()
            var locations: Set<String> = []
            for gateway in [board.gateway, another, board.gateway] {
                let answer = try await board.call("POST", path, as: author, Self.draft, key: key, at: gateway)
                let post = try answer.value(201, as: Post.self)
                #expect(answer.headers["Idempotent-Replay"] == "true")
                #expect(answer.headers["Location"] == "/v1/posts/\(post.id)")
                #expect(post.body == Self.draft["body"] && post.author.id == author.id)
                locations.insert(answer.headers["Location"] ?? "")
            }
            #expect(locations.count == 1)
            let rows: [Int] = try await board.query(
                .posts,
                "select count(*) from posts where thread_id = $1",
                thread.id
            )
            #expect(rows == [1])
            let events = try await board.log(PostCreated.self, of: .posts) { $0.threadId == thread.id }
            #expect(events.count == 1)
            await another.stop()
            try await board.isReady()
        }

        @Test func everyCreationHasOneEffectAKey() async throws {
            let board = try await TestBoard.shared()
            let device = UUID().uuidString
            let keys = (0..<3).map { _ in UUID().uuidString }
            var sessions: [Session] = []
            for _ in 0..<2 {
                let answer = try await board.call("POST", "/v1/users", ["deviceId": device], key: keys[0])
                sessions.append(try answer.value(201))
            }
            #expect(sessions[0].user.id == sessions[1].user.id)
            let author = Person(id: sessions[0].user.id, name: "", token: sessions[1].token)
            let threads = try await (0..<2).asyncMap { _ in
                try await board.call("POST", "/v1/threads", as: author, ["title": "題名"], key: keys[1])
            }
            #expect(Set(try threads.map { try $0.value(201, as: BoardThread.self).id }).count == 1)
            #expect(threads.map { $0.headers["Idempotent-Replay"] } == [nil, "true"])
            #expect(threads[0].headers["Location"] == threads[1].headers["Location"])
            let images = try await (0..<2).asyncMap { _ in
                let headers: Headers = ["Content-Type": "image/jpeg"]
                return try await board.call(
                    "POST",
                    "/v1/media",
                    as: author,
                    body: Pictures.jpeg,
                    headers: headers,
                    key: keys[2]
                )
            }
            #expect(Set(try images.map { try $0.value(201, as: Image.self).id }).count == 1)
            #expect(images.map { $0.headers["Idempotent-Replay"] } == [nil, "true"])
            #expect(images[0].headers["Location"] == images[1].headers["Location"])
        }

        @Test func aKeyBelongsToItsUserPathAndBody() async throws {
            let board = try await TestBoard.shared()
            let author = try await board.signUp()
            let other = try await board.signUp()
            let thread = try await board.openThread(author)
            let path = "/v1/threads/\(thread.id)/posts"
            let key = UUID().uuidString
            let first = try await board.call("POST", path, as: author, Self.draft, key: key).value(201, as: Post.self)

            let changed = ["title": "同じ鍵で題名だけを変えてみました", "body": "本文です。"]
            let reused = try await board.call("POST", path, as: author, changed, key: key)
            #expect(reused.status == 422 && reused.problem == "idempotency-key-reused")

            let others = try await board.call("POST", path, as: other, Self.draft, key: key)
            #expect(try others.value(201, as: Post.self).id != first.id)
            #expect(others.headers["Idempotent-Replay"] == nil)

            let elsewhere = try await board.call("POST", "/v1/threads", as: author, ["title": "別の道"], key: key)
            #expect(elsewhere.status == 201 && elsewhere.headers["Idempotent-Replay"] == nil)

            // Once what it made is gone, so is the answer.
            #expect(try await board.status("DELETE", "/v1/posts/\(first.id)", as: author) == 204)
            #expect(try await board.call("POST", path, as: author, Self.draft, key: key).status == 404)
        }

        @Test func whileTheFirstIsUnderWayARepeatIsAConflict() async throws {
            let board = try await TestBoard.shared()
            let author = try await board.signUp()
            let thread = try await board.openThread(author)
            let path = "/v1/threads/\(thread.id)/posts"
            let key = UUID().uuidString
            let answers = try await inParallel(20) { _ in
                try await board.call("POST", path, as: author, Self.draft, key: key)
            }
            for answer in answers where answer.status != 201 {
                #expect(answer.status == 409 && answer.problem == "conflict", "\(answer.text)")
                #expect(answer.headers["Retry-After"] != nil)
            }
            let made = answers.filter { $0.status == 201 }
            #expect(made.filter { $0.headers["Idempotent-Replay"] == nil }.count == 1)
            #expect(Set(made.compactMap { $0.headers["Location"] }).count == 1)
            let rows: [Int] = try await board.query(
                .posts,
                "select count(*) from posts where thread_id = $1",
                thread.id
            )
            #expect(rows == [1])
        }

        @Test func aKeyWhoseRequestFailedIsStillGood() async throws {
            let board = try await TestBoard.shared()
            let author = try await board.signUp()
            let thread = try await board.openThread(author)
            let path = "/v1/threads/\(thread.id)/posts"
            let key = UUID().uuidString
            let short = ["title": "短い", "body": "本文です。"]
            #expect(try await board.call("POST", path, as: author, short, key: key).status == 422)
            let made = try await board.call("POST", path, as: author, Self.draft, key: key)
            #expect(made.status == 201 && made.headers["Idempotent-Replay"] == nil)

            // A service that is away answers 503, which is not remembered either.
            let next = ["title": "投稿サービスが止まっていたときの投稿", "body": "本文です。"]
            let later = UUID().uuidString
            await board.part(.posts).stop()
            let asking = Asking(person: author, json: next, key: later)
            let refused = try await board.send("POST", board.gateway.address + path, asking)
            #expect(refused.status == 503 && refused.problem == "unavailable" && refused.headers["Retry-After"] != nil)
            try board.part(.posts).start()
            let accepted = try await board.call("POST", path, as: author, next, key: later)
            #expect(accepted.status == 201 && accepted.headers["Idempotent-Replay"] == nil)
            let rows: [Int] = try await board.query(
                .posts,
                "select count(*) from posts where thread_id = $1",
                thread.id
            )
            #expect(rows == [2])
            try await board.isReady()
        }
    }
}
