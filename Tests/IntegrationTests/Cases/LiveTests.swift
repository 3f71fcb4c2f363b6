import Foundation
import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    /// What those who listen are told.
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct LiveTests {
        private struct Counts: Decodable {
            struct Thread: Decodable {
                let id: ID
                let postCount: Int
                let likeCount: Int
            }

            struct Post: Decodable {
                let id: ID
                let threadId: ID
                let likeCount: Int
            }

            let threads: [Thread]
            let posts: [Post]
        }

        private struct Gone: Decodable {
            let id: ID
            let threadId: ID?
        }

        private struct Open: Decodable { let position: String }

        @Test func twoClientsHearOfAThreadAndNobodyElseDoes() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let (thread, other) = (try await board.openThread(person), try await board.openThread(person))
            let listeners = [Listener(board, threads: [thread.id]), Listener(board, threads: [thread.id, other.id])]
            let stranger = Listener(board, threads: [.random()])
            for listener in listeners + [stranger] {
                let open = try await listener.hears("open")
                #expect(try open.value(as: Open.self).position.isEmpty == false)
                #expect(listener.events.first?.name == "open" && listener.text.hasPrefix("retry: "))
                #expect(listener.headers["Content-Type"] == "text/event-stream")
                #expect(
                    listener.headers["Cache-Control"] == "no-store" && listener.headers["X-Accel-Buffering"] == "no"
                )
            }
            let post = try await board.post(person, in: thread)
            try await board.like(post, person)
            _ = try await board.post(person, in: other)
            for listener in listeners {
                let created = try await listener.hears("post.created").value(as: Post.self)
                #expect(created.id == post.id && created.body == post.body && created.threadTitle == thread.title)
                #expect(created.author.displayName == person.name && created.likedByMe == false && !created.canDelete)
                try await listener.hears("counts") { event in
                    let counts = try event.value(as: Counts.self)
                    return counts.posts.contains { $0.id == post.id && $0.threadId == thread.id && $0.likeCount == 1 }
                        && counts.threads.contains { $0.id == thread.id && $0.postCount == 1 && $0.likeCount == 1 }
                }
            }
            #expect(try await board.status("DELETE", "/v1/posts/\(post.id)", as: person) == 204)
            #expect(try await board.status("DELETE", "/v1/threads/\(thread.id)", as: person) == 204)
            for listener in listeners {
                let gone = try await listener.hears("post.deleted").value(as: Gone.self)
                #expect(gone.id == post.id && gone.threadId == thread.id)
                #expect(try await listener.hears("thread.deleted").value(as: Gone.self).id == thread.id)
                #expect(Set(listener.events.map(\.id)).count == listener.events.count)
            }
            #expect(stranger.events.map(\.name) == ["open"])
            let inOther = try listeners[0].events("counts").flatMap { try $0.value(as: Counts.self).threads.map(\.id) }
            #expect(!inOther.contains(other.id))
        }

        @Test func theListHearsOfThreadsAndTheirCounts() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let listener = Listener(board)
            try await listener.hears("open")
            let thread = try await board.openThread(person, "新しい話題")
            let created = try await listener.hears("thread.created") { $0.data.contains("\(thread.id)") }
            #expect(try created.value(as: BoardThread.self).title == "新しい話題")
            _ = try await board.post(person, in: thread)
            let counts = try await listener.hears("counts") { $0.data.contains("\(thread.id)") }.value(as: Counts.self)
            #expect(counts.posts.isEmpty && counts.threads.first { $0.id == thread.id }?.postCount == 1)
            #expect(try await board.status("DELETE", "/v1/threads/\(thread.id)", as: person) == 204)
            try await listener.hears("thread.deleted") { $0.data.contains("\(thread.id)") }
            #expect(listener.events("post.created").isEmpty)
        }

        @Test func manyLikesAreFewEventsWithAbsoluteCounts() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(60)
            let thread = try await board.openThread(people[0])
            let post = try await board.post(people[0], in: thread)
            let listener = Listener(board, threads: [thread.id])
            try await listener.hears("open")
            _ = try await inParallel(people.count, width: 20) { try await board.like(post, people[$0]) }
            try await listener.hears("counts") { event in
                try event.value(as: Counts.self).posts.contains { $0.id == post.id && $0.likeCount == 60 }
            }
            let totals = try listener.events("counts").flatMap { event in
                try event.value(as: Counts.self).posts.filter { $0.id == post.id }.map(\.likeCount)
            }
            #expect(totals == totals.sorted() && totals.count < 60 && Set(totals).isSubset(of: Set(0...60)))
        }

        @Test func theHeadOfAStreamSaysNoLengthAndListensToNothing() async throws {
            let board = try await TestBoard.shared()
            let answer = try await board.call("HEAD", "/v1/live")
            #expect(answer.status == 200 && answer.headers["Content-Type"] == "text/event-stream")
            #expect(answer.headers["Content-Length"] == nil && answer.body.isEmpty)
        }

        @Test func whoComesBackHearsWhatWasMissed() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let first = Listener(board, threads: [thread.id])
            let open = try await first.hears("open")
            first.stop()
            await first.ended()
            let missed = try await board.post(person, in: thread)
            let second = Listener(board, threads: [thread.id], after: open.id)
            let event = try await second.hears("post.created")
            #expect(try event.value(as: Post.self).id == missed.id)
            #expect(second.events("reset").isEmpty && second.events.first?.name == "open")

            let third = Listener(board, threads: [thread.id], after: event.id)
            try await third.hears("open")
            let later = try await board.post(person, in: thread)
            try await third.hears("post.created") { try $0.value(as: Post.self).id == later.id }
            #expect(third.events("post.created").count == 1 && third.events("reset").isEmpty)
        }

        @Test(arguments: ["0a1b2c3d-17", "nonsense"])
        func whoCameFromAnotherLifeStartsAnew(_ id: String) async throws {
            let board = try await TestBoard.shared()
            let listener = Listener(board, after: id)
            try await listener.hears("reset")
            #expect(listener.events.prefix(2).map(\.name) == ["open", "reset"])
        }

        /// A client that subscribes and then reads with the position it was given lacks nothing.
        @Test func thePositionOfOpenIsOneToReadWith() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let post = try await board.post(person, in: thread)
            try await eventually("the gateway knows it") {
                let known: BoardThread = try await board.get("/v1/threads/\(thread.id)", as: person)
                return known.postCount == 1
            }
            let open = try await Listener(board, threads: [thread.id]).hears("open").value(as: Open.self)
            #expect(open.position.utf8.count < 512)
            let other = try board.anotherGateway()
            try other.start()
            try await eventually("it is ready") {
                try await board.send("GET", other.address + "/readyz").status == 200
            }
            let read = try await board.call(
                "GET",
                "/v1/threads/\(thread.id)/posts",
                headers: ["Keijiban-Position": open.position],
                at: other
            )
            let page = try read.value(200, as: Page<Post>.self)
            #expect(page.items.map(\.id) == [post.id])
            await other.stop()
        }

        @Test func aStopEndsStreamsAtOnce() async throws {
            let board = try await TestBoard.shared()
            let other = try board.anotherGateway()
            try other.start()
            try await eventually("it is ready") { try await board.send("GET", other.address + "/readyz").status == 200 }
            let listeners = (0..<50).map { _ in Listener(board, at: other) }
            for listener in listeners { try await listener.hears("open") }
            await other.stop()
            for listener in listeners { await listener.ended() }
            #expect(listeners.allSatisfy { $0.status == 200 })
        }

        @Test func whatIsNotRightIs400And406() async throws {
            let board = try await TestBoard.shared()
            let many = (0..<51).map { _ in "thread=\(ID.random())" }.joined(separator: "&")
            for query in ["thread=nonsense", many, "threads=\(ID.random())"] {
                let answer = try await board.call("GET", "/v1/live?\(query)")
                #expect(answer.status == 400 && answer.problem == "malformed-request", "\(query)")
            }
            #expect(try await board.call("GET", "/v1/live?thread=nonsense").text.contains("nonsense"))
            #expect(try await board.call("GET", "/v1/live", headers: ["Accept": "text/html"]).status == 406)
            #expect(try await board.call("GET", "/v1/live", headers: ["Authorization": "Bearer x"]).status == 401)
            #expect(try await board.status("HEAD", "/v1/live") == 200)
        }
    }
}
