import HTTP
import KeijibanAPI
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(1)))
struct UploadTests {
    private let user = ID.random()

    @Test(arguments: [(999_999, 201), (1_000_000, 201), (1_000_001, 413)])
    func theLimitIsInclusive(count: Int, status: Int) async throws {
        try await TestMedia.running { media in
            let response = try await media.upload(Samples.jpeg(count: count), user: self.user)
            #expect(response.status == status)
            let isStored = status == 201
            #expect(try await media.count("media") == (isStored ? 1 : 0))
            #expect(try await media.count("media_bytes") == (isStored ? 3 : 0))
            #expect(try await media.events().count == (isStored ? 1 : 0))
            guard !isStored else { return }
            let problem: Problem = try response.value()
            #expect(problem.type == "/problems/image-too-large")
            #expect(problem.detail == "An image may have 1000000 bytes; this one has 1000001.")
        }
    }

    @Test func whatIsFarTooLargeIsCalledThatBeforeItIsRead() async throws {
        try await TestMedia.running { media in
            let bytes = [UInt8](repeating: 0, count: 2_000_000)
            let raw = try await media.upload(bytes, user: self.user, headers: ["Accept-Language": "ja"])
            #expect(raw.status == 413)
            #expect(try raw.value(Problem.self).detail == "画像は1000000バイトまでです（この画像は2000000バイト）。")
            let form = try await media.upload(bytes, user: self.user, headers: Form.headers)
            #expect(form.problem == "image-too-large")
            #expect(try form.value(Problem.self).detail == "An image may have 1000000 bytes; this one has more.")
        }
    }

    @Test func aPictureIsToldWithItsPlaceAndPosition() async throws {
        try await TestMedia.running { media in
            let response = try await media.upload(Samples.png, user: self.user, headers: ["Content-Type": "image/jpeg"])
            #expect(response.status == 201)
            let image: Image = try response.value()
            #expect(response.headers["Location"] == "/v1/media/\(image.id)")
            #expect(response.headers["Keijiban-Position"] != nil)
            #expect(image.contentType == "image/png")
            #expect((image.width, image.height) == (800, 600))
            #expect(try await media.events() == ["keijiban.media.stored.v1"])
            let records: [MediaRecord] = try await media.send(
                "GET",
                "/internal/media/batch?ids=\(image.id),\(ID.random())"
            )
            .value()
            #expect(records.map(\.id) == [image.id])
            #expect(records.first?.ownerId == self.user)
        }
    }

    @Test func aFormWithAnyFileNameIsAnImage() async throws {
        try await TestMedia.running { media in
            for name in [
                "日報 3月.jpg", #"a\"b.jpg"#, "../../etc/passwd", "", "a%0D%0AX: y.jpg", "CON.png", "a\r\nX: y.jpg",
                "a\u{0}b",
            ] {
                let body = Form.body(Samples.jpeg, fileName: name)
                let response = try await media.upload(body, user: self.user, headers: Form.headers)
                #expect(response.status == 201)
            }
            let full = Form.body(Samples.jpeg(count: 1_000_000), fileName: String(repeating: "あ", count: 300))
            #expect(try await media.upload(full, user: self.user, headers: Form.headers).status == 201)
            let over = Form.body(Samples.jpeg(count: 1_000_001), fileName: "a.jpg")
            #expect(try await media.upload(over, user: self.user, headers: Form.headers).problem == "image-too-large")
        }
    }

    @Test func aFormMustHaveOneFileAndNothingElse() async throws {
        try await TestMedia.running { media in
            let missing = try await media.upload(Form.body([1], name: "image"), user: self.user, headers: Form.headers)
            #expect(missing.status == 422)
            #expect(missing.codes == ["image unknown-field", "file missing"])
            let cut = Array(Form.body(Samples.jpeg).dropLast(20))
            #expect(try await media.upload(cut, user: self.user, headers: Form.headers).problem == "malformed-request")
            let empty = try await media.upload(Form.body([]), user: self.user, headers: Form.headers)
            #expect(empty.codes == ["file image-empty"])
        }
    }

    @Test func whatIsNoImageIsRefusedByItsContent() async throws {
        try await TestMedia.running { media in
            let svg = Array("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8)
            let headers: Headers = ["Content-Type": "image/png"]
            let unsupported = try await media.upload(svg, user: self.user, headers: headers)
            #expect(unsupported.status == 415)
            #expect(unsupported.problem == "unsupported-image")
            let cut = Array(Samples.jpeg.prefix(Samples.jpeg.count / 2))
            #expect(try await media.upload(cut, user: self.user).codes == ["file image-truncated"])
            #expect(try await media.upload([0xFF], user: self.user).codes == ["file image-truncated"])
            #expect(try await media.upload([], user: self.user).codes == ["file image-empty"])
            var huge = Samples.png
            huge.replaceSubrange(16..<24, with: [0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0])
            let refused = try await media.upload(huge, user: self.user)
            #expect(refused.status == 422)
            #expect(try await media.count("media") == 0)
        }
    }

    @Test func onlyServicesAskAndOnlyTheSignedInUpload() async throws {
        try await TestMedia.running { media in
            let anonymous = try await media.send("POST", "/internal/media", body: Samples.jpeg)
            #expect(anonymous.status == 401)
            let head = try RequestHead(method: "POST", target: "/internal/media")
            #expect(await media.router.respond(to: Request(head, body: Samples.jpeg)).status == 403)
        }
    }

    @Test func aRepeatWithItsKeyIsOnePicture() async throws {
        try await TestMedia.running { media in
            let headers: Headers = ["Idempotency-Key": "k1"]
            let first = try await media.upload(user: self.user, headers: headers)
            let again = try await media.upload(user: self.user, headers: headers)
            #expect((first.status, again.status) == (201, 201))
            #expect(first.headers["Location"] == again.headers["Location"])
            #expect(first.headers["Idempotent-Replay"] == nil)
            #expect(again.headers["Idempotent-Replay"] == "true")
            #expect(try await media.count("media") == 1)
            let other = try await media.upload(Samples.png, user: self.user, headers: headers)
            #expect(other.problem == "idempotency-key-reused")
            #expect(try await media.upload(user: ID.random(), headers: headers).status == 201)
            #expect(try await media.count("media") == 2)
        }
    }

    @Test func aFormIsARepeatWhateverItsBoundary() async throws {
        try await TestMedia.running { media in
            var headers = Form.headers
            headers["Idempotency-Key"] = "k1"
            let first = try await media.upload(Form.body(Samples.jpeg), user: self.user, headers: headers)
            headers["Content-Type"] = "multipart/form-data; boundary=other"
            let body = Form.body(Samples.jpeg, boundary: "other")
            let again = try await media.upload(body, user: self.user, headers: headers)
            #expect(first.headers["Location"] == again.headers["Location"])
            #expect(again.headers["Idempotent-Replay"] == "true")
        }
    }

    @Test func aLongLineIsTurnedAway() async throws {
        try await TestMedia.running(imageQueue: 1) { media in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await media.upload(Samples.png, user: self.user).status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(Set(statuses) == [201, 503])
            #expect(try await media.count("media") == statuses.filter { $0 == 201 }.count)
        }
    }
}
