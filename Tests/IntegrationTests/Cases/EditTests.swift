import Foundation
import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct EditTests {
        private let long = "題名は十五文字から四十文字までにします"

        private func patch(
            _ path: String,
            _ json: String,
            as person: Person?,
            match: String? = nil,
            on board: TestBoard
        ) async throws -> ClientResponse {
            var headers: Headers = [:]
            headers["If-Match"] = match
            return try await board.call("PATCH", path, as: person, body: Array(json.utf8), headers: headers)
        }

        @Test func anEditChangesWhatItNamesAndNothingElse() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let post = try await board.post(person, in: thread)
            try await board.like(post, person)
            let path = "/v1/posts/\(post.id)"
            let answer = try await self.patch(path, #"{"body": "新しい本文"}"#, as: person, on: board)
            let edited = try answer.value(200, as: Post.self)
            #expect(edited.version == 2 && edited.body == "新しい本文" && edited.title == post.title)
            #expect(edited.createdAt == post.createdAt && edited.date == post.date && edited.editedAt != nil)
            #expect(edited.likeCount == 1 && edited.likedByMe == true && edited.canDelete)
            #expect(answer.position != nil)
            let read = try await board.call("GET", path, as: person)
            #expect(try read.value(200, as: Post.self) == edited)
            #expect(read.headers["ETag"] == answer.headers["ETag"])
            let events = try await board.log(PostEdited.self, of: .posts) { $0.id == post.id }
            #expect(events.map(\.version) == [2] && events[0].body == "新しい本文" && events[0].title == post.title)
            #expect(events[0].editedAt == edited.editedAt && events[0].threadId == thread.id)
        }

        @Test func aThreadsNewTitleIsShownWithItsPosts() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person, "前の題名")
            let post = try await board.post(person, in: thread)
            let path = "/v1/threads/\(thread.id)"
            let answer = try await self.patch(path, #"{"title": "次の題名", "description": "説明"}"#, as: person, on: board)
            let edited = try answer.value(200, as: BoardThread.self)
            #expect(edited.version == 2 && edited.title == "次の題名" && edited.description == "説明")
            #expect(edited.kind == thread.kind && edited.postCount == 1)
            let headers: Headers = ["Keijiban-Position": try #require(answer.position)]
            let shown: Post = try await board.get("/v1/posts/\(post.id)", headers: headers)
            #expect(shown.threadTitle == "次の題名")
            let list: Page<BoardThread> = try await board.get("/v1/threads?limit=100", headers: headers)
            #expect(list.items.first { $0.id == thread.id }?.title == "次の題名")
            let stored: [String] = try await board.query(
                .gateway,
                "select title from thread_counts where id = $1",
                thread.id
            )
            try await eventually("the database has it too") {
                let now: [String] = try await board.query(
                    .gateway,
                    "select title from thread_counts where id = $1",
                    thread.id
                )
                return now == ["次の題名"]
            }
            #expect(stored.count <= 1)
        }

        @Test func ofTwoEditsOfOneVersionOneWinsAndALikeIsNoEdit() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let post = try await board.post(person, in: try await board.openThread(person))
            let path = "/v1/posts/\(post.id)"
            let tag = try #require(try await board.call("GET", path, as: person).headers["ETag"])
            try await board.like(post, person)
            let answers = try await inParallel(2) { index in
                try await self.patch(path, #"{"body": "本文\#(index)"}"#, as: person, match: tag, on: board)
            }
            #expect(answers.map(\.status).sorted() == [200, 412])
            #expect(answers.first { $0.status == 412 }?.problem == "precondition-failed")
            let late = try await self.patch(path, #"{"body": "遅い"}"#, as: person, match: tag, on: board)
            #expect(late.status == 412)
            let any = try await self.patch(path, #"{"body": "何でも"}"#, as: person, match: "*", on: board)
            #expect(any.status == 200)
            let listed = try await self.patch(path, #"{"body": "一覧"}"#, as: person, match: #""x", "v3.0""#, on: board)
            #expect(try listed.value(200, as: Post.self).version == 4)
            // Without it the last write wins.
            #expect(try await self.patch(path, #"{"body": "最後"}"#, as: person, on: board).status == 200)
            let damaged = try await self.patch(path, #"{"body": "x"}"#, as: person, match: "v5.0", on: board)
            #expect(damaged.status == 400 && damaged.text.contains("If-Match"))
        }

        @Test func anEditThatChangesNothingLeavesNothingBehind() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let post = try await board.post(person, in: thread)
            let same = try await self.patch("/v1/posts/\(post.id)", #"{"body": "本文です。 "}"#, as: person, on: board)
            #expect(try same.value(200, as: Post.self) == post && same.position != nil)
            let title = #"{"title": "\#(thread.title)"}"#
            let still = try await self.patch("/v1/threads/\(thread.id)", title, as: person, on: board)
            #expect(try still.value(200, as: BoardThread.self).version == 1)
            #expect(try await board.log(PostEdited.self, of: .posts) { $0.id == post.id }.isEmpty)
            #expect(try await board.log(ThreadEdited.self, of: .threads) { $0.id == thread.id }.isEmpty)
            let other = try await self.patch(
                "/v1/posts/\(post.id)",
                #"{"body": "本文です。"}"#,
                as: person,
                match: #""v9.x""#,
                on: board
            )
            #expect(other.status == 412)
        }

        @Test func aPostIsNoDuplicateOfItselfAndATitleGoesThereAndBack() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let (first, second) = ("\(self.long)一", "\(self.long)二")
            let post = try await board.post(person, in: thread, first)
            let other = try await board.post(person, in: thread, "\(self.long)三")
            let path = "/v1/posts/\(post.id)"
            for title in [second, first, first.uppercased(), second] {
                #expect(try await self.patch(path, #"{"title": "\#(title)"}"#, as: person, on: board).status == 200)
            }
            let taken = try await self.patch(
                "/v1/posts/\(other.id)",
                #"{"title": "\#(second)"}"#,
                as: person,
                on: board
            )
            #expect(taken.status == 409 && taken.problem == "duplicate-post")
            // What the edit gave up is free.
            #expect(
                try await self.patch("/v1/posts/\(other.id)", #"{"title": "\#(first)"}"#, as: person, on: board).status
                    == 200
            )
            let unchanged: Post = try await board.get(path)
            #expect(unchanged.title == second)
            let versions = try await board.log(PostEdited.self, of: .posts) { $0.id == post.id }.map(\.version)
            #expect(versions == Array(2..<(2 + versions.count)))
        }

        @Test func onlyADailyReportLosesItsTitle() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let opened = try await board.call(
                "POST",
                "/v1/threads",
                as: person,
                ["title": "日報", "kind": "dailyReport"]
            )
            let diary = try opened.value(201, as: BoardThread.self)
            let report = try await board.post(person, in: diary)
            let dated = #"{"title": null, "date": "2024-02-29T20:00:00Z"}"#
            let untitled = try await self.patch("/v1/posts/\(report.id)", dated, as: person, on: board)
            #expect(try untitled.value(200, as: Post.self).title == "3月1日の日報")
            let post = try await board.post(person, in: try await board.openThread(person))
            let refused = try await self.patch("/v1/posts/\(post.id)", #"{"title": null}"#, as: person, on: board)
            #expect(refused.status == 422 && refused.fields == ["title"])
        }

        @Test(arguments: [
            (#"{}"#, [""]), (#"{"titel": "x"}"#, ["titel"]), (#"{"body": 1}"#, ["body"]),
            (#"{"body": null}"#, ["body"]),
            (#"{"date": "yesterday"}"#, ["date"]), (#"{"date": null, "imageId": 7}"#, ["date", "imageId"]),
            (#"{"title": "短い"}"#, ["title"]), (#"{"imageId": "0190a000-0000-7000-8000-000000000000"}"#, ["imageId"]),
            (#"[]"#, [""]),
        ])
        func aWrongFieldIsNamed(_ json: String, _ fields: [String]) async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let post = try await board.post(person, in: try await board.openThread(person))
            let answer = try await self.patch("/v1/posts/\(post.id)", json, as: person, on: board)
            #expect(answer.status == 422 && answer.fields == fields, "\(answer.text)")
        }

        @Test func onlyItsAuthorEdits() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(2)
            let thread = try await board.openThread(people[0])
            let post = try await board.post(people[0], in: thread)
            for (path, json) in [
                ("/v1/threads/\(thread.id)", #"{"title": "x"}"#), ("/v1/posts/\(post.id)", #"{"body": "x"}"#),
            ] {
                #expect(try await self.patch(path, json, as: nil, on: board).status == 401)
                #expect(try await self.patch(path, json, as: people[1], on: board).problem == "forbidden")
                #expect(try await self.patch(path, "{", as: people[0], on: board).status == 400)
                let text: Headers = ["Content-Type": "text/plain"]
                let typed = try await board.call("PATCH", path, as: people[0], body: Array(json.utf8), headers: text)
                #expect(typed.status == 415)
            }
            for path in ["/v1/threads/\(ID.random())", "/v1/posts/\(ID.random())", "/v1/posts/x"] {
                #expect(try await self.patch(path, #"{"title": "x"}"#, as: people[0], on: board).status == 404)
            }
            #expect(try await board.status("DELETE", "/v1/threads/\(thread.id)", as: people[0]) == 204)
            #expect(
                try await self.patch("/v1/threads/\(thread.id)", #"{"title": "x"}"#, as: people[0], on: board).status
                    == 404
            )
            #expect(
                try await self.patch("/v1/posts/\(post.id)", #"{"body": "x"}"#, as: people[0], on: board).status == 404
            )
        }

        @Test func aPictureThatAnEditTakesAwayMayBeTakenBackAndGoesWithWhatShowsItThen() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let images = try await (0..<3).asyncMap { _ in try await board.upload(person) }
            let (first, second, shared) = (images[0], images[1], images[2])
            func count(_ sql: String, _ ids: [ID]) async throws -> Int {
                try await board.query(.media, "select count(*) from \(sql) = any($1)", ids)[0]
            }
            let thread = try await board.openThread(person, image: first.id)
            let post = try await board.post(person, in: thread, image: shared.id)
            let other = try await board.post(person, in: thread, image: shared.id)
            let next = try await self.patch(
                "/v1/threads/\(thread.id)",
                #"{"imageId": "\#(second.id)"}"#,
                as: person,
                on: board
            )
            #expect(try next.value(200, as: BoardThread.self).image?.id == second.id)
            try await eventually("the replaced one is free") {
                try await count("media_uses where media_id", [first.id]) == 0
            }
            for image in [first, second, first] {
                let body = #"{"imageId": "\#(image.id)"}"#
                let back = try await self.patch("/v1/threads/\(thread.id)", body, as: person, on: board)
                #expect(try back.value(200, as: BoardThread.self).image?.id == image.id)
            }
            // A stranger's picture cannot be taken.
            let foreign = try await board.upload(try await board.signUp())
            let taken = try await self.patch(
                "/v1/posts/\(post.id)",
                #"{"imageId": "\#(foreign.id)"}"#,
                as: person,
                on: board
            )
            #expect(taken.status == 422 && taken.fields == ["imageId"])

            let bare = try await self.patch("/v1/posts/\(post.id)", #"{"imageId": null}"#, as: person, on: board)
            #expect(try bare.value(200, as: Post.self).image == nil)
            try await eventually("the use is gone") { try await count("media_uses where used_by", [post.id]) == 0 }
            #expect(try await board.status("GET", shared.url) == 200)
            #expect(
                try await self.patch("/v1/posts/\(other.id)", #"{"imageId": null}"#, as: person, on: board).status
                    == 200
            )
            try await eventually("all is heard of") {
                try await count("media_claims where media_id", [first.id, second.id]) == 0
            }
            try await eventually("no use is left, and the picture waits") {
                try await count("media where unused_since is not null and has_grace and id", [second.id, shared.id])
                    == 2
            }
            for image in [second, shared] { #expect(try await board.status("GET", image.url) == 200) }
            #expect(try await board.status("DELETE", "/v1/threads/\(thread.id)", as: person) == 204)
            try await eventually("what it showed goes at once") { try await board.status("GET", first.url) == 404 }
        }

        @Test func whatIsDeletedLeavesNoTextInAnyOfItsEvents() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let word = "秘密\(UUID().uuidString.prefix(8))"
            let thread = try await board.openThread(person, "\(word)の話")
            let post = try await board.post(person, in: thread, "\(word)について書いておく投稿です")
            for number in 1...2 {
                let body = #"{"body": "\#(word) \#(number)"}"#
                #expect(try await self.patch("/v1/posts/\(post.id)", body, as: person, on: board).status == 200)
                let about = #"{"description": "\#(word) \#(number)"}"#
                #expect(try await self.patch("/v1/threads/\(thread.id)", about, as: person, on: board).status == 200)
            }
            let pattern = "%\(word)%"
            let told: [Int] = try await board.query(.posts, "select count(*) from events where data like $1", pattern)
            #expect(told == [3])
            #expect(try await board.status("DELETE", "/v1/threads/\(thread.id)", as: person) == 204)
            for part in [Part.threads, .posts] {
                try await eventually("\(part.name) has forgotten it") {
                    try await board.query(part, "select count(*) from events where data like $1", pattern) == [0]
                }
            }
            let edits = try await board.log(PostEdited.self, of: .posts) { $0.id == post.id }
            #expect(edits.map(\.version) == [2, 3] && edits.allSatisfy { $0.redacted == true && $0.body.isEmpty })
        }
    }
}

extension ClientResponse {
    /// The fields that a problem names.
    var fields: [String] { (try? JSON.decode(Problem.self, from: self.body))?.errors?.map(\.field) ?? [] }
}
