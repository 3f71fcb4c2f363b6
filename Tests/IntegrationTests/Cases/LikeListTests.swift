import Foundation
import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    /// Who likes a post, and what a person likes.
    @Suite(.serialized, .timeLimit(.minutes(3)))
    struct LikeListTests {
        private func likers(of post: Post, limit: Int = 100, on board: TestBoard) async throws -> [Liker] {
            try await board.pages("/v1/posts/\(post.id)/likes", limit: limit).flatMap(\.self)
        }

        @Test func badgeListAndTableAgreeAfterAnyMixOfLikes() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(25)
            let thread = try await board.openThread(people[0])
            let post = try await board.post(people[0], in: thread)
            _ = try await inParallel(500, width: 50) { turn in
                let person = people[Int.random(in: people.indices)]
                return Bool.random() ? try await board.like(post, person) : try await board.unlike(post, person)
            }
            let rows: [ID] = try await board.query(.likes, "select user_id from likes where post_id = $1", post.id)
            let likers = try await self.likers(of: post, limit: 7, on: board)
            #expect(Set(likers.map(\.user.id)) == Set(rows))
            #expect(likers.count == rows.count)
            #expect(likers.allSatisfy { $0.user.displayName == "テスト" })
            try await eventually("the badge says the same") {
                let shown: Post = try await board.get("/v1/posts/\(post.id)")
                return shown.likeCount == rows.count
            }
        }

        @Test func theLatestLikeIsFirstAndLikingAgainIsALaterLike() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(3)
            let post = try await board.post(people[0], in: try await board.openThread(people[0]))
            for person in people { try await board.like(post, person) }
            let before = try await self.likers(of: post, on: board)
            #expect(before.map(\.likedAt) == before.map(\.likedAt).sorted(by: >))
            // A second like changes nothing; one that was taken back is another like.
            try await board.like(post, people[0])
            #expect(try await self.likers(of: post, on: board) == before)
            try await board.unlike(post, people[0])
            try await eventually("a later moment") { Timestamp.now > before[0].likedAt }
            try await board.like(post, people[0])
            let after = try await self.likers(of: post, on: board)
            #expect(after.first?.user.id == people[0].id)
            #expect(after[0].likedAt > before[0].likedAt)
            #expect(Set(after.map(\.user.id)) == Set(people.map(\.id)))
        }

        @Test func pagesShowEachLikeOnceHoweverManyAreOfOneMillisecond() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(60)
            let post = try await board.post(people[0], in: try await board.openThread(people[0]))
            _ = try await inParallel(40) { try await board.like(post, people[$0]) }
            let pages: [[Liker]] = try await board.pages("/v1/posts/\(post.id)/likes", limit: 3) { page in
                // Others like between two pages, and one more is taken back and given again.
                if page <= 20 { try await board.like(post, people[39 + page]) }
            }
            let seen = pages.flatMap(\.self).map(\.user.id)
            #expect(Set(seen).count == seen.count)
            #expect(Set(seen).isSuperset(of: Set(people[..<40].map(\.id))))
            #expect(pages.dropLast().allSatisfy { $0.count == 3 })
        }

        @Test func whatIsGoneIsNotAmongMyLikesAndPagesLeadOnToTheRest() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let other = try await board.openThread(person)
            var posts: [Post] = []
            for index in 0..<9 {
                let post = try await board.post(person, in: index % 3 == 0 ? other : thread)
                try await board.like(post, person)
                posts.append(post)
            }
            #expect(try await board.status("DELETE", "/v1/posts/\(posts[7].id)", as: person) == 204)
            #expect(try await board.status("DELETE", "/v1/threads/\(other.id)", as: person) == 204)
            let left = [8, 5, 4, 2, 1].map { posts[$0].id }
            // Also on the first reading after it, before the likes themselves are deleted, however small the pages are.
            for limit in [1, 2, 100] {
                let mine: [[Post]] = try await board.pages("/v1/users/me/likes", as: person, limit: limit)
                #expect(mine.flatMap(\.self).map(\.id) == left, "limit \(limit)")
                #expect(mine.flatMap(\.self).allSatisfy { $0.likedByMe == true })
            }
            #expect(try await board.status("GET", "/v1/posts/\(posts[7].id)/likes", as: person) == 404)
            #expect(try await board.status("GET", "/v1/posts/\(posts[0].id)/likes", as: person) == 404)
            try await eventually("no row of a like of a post that is gone is left") {
                let rows: [ID] = try await board.query(
                    .likes,
                    "select post_id from likes where user_id = $1",
                    person.id
                )
                return Set(rows) == Set(left)
            }
        }

        @Test func whoDeletedTheirAccountIsNotAmongThoseWhoLikeIt() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(5)
            let post = try await board.post(people[0], in: try await board.openThread(people[0]))
            for person in people { try await board.like(post, person) }
            let answer = try await board.call("DELETE", "/v1/users/me", as: people[3])
            #expect(answer.status == 204)
            let headers: Headers = ["Keijiban-Position": answer.position ?? ""]
            for limit in [1, 100] {
                let pages: [[Liker]] = try await board.pages("/v1/posts/\(post.id)/likes", limit: limit)
                #expect(pages.flatMap(\.self).map(\.user.id) == [4, 2, 1, 0].map { people[$0].id })
            }
            try await eventually("badge and table say the same") {
                let shown: Post = try await board.get("/v1/posts/\(post.id)", headers: headers)
                let rows: [Int] = try await board.query(
                    .likes,
                    "select count(*) from likes where post_id = $1",
                    post.id
                )
                return shown.likeCount == 4 && rows == [4]
            }
            #expect(try await board.status("DELETE", "/v1/users/me", as: people[0]) == 204)
            #expect(try await board.status("GET", "/v1/posts/\(post.id)/likes") == 404)
            #expect(try await board.status("GET", "/v1/posts/\(post.id)/textpack") == 404)
        }

        @Test func aCursorLeadsOnInItsOwnListOnly() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(2)
            let thread = try await board.openThread(people[0])
            let posts = [try await board.post(people[0], in: thread), try await board.post(people[0], in: thread)]
            for post in posts { for person in people { try await board.like(post, person) } }
            let page: Page<Liker> = try await board.get("/v1/posts/\(posts[0].id)/likes?limit=1")
            let cursor = try #require(page.nextCursor)
            let mine: Page<Post> = try await board.get("/v1/users/me/likes?limit=1", as: people[0])
            let own = try #require(mine.nextCursor)
            #expect(try await board.status("GET", "/v1/posts/\(posts[1].id)/likes?cursor=\(cursor)") == 400)
            #expect(try await board.status("GET", "/v1/users/me/likes?cursor=\(cursor)", as: people[0]) == 400)
            #expect(try await board.status("GET", "/v1/users/me/likes?cursor=\(own)", as: people[1]) == 400)
            #expect(try await board.status("GET", "/v1/users/me/likes?order=latest", as: people[1]) == 400)
            #expect(try await board.status("GET", "/v1/users/me/likes") == 401)
            #expect(try await board.status("GET", "/v1/posts/\(ID.random())/likes") == 404)
            #expect(try await board.status("GET", "/v1/posts/none/likes") == 404)
        }
    }
}
