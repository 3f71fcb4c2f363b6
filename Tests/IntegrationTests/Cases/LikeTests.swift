import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct LikeTests {
        /// The totals that people can see, and the rows that they stand for.
        private func expectCount(_ count: Int, of post: Post, on board: TestBoard) async throws {
            let rows: [Int] = try await board.query(.likes, "select count(*) from likes where post_id = $1", post.id)
            let kept: [Int] = try await board.query(.likes, "select like_count from known_posts where id = $1", post.id)
            #expect(rows == [count])
            #expect(kept == [count])
            try await eventually("the gateway shows \(count) likes") {
                let shown: Post = try await board.get("/v1/posts/\(post.id)")
                return shown.likeCount == count
            }
            let thread: BoardThread = try await board.get("/v1/threads/\(post.threadId)")
            #expect(thread.likeCount == count)
            let author: User = try await board.get("/v1/users/\(post.author.id)")
            #expect(author.likeCount == count)
        }

        @Test func aHundredLikesLessThirtyTakenBackAreSeventyEverywhere() async throws {
            let board = try await TestBoard.shared()
            let author = try await board.signUp()
            let post = try await board.post(author, in: try await board.openThread(author))
            let people = try await board.signUp(100)
            let likes = try await inParallel(100) { try await board.like(post, people[$0]) }
            let unlikes = try await inParallel(30) { try await board.unlike(post, people[$0]) }
            #expect((likes + unlikes).allSatisfy { (0...100).contains($0.likeCount) })
            #expect(Set(likes.map(\.likeCount)) == Set(1...100))
            try await self.expectCount(70, of: post, on: board)
            let liked = try await board.log(PostLiked.self, of: .likes) { $0.postId == post.id }
            let unliked = try await board.log(PostUnliked.self, of: .likes) { $0.postId == post.id }
            #expect(liked.map(\.likeCount) == Array(1...100))
            #expect(unliked.map(\.likeCount) == Array((70...99).reversed()))
        }

        @Test func twentyLikesOfOnePersonAtOnceAreOne() async throws {
            let board = try await TestBoard.shared()
            let author = try await board.signUp()
            let post = try await board.post(author, in: try await board.openThread(author))
            let answers = try await inParallel(20) { _ in try await board.like(post, author) }
            #expect(answers.allSatisfy { $0.liked && $0.likeCount == 1 })
            try await self.expectCount(1, of: post, on: board)
            let published = try await board.published(by: .likes).filter { $0.subject == "\(post.id)" }
            #expect(published.map(\.type) == [PostLiked.type])
        }

        @Test func takingBackWhatWasNeverLikedChangesNothing() async throws {
            let board = try await TestBoard.shared()
            let author = try await board.signUp()
            let other = try await board.signUp()
            let post = try await board.post(author, in: try await board.openThread(author))
            let answers = try await inParallel(11) {
                $0 == 5 ? try await board.like(post, other) : try await board.unlike(post, author)
            }
            #expect(answers.allSatisfy { (0...1).contains($0.likeCount) })
            try await self.expectCount(1, of: post, on: board)
        }

        @Test func likingAgainInAStaleTabStaysOne() async throws {
            let board = try await TestBoard.shared()
            let author = try await board.signUp()
            let post = try await board.post(author, in: try await board.openThread(author))
            try await board.like(post, author)
            let reloaded: Post = try await board.get("/v1/posts/\(post.id)", as: author)
            #expect(reloaded.likeCount == 1 && reloaded.likedByMe == true)
            let again = try await board.like(post, author)
            #expect(again.liked && again.likeCount == 1)
            try await self.expectCount(1, of: post, on: board)
        }

        @Test func aLikeCanBeGivenAgainAfterItWasTakenBack() async throws {
            let board = try await TestBoard.shared()
            let author = try await board.signUp()
            let post = try await board.post(author, in: try await board.openThread(author))
            for round in 0..<5 {
                let answer =
                    round.isMultiple(of: 2) ? try await board.like(post, author) : try await board.unlike(post, author)
                #expect(answer.liked == round.isMultiple(of: 2))
                #expect(answer.likeCount == (round + 1) % 2)
            }
            try await self.expectCount(1, of: post, on: board)
            let shown: Post = try await board.get("/v1/posts/\(post.id)", as: author)
            #expect(shown.likedByMe == true)
        }

        @Test func aLateLikeOfADeletedPostLeavesNothing() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let posts = try await (0..<3).asyncMap { _ in try await board.post(person, in: thread) }
            for post in posts { try await board.like(post, person) }
            let events = try await board.published(by: .likes).filter { $0.subject == "\(posts[0].id)" }
            #expect(events.count == 1)
            #expect(try await board.status("DELETE", "/v1/posts/\(posts[0].id)", as: person) == 204)
            #expect(try await board.status("PUT", "/v1/posts/\(posts[0].id)/like", as: person) == 404)
            let before = try await board.duplicates(of: Topic.likes, at: board.gateway)
            try await board.replay(events)
            try await eventually("the gateway has passed over the late like") {
                try await board.duplicates(of: Topic.likes, at: board.gateway) > before
            }
            try await eventually("its rows are gone") {
                let ids = posts.map(\.id)
                return try await board.query(.likes, "select count(*) from likes where post_id = any($1)", ids) == [2]
            }
            let page: Page<Post> = try await board.get("/v1/threads/\(thread.id)/posts", as: person)
            #expect(page.items.count == 2 && page.items.allSatisfy { $0.likedByMe == true && $0.likeCount == 1 })
            let shown: BoardThread = try await board.get("/v1/threads/\(thread.id)", as: person)
            #expect(shown.likeCount == 2)
            let me: User = try await board.get("/v1/users/me", as: person)
            #expect(me.likeCount == 2)
        }

        @Test func fourThousandPeopleLikeOnePostAndNoLikeIsLost() async throws {
            let board = try await TestBoard.shared()
            let author = try await board.signUp()
            let post = try await board.post(author, in: try await board.openThread(author))
            let people = try await board.signUp(4_000)
            let statuses = try await inParallel(4_000) {
                try await board.send(
                    "PUT",
                    board.gateway.address + "/v1/posts/\(post.id)/like",
                    Asking(person: people[$0])
                ).status
            }
            #expect(statuses.allSatisfy { $0 == 200 })
            try await self.expectCount(4_000, of: post, on: board)
        }
    }
}
