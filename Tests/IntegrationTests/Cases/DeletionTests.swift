import Crypto
import Events
import HTTP
import Kafka
import KeijibanAPI
import Peers
import Postgres
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct DeletionTests {
        @Test func aDeletedThreadTakesItsPostsLikesAndPicturesAlong() async throws {
            let board = try await TestBoard.shared()
            let owner = try await board.signUp()
            let others = try await board.signUp(2)
            let cover = try await board.upload(owner)
            let photo = try await board.upload(others[0])
            let thread = try await board.openThread(owner, image: cover.id)
            var posts: [Post] = []
            for (person, image) in [(owner, nil), (others[0], photo.id), (others[1], nil)] {
                posts.append(try await board.post(person, in: thread, image: image))
            }
            for (post, person) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)] {
                try await board.like(posts[post], others[person])
            }
            #expect(try await board.status("DELETE", "/v1/threads/\(thread.id)", as: owner) == 204)

            try await self.expectGone(thread, posts, [cover, photo], of: [owner] + others, on: board)
            try await eventually("its likes are gone") {
                let ids = posts.map(\.id)
                return try await board.query(.likes, "select count(*) from likes where post_id = any($1)", ids) == [0]
            }

            // The events once more change nothing.
            let events = try await board.published(by: .threads).filter { $0.subject == "\(thread.id)" }
            let deletions = try await board.published(by: .posts).filter {
                $0.type == PostDeleted.type && $0.text(of: "ce_partitionkey") == "\(thread.id)"
            }
            #expect(deletions.count == 3)
            try await self.replay(events + deletions, on: board)
            try await self.expectGone(thread, posts, [cover, photo], of: [owner] + others, on: board)
            let again = try await board.log(PostDeleted.self, of: .posts) { $0.threadId == thread.id }
            #expect(again.count == 3)
            #expect(again.allSatisfy { $0.reason == .threadDeleted })
            #expect(Set(again.map(\.threadPostCount)) == [0, 1, 2])
        }

        private func expectGone(
            _ thread: BoardThread,
            _ posts: [Post],
            _ images: [Image],
            of people: [Person],
            on board: TestBoard
        ) async throws {
            let paths =
                ["/v1/threads/\(thread.id)", "/v1/threads/\(thread.id)/posts"] + posts.map { "/v1/posts/\($0.id)" }
                + images.flatMap { [$0.url, $0.displayUrl, $0.thumbnailUrl] }
            for path in paths {
                try await eventually("\(path) is gone") { try await board.status("GET", path) == 404 }
            }
            for person in people {
                try await eventually("\(person.id) has no counts left") {
                    let user: User = try await board.get("/v1/users/\(person.id)")
                    return user.postCount == 0 && user.likeCount == 0
                }
            }
            let counts = try await board.call("GET", "/v1/counts?thread=\(thread.id)&post=\(posts[0].id)")
            #expect(counts.text == #"{"threads":[],"posts":[]}"# || counts.text == #"{"posts":[],"threads":[]}"#)
            let page: Page<BoardThread> = try await board.get("/v1/threads?limit=100")
            #expect(!page.items.contains { $0.id == thread.id })
            #expect(try await board.status("PUT", "/v1/posts/\(posts[0].id)/like", as: people[0]) == 404)
            let draft = ["title": "もうないスレッドへの投稿はできません", "body": "本文です。"]
            #expect(try await board.call("POST", "/v1/threads/\(thread.id)/posts", as: people[0], draft).status == 404)
            try await eventually("nothing is left in the tables") {
                let posts: [Int] = try await board.query(
                    .posts,
                    "select count(*) from posts where thread_id = $1",
                    thread.id
                )
                let pictures: [Int] = try await board.query(
                    .media,
                    "select count(*) from media_bytes where media_id = any($1)",
                    images.map(\.id)
                )
                return posts == [0] && pictures == [0]
            }
        }

        /// Sends records again, and once more where they came before the gateway read the topic, until it has passed over all of them.
        private func replay(_ records: [Record], on board: TestBoard) async throws {
            for (topic, records) in Dictionary(grouping: records, by: \.topic) {
                let wanted = try await board.duplicates(of: topic, at: board.gateway) + records.count
                var polls = 0
                try await eventually("the gateway has seen the \(records.count) copies in \(topic)") {
                    if polls.isMultiple(of: 300) { try await board.replay(records) }
                    polls += 1
                    return try await board.duplicates(of: topic, at: board.gateway) >= wanted
                }
            }
        }

        @Test func aPostDeletedInEveryWayIsSubtractedOnce() async throws {
            let board = try await TestBoard.shared()
            let owner = try await board.signUp()
            let thread = try await board.openThread(owner)
            let other = try await board.openThread(owner)
            let kept = try await board.post(owner, in: other)
            let posts = try await (0..<3).asyncMap { _ in try await board.post(owner, in: thread) }
            func expect(_ threadCount: Int?, _ userCount: Int) async throws {
                try await eventually("\(String(describing: threadCount)) and \(userCount)") {
                    let user: User = try await board.get("/v1/users/\(owner.id)")
                    guard let threadCount else { return user.postCount == userCount }
                    let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)")
                    return shown.postCount == threadCount && user.postCount == userCount
                }
            }
            #expect(try await board.status("DELETE", "/v1/posts/\(posts[0].id)", as: owner) == 204)
            #expect(try await board.status("DELETE", "/v1/posts/\(posts[0].id)", as: owner) == 404)
            try await expect(2, 3)
            let deleted = try await board.published(by: .posts).filter {
                $0.subject == "\(posts[0].id)" && $0.type == PostDeleted.type
            }
            #expect(deleted.count == 1)
            try await self.replay(deleted, on: board)
            try await expect(2, 3)
            #expect(try await board.status("DELETE", "/v1/threads/\(thread.id)", as: owner) == 204)
            try await expect(nil, 1)
            try await self.replay(
                try await board.published(by: .posts).filter { $0.type == PostDeleted.type },
                on: board
            )
            try await expect(nil, 1)
            let shown: BoardThread = try await board.get("/v1/threads/\(other.id)")
            #expect(shown.postCount == 1)
            #expect(try await board.status("GET", "/v1/posts/\(kept.id)") == 200)
            let events = try await board.log(PostDeleted.self, of: .posts) { $0.threadId == thread.id }
            #expect(Set(events.map(\.id)).count == 3 && events.count == 3)
        }

        @Test func whoDoesNotOwnItCannotDeleteItAndNothingChanges() async throws {
            let board = try await TestBoard.shared()
            let owner = try await board.signUp()
            let stranger = try await board.signUp()
            let image = try await board.upload(owner)
            let thread = try await board.openThread(owner, image: image.id)
            let post = try await board.post(owner, in: thread)
            let expired = try await self.expiredToken(of: owner, on: board)
            let heads = try await self.heads(on: board)
            for path in ["/v1/threads/\(thread.id)", "/v1/posts/\(post.id)"] {
                let forbidden = try await board.call("DELETE", path, as: stranger)
                #expect(forbidden.status == 403 && forbidden.problem == "forbidden")
                #expect(try await board.status("DELETE", path) == 401)
                let late = try await board.call("DELETE", path, as: expired)
                #expect(late.status == 401 && late.problem == "unauthorized")
                let forged = Person(id: owner.id, name: "", token: String(owner.token.dropLast(4)) + "AAAA")
                #expect(try await board.status("DELETE", path, as: forged) == 401)
            }
            // A token that is not valid is refused also where none is needed.
            #expect(try await board.status("GET", "/v1/threads", as: expired) == 401)
            #expect(try await board.status("PUT", "/v1/posts/\(post.id)/like", as: expired) == 401)
            #expect(try await self.heads(on: board) == heads)
            let shown: Post = try await board.get("/v1/posts/\(post.id)", as: owner)
            #expect(shown.canDelete && shown.likeCount == 0)
            let seen: Post = try await board.get("/v1/posts/\(post.id)", as: stranger)
            #expect(!seen.canDelete)
            #expect(try await board.status("GET", image.url) == 200)
        }

        /// How many events each log has.
        private func heads(on board: TestBoard) async throws -> [Int] {
            try await [Part.threads, .posts, .media, .likes].asyncMap {
                try await board.query($0, "select count(*) from events")[0]
            }
        }

        /// A token that the gateway signed longer ago than it is good for.
        private func expiredToken(of person: Person, on board: TestBoard) async throws -> Person {
            let kid: [String] = try await board.query(.gateway, "select kid from signing_keys")
            let key: [[UInt8]] = try await board.query(.gateway, "select private_key from signing_keys")
            let signer = TokenSigner(kid: kid[0], key: try Ed25519.PrivateKey(raw: key[0]))
            let issued = Timestamp.now.advanced(by: .zero - TokenSigner.lifetime - .seconds(1))
            return Person(id: person.id, name: "", token: try signer.issue(to: person.id, now: issued).token)
        }
    }
}
