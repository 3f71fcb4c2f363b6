import Foundation
import HTTP
import KeijibanAPI
import TestSupport
import Testing
import Zip

extension IntegrationTests {
    /// All that a person has here, in one archive.
    @Suite(.serialized, .timeLimit(.minutes(3)))
    struct ExportTests {
        /// What of an index a person would look for.
        private struct Index: Decodable {
            struct Item: Decodable {
                let id: ID
                let url: String
                let file: String?
            }

            struct Like: Decodable {
                let postId: ID
            }

            let user: User
            let threads: [Item]
            let posts: [Item]
            let likes: [Like]
            let images: [Item]
        }

        private func contents(_ archive: [UInt8]) throws -> [String: [UInt8]] {
            let reader = try ZipReader(archive, entryLimit: 10_000)
            var room = 100_000_000
            return try Dictionary(
                uniqueKeysWithValues: reader.entries.map { ($0.name, try reader.content(of: $0, room: &room)) }
            )
        }

        @Test func anExportHoldsAllThatIsOnesOwnAndNothingElse() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(2)
            let threads = [try await board.openThread(people[0]), try await board.openThread(people[1])]
            let images = [try await board.upload(people[0]), try await board.upload(people[0])]
            var posts = try await inParallel(120, width: 20) { try await board.post(people[0], in: threads[$0 % 2]) }
            posts.append(try await board.post(people[0], in: threads[0], image: images[0].id))
            let foreign = try await board.post(people[1], in: threads[0])
            try await board.like(foreign, people[0])
            try await board.like(posts[0], people[1])

            let answer = try await board.call("GET", "/v1/users/me/export", as: people[0])
            #expect(answer.status == 200 && answer.headers["Content-Type"] == "application/zip")
            #expect(
                answer.headers["Content-Disposition"]?.hasPrefix("attachment; filename=\"keijiban-export.zip\"") == true
            )
            let contents = try self.contents(answer.body)
            let index = try JSON.decode(Index.self, from: try #require(contents["index.json"]))
            #expect(index.user.id == people[0].id && index.user.displayName == "テスト")
            #expect(index.threads.map(\.id) == [threads[0].id])
            #expect(Set(index.posts.map(\.id)) == Set(posts.map(\.id)) && index.posts.count == posts.count)
            #expect(index.likes.map(\.postId) == [foreign.id])
            #expect(Set(index.images.map(\.id)) == Set(images.map(\.id)))
            let files = (index.posts + index.images).compactMap(\.file)
            #expect(Set(files + ["index.json"]) == Set(contents.keys))
            for image in images {
                let file = try #require(index.images.first { $0.id == image.id }?.file)
                #expect(contents[file] == (try await board.call("GET", image.url).body))
            }
            // A post's package is the one that can be had, and brought in, by itself.
            let last = try #require(index.posts.first { $0.id == posts[120].id }?.file)
            let package = try #require(contents[last])
            #expect(package == (try await board.call("GET", "/v1/posts/\(posts[120].id)/textpack").body))
            let path = "/v1/threads/\(threads[1].id)/posts/import"
            let headers: Headers = ["Content-Type": "application/zip"]
            let again: Post = try await board.call("POST", path, as: people[0], body: package, headers: headers).value(
                201
            )
            #expect(again.title == posts[120].title && again.image != nil)
        }

        @Test func whoHasNothingYetGetsAnArchiveThatSaysSo() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            // The second is not refused because of the first, nor of a look at the head.
            #expect(try await board.call("HEAD", "/v1/users/me/export", as: person).status == 200)
            for _ in 0..<2 {
                let contents = try self.contents(try await board.call("GET", "/v1/users/me/export", as: person).body)
                #expect(Array(contents.keys) == ["index.json"])
            }
            #expect(try await board.status("GET", "/v1/users/me/export") == 401)
        }

        @Test func whileAServiceIsAwayThereIsNoExportRatherThanAPartOfOne() async throws {
            let board = try await TestBoard.start()
            let person = try await board.signUp()
            for part in [Part.threads, .posts, .media, .likes] {
                await board.part(part).stop()
                let answer = try await board.send(
                    "GET",
                    board.gateway.address + "/v1/users/me/export",
                    Asking(person: person)
                )
                #expect(answer.status == 503 && answer.problem == "unavailable")
                try board.part(part).start()
                try await board.isReady()
            }
            #expect(try await board.status("GET", "/v1/users/me/export", as: person) == 200)
            await board.stop()
        }
    }
}
