import Foundation
import HTTP
import KeijibanAPI
import TestSupport
import Testing
import Zip

extension IntegrationTests {
    /// Posts as packaged documents, out and in.
    @Suite(.serialized, .timeLimit(.minutes(3)))
    struct PackageTests {
        private static let info = ForgedZip.Entry("info.json", text: #"{"version": 2}"#)
        private static let titled = "# 十五文字から四十文字までの題名です\n\n本文です。\n"

        private func export(_ post: Post, on board: TestBoard) async throws -> ClientResponse {
            try await board.call("GET", "/v1/posts/\(post.id)/textpack")
        }

        private func take(
            _ package: [UInt8],
            in thread: BoardThread,
            as person: Person?,
            type: String = "application/zip",
            key: String = UUID().uuidString,
            on board: TestBoard
        ) async throws -> ClientResponse {
            let path = "/v1/threads/\(thread.id)/posts/import"
            return try await board.call(
                "POST",
                path,
                as: person,
                body: package,
                headers: ["Content-Type": type],
                key: key
            )
        }

        private func package(_ text: String = Self.titled, picture: [UInt8]? = nil) -> [UInt8] {
            ForgedZip(
                [Self.info, .init("text.md", text: text)] + (picture.map { [.init("assets/図 1.jpg", $0)] } ?? [])
            ).bytes
        }

        private func contents(_ package: [UInt8]) throws -> [String: [UInt8]] {
            let reader = try ZipReader(package, entryLimit: 1_000)
            var room = 10_000_000
            return try Dictionary(
                uniqueKeysWithValues: reader.entries.map { ($0.name, try reader.content(of: $0, room: &room)) }
            )
        }

        @Test func exportImportExportGivesTheSamePackage() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let threads = [try await board.openThread(person), try await board.openThread(person)]
            for body in ["本文です。", "   字下げ\n\n# 見出し\n\n![](assets/image.jpg)", "\\# x"] {
                let draft = [
                    "title": "# 題名にも記号が入っている投稿です \(UUID())".prefix(40).description, "body": body,
                    "date": "2024-02-29T03:04:05.678Z",
                ]
                let post: Post = try await board.call("POST", "/v1/threads/\(threads[0].id)/posts", as: person, draft)
                    .value(201)
                let first = try await self.export(post, on: board)
                #expect(first.status == 200 && first.headers["Content-Type"] == "application/zip")
                let again: Post = try await self.take(first.body, in: threads[1], as: person, on: board).value(201)
                #expect(again.title == post.title && again.body == post.body && again.date == post.date)
                #expect(again.author == post.author && again.image == nil && again.threadId == threads[1].id)
                #expect(try await self.export(again, on: board).body == first.body)
            }
        }

        @Test func aPictureComesWithItsPostAndTheTextStaysTheSame() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let threads = [try await board.openThread(person), try await board.openThread(person)]
            let image = try await board.upload(person)
            let post = try await board.post(person, in: threads[0], image: image.id)
            let first = try self.contents(try await self.export(post, on: board).body)
            let stored = try await board.call("GET", image.url)
            #expect(first["assets/image.jpg"] == stored.body)
            #expect(
                first["text.md"].map { String(decoding: $0, as: UTF8.self) }
                    == "# \(post.title)\n\n本文です。\n\n![](assets/image.jpg)\n"
            )
            let package = try await self.export(post, on: board).body
            let again: Post = try await self.take(package, in: threads[1], as: person, on: board).value(201)
            #expect(again.body == post.body && again.image?.width == 16 && again.image?.height == 12)
            #expect(again.image?.id != image.id)
            let second = try self.contents(try await self.export(again, on: board).body)
            #expect(second["text.md"] == first["text.md"] && second["info.json"] == first["info.json"])
            #expect(Set(second.keys) == Set(first.keys))
        }

        @Test func anUntitledDailyReportComesBackUntitled() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread: BoardThread = try await board.call(
                "POST",
                "/v1/threads",
                as: person,
                ["title": "日報", "kind": "dailyReport"]
            )
            .value(201)
            for body in ["きょうは晴れ。", "# 見出しから始まる", "\\# x"] {
                let draft = ["body": body, "date": "2024-03-01T15:00:00.000Z"]
                let post: Post = try await board.call("POST", "/v1/threads/\(thread.id)/posts", as: person, draft)
                    .value(201)
                let answer = try await self.export(post, on: board)
                let encoded = "filename*=UTF-8''3%E6%9C%882%E6%97%A5%E3%81%AE%E6%97%A5%E5%A0%B1.textpack"
                #expect(answer.headers["Content-Disposition"] == "attachment; filename=\"3_2_.textpack\"; \(encoded)")
                let again: Post = try await self.take(answer.body, in: thread, as: person, on: board).value(201)
                #expect(again.body == body && again.title == "3月2日の日報")
                #expect(try await self.export(again, on: board).body == answer.body)
                let talk = try await board.openThread(person)
                #expect(try await self.take(answer.body, in: talk, as: person, on: board).status == 422)
            }
        }

        @Test func aPackageHasAnETagAndIsNotSentAgain() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let post = try await board.post(person, in: thread)
            let first = try await self.export(post, on: board)
            let tag = try #require(first.headers["ETag"])
            let path = "/v1/posts/\(post.id)/textpack"
            let same = try await board.call("GET", path, headers: ["If-None-Match": tag])
            #expect(same.status == 304 && same.body.isEmpty && same.headers["ETag"] == tag)
            let head = try await board.call("HEAD", path)
            #expect(head.status == 200 && head.body.isEmpty && head.headers["ETag"] == tag)
            #expect(try await board.status("DELETE", "/v1/posts/\(post.id)", as: person) == 204)
            #expect(try await board.status("GET", path) == 404)
            #expect(try await board.status("GET", "/v1/posts/\(ID.random())/textpack") == 404)
        }

        @Test func aRepeatMakesNeitherASecondPostNorASecondPicture() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let package = self.package(Self.titled + "\n![](assets/%E5%9B%B3%201.jpg)\n", picture: Pictures.jpeg)
            let key = UUID().uuidString
            let first = try await self.take(package, in: thread, as: person, key: key, on: board)
            let post = try first.value(201, as: Post.self)
            #expect(post.body == "本文です。" && first.headers["Location"] == "/v1/posts/\(post.id)")
            let second = try await self.take(package, in: thread, as: person, key: key, on: board)
            #expect(try second.value(201, as: Post.self) == post)
            #expect(second.headers["Idempotent-Replay"] == "true")
            let count: [Int] = try await board.query(
                .media,
                "select count(*) from media where owner_id = $1",
                person.id
            )
            #expect(count == [1])
            let other = try await self.take(self.package(), in: thread, as: person, key: key, on: board)
            #expect(other.status == 422 && other.problem == "idempotency-key-reused")
            // As a post that is sent as JSON is another request.
            let draft = ["title": "同じキーでも別の道からの投稿です。", "body": "本文"]
            #expect(
                try await board.call("POST", "/v1/threads/\(thread.id)/posts", as: person, draft, key: key).status
                    == 201
            )
            let twice = try await self.take(package, in: thread, as: person, on: board)
            #expect(twice.status == 409 && twice.problem == "duplicate-post")
            #expect(try await board.status("DELETE", "/v1/posts/\(post.id)", as: person) == 204)
            #expect(try await self.take(package, in: thread, as: person, key: key, on: board).status == 404)
        }

        @Test func whatIsNoPackageIsRefusedAndNamed() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            func fields(_ entries: [ForgedZip.Entry]) async throws -> [String]? {
                let answer = try await self.take(ForgedZip(entries).bytes, in: thread, as: person, on: board)
                #expect(answer.status == 422 && answer.problem == "validation-failed", "\(answer.text)")
                return try JSON.decode(Problem.self, from: answer.body).errors?.map(\.field)
            }
            let text = ForgedZip.Entry("text.md", text: Self.titled)
            for name in ["../x", "/abs", "..\\x", "assets/../../x", "out-evil/x"] {
                #expect(try await fields([Self.info, text, .init(name)]) == ["package"])
            }
            #expect(try await fields([text]) == ["info.json"])
            #expect(try await fields([.init("info.json", text: #"{"version": 3}"#), text]) == ["info.json"])
            #expect(try await fields([Self.info, .init("text.md", text: "# 題名が短い\n\n本文")]) == ["title"])
            #expect(try await fields([Self.info, .init("text.md", text: "# 十五文字から四十文字までの題名です")]) == ["body"])
            #expect(
                try await fields([Self.info, text, .init("assets/a.svg", text: "<svg onload='x'/>")]) == ["assets"]
            )
            #expect(
                try await fields([Self.info, text, .init("assets/a.jpg", Array(Pictures.jpeg.dropLast(40)))]) == [
                    "assets"
                ]
            )
            #expect(try await fields([Self.info, text, .init("assets/a.jpg"), .init("assets/b.jpg")]) == ["assets"])
            let noZip = try await self.take(Array("no zip".utf8), in: thread, as: person, on: board)
            #expect(noZip.status == 422)
            // No picture is stored for a text that no post can be made of.
            let photo = ForgedZip.Entry("assets/a.jpg", Pictures.jpeg)
            #expect(try await fields([Self.info, .init("text.md", text: "# 短い\n\n"), photo]) == ["title", "body"])
            let count: [Int] = try await board.query(
                .media,
                "select count(*) from media where owner_id = $1",
                person.id
            )
            #expect(count == [0])
            let none: Page<Post> = try await board.get("/v1/threads/\(thread.id)/posts")
            #expect(none.items.isEmpty)
        }

        @Test func whatIsTooLargePackedOrUnpackedIs413() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let zeros = [UInt8](repeating: 0, count: 100_000_000)
            let text = ForgedZip.Entry("text.md", text: Self.titled)
            let bomb = ForgedZip([Self.info, text, .init("assets/x", zeros, isDeflated: true)]).bytes
            #expect(bomb.count < 200_000)
            var many = ForgedZip((0..<60_000).map { .init("assets/\($0)") })
            many.entries.insert(Self.info, at: 0)
            for package in [bomb, Array(zeros.prefix(2_000_001)), many.bytes, Array(many.bytes.suffix(1_999_999))] {
                let answer = try await self.take(package, in: thread, as: person, on: board)
                #expect(answer.status == 413 || answer.status == 422)
                if answer.status == 413 { #expect(answer.problem == "body-too-large") }
            }
            #expect(try await self.take(bomb, in: thread, as: person, on: board).status == 413)
            #expect(try await self.take(self.package(), in: thread, as: person, on: board).status == 201)
        }

        @Test func whoMayNotPostMayNotImport() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            #expect(try await self.take(self.package(), in: thread, as: nil, on: board).status == 401)
            for type in ["application/json", "text/plain", "application/octet-stream", "application/zipped"] {
                let answer = try await self.take(self.package(), in: thread, as: person, type: type, on: board)
                #expect(answer.status == 415 && answer.problem == "unsupported-media-type")
            }
            #expect(try await board.status("DELETE", "/v1/threads/\(thread.id)", as: person) == 204)
            #expect(try await self.take(self.package(), in: thread, as: person, on: board).status == 404)
        }
    }
}
