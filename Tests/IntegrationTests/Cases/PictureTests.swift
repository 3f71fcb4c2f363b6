import Foundation
import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct PictureTests {
        /// A board whose unused pictures go after a second.
        private static let hasty = SharedBoard { try await TestBoard.start(settings: ["MEDIA_GRACE_SECONDS": "1"]) }

        private func pictures(of person: Person, on board: TestBoard) async throws -> Int {
            try await board.query(.media, "select count(*) from media where owner_id = $1", person.id)[0]
        }

        @Test func aPictureOfAMillionBytesIsTakenAndOneMoreByteIsTooMany() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            for (size, status) in [(999_999, 201), (1_000_000, 201), (1_000_001, 413)] {
                let answer = try await board.call(
                    "POST",
                    "/v1/media",
                    as: person,
                    body: Pictures.jpeg(count: size),
                    headers: ["Content-Type": "image/jpeg"]
                )
                #expect(answer.status == status, "\(size): \(answer.text)")
                guard status == 413 else { continue }
                #expect(answer.problem == "image-too-large")
                #expect(try JSON.decode(Problem.self, from: answer.body).detail?.contains("1000000") == true)
                #expect(try JSON.decode(Problem.self, from: answer.body).detail?.contains("1000001") == true)
            }
            #expect(try await self.pictures(of: person, on: board) == 2)
            let stored = try await board.log(MediaStored.self, of: .media) { $0.ownerId == person.id }
            #expect(stored.count == 2)
        }

        @Test func aPictureThatIsNotThereOrNotOnesOwnMakesNoPostAndNoThread() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let stranger = try await board.signUp()
            let thread = try await board.openThread(person)
            let foreign = try await board.upload(stranger)
            for image in ["\(foreign.id)", "\(ID.random())", "no id"] {
                let post = ["title": "だれかの写真を使おうとした投稿です", "body": "本文です。", "imageId": image]
                for (path, draft) in [
                    ("/v1/threads/\(thread.id)/posts", post), ("/v1/threads", ["title": "題名", "imageId": image]),
                ] {
                    let answer = try await board.call("POST", path, as: person, draft)
                    #expect(answer.status == 422 && answer.problem == "validation-failed", "\(answer.text)")
                    let problem = try JSON.decode(Problem.self, from: answer.body)
                    #expect(problem.errors?.map(\.field) == ["imageId"])
                }
            }
            let posts = try await board.log(PostCreated.self, of: .posts) { $0.authorId == person.id }
            let threads = try await board.log(ThreadCreated.self, of: .threads) { $0.authorId == person.id }
            #expect(posts.isEmpty)
            #expect(threads.map(\.id) == [thread.id])
            // It is still its owner's to use.
            _ = try await board.openThread(stranger, image: foreign.id)
        }

        @Test func aPictureNobodyUsesGoesAfterTheGraceAndOneInUseStays() async throws {
            let board = try await Self.hasty.board()
            let person = try await board.signUp()
            let used = try await board.upload(person)
            let thread = try await board.openThread(person, image: used.id)
            let unused = try await board.upload(person)
            // Uploaded for a post that is then refused.
            let draft = ["title": "短い", "body": "本文です。", "imageId": "\(unused.id)"]
            #expect(try await board.call("POST", "/v1/threads/\(thread.id)/posts", as: person, draft).status == 422)
            try await eventually("the unused picture is gone") { try await board.status("GET", unused.url) == 404 }
            #expect(try await self.pictures(of: person, on: board) == 1)
            for url in [used.url, used.displayUrl, used.thumbnailUrl] {
                #expect(try await board.status("GET", url) == 200)
            }
            let removed = try await board.log(MediaRemoved.self, of: .media) { $0.id == unused.id }
            #expect(removed.count == 1)
            // Another round of collecting leaves the one in use alone.
            let second = try await board.upload(person)
            try await eventually("the next is gone") { try await board.status("GET", second.url) == 404 }
            #expect(try await board.status("GET", used.url) == 200)
        }

        @Test func aPictureOfTwoPostsStaysUntilBothAreGoneInEverySize() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let image = try await board.upload(person)
            // The same bytes once more are a picture of its own.
            let twin = try await board.upload(person)
            let posts = [
                try await board.post(person, in: thread, image: image.id),
                try await board.post(person, in: thread, image: image.id),
                try await board.post(person, in: thread, image: twin.id),
            ]
            let urls = [image.url, image.displayUrl, image.thumbnailUrl]
            let tag = try #require(try await board.call("GET", image.url).headers["ETag"])
            #expect(try await board.status("DELETE", "/v1/posts/\(posts[0].id)", as: person) == 204)
            try await eventually("media has heard of it") {
                let uses: [Int] = try await board.query(
                    .media,
                    "select count(*) from media_uses where media_id = $1",
                    image.id
                )
                return uses == [1]
            }
            for url in urls { #expect(try await board.status("GET", url) == 200) }
            #expect(try await board.status("DELETE", "/v1/posts/\(posts[1].id)", as: person) == 204)
            for url in urls {
                try await eventually("\(url) is gone") { try await board.status("GET", url) == 404 }
            }
            // Not even to who has it.
            let known = try await board.call("GET", image.url, headers: ["If-None-Match": tag])
            #expect(known.status == 404)
            let rows: [Int] = try await board.query(
                .media,
                "select count(*) from media_bytes where media_id = $1",
                image.id
            )
            #expect(rows == [0])
            for url in [twin.url, twin.displayUrl, twin.thumbnailUrl] {
                #expect(try await board.status("GET", url) == 200)
            }
        }

        @Test func whatIsServedIsWhatTheBytesAreWhateverWasSaidOfThem() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            for type in ["image/png", "text/html", "image/svg+xml", "application/octet-stream"] {
                let headers: Headers = ["Content-Type": type]
                let image: Image = try await board.call(
                    "POST",
                    "/v1/media",
                    as: person,
                    body: Pictures.jpeg,
                    headers: headers
                ).value(201)
                #expect(image.contentType == "image/jpeg")
                for method in ["GET", "HEAD"] {
                    let answer = try await board.call(method, image.url)
                    #expect(answer.status == 200 && answer.headers["Content-Type"] == "image/jpeg")
                    #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
                    #expect(answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox")
                    #expect(answer.headers["Content-Disposition"] == "inline; filename=\"\(image.id)-original.jpg\"")
                    #expect(answer.body.isEmpty == (method == "HEAD"))
                }
            }
            for (bytes, status) in [("<svg onload='x'/>", 415), ("<html>", 415), ("", 422), ("G", 422)] {
                let answer = try await board.call(
                    "POST",
                    "/v1/media",
                    as: person,
                    body: Array(bytes.utf8),
                    headers: ["Content-Type": "image/png"]
                )
                #expect(answer.status == status, "\(bytes): \(answer.text)")
            }
        }

        @Test func manyUploadsThatAreTooLargeCostNoMemory() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let huge = [UInt8](repeating: 0xFF, count: 8_000_000)
            func residentMegabytes() throws -> Int {
                let statm = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                return (Int(statm.split(separator: " ")[1]) ?? 0) * 4096 / 1_000_000
            }
            func refused(_ count: Int) async throws -> Bool {
                let statuses = try await inParallel(count, width: 50) { _ in
                    // The client may see the connection end before it reads the answer.
                    try? await board.send(
                        "POST",
                        board.gateway.address + "/v1/media",
                        Asking(person: person, body: huge)
                    ).status
                }
                return statuses.allSatisfy { $0 == nil || $0 == 413 } && statuses.contains(413)
            }
            #expect(try await refused(50))
            let before = try residentMegabytes()
            #expect(try await refused(200))
            // All of them would be 1,600 MB.
            #expect(try residentMegabytes() - before < 200)
            _ = try await board.upload(person)
        }
    }
}
