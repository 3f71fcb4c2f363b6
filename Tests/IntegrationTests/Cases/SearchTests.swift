import Foundation
import HTTP
import KeijibanAPI
import Postgres
import ServiceHost
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct SearchTests {
        /// A query of these parameters, escaped.
        private func query(_ parameters: [(String, String)]) -> String {
            parameters.map { name, value in
                "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
            }.joined(separator: "&")
        }

        private func write(
            _ board: TestBoard,
            _ person: Person,
            _ thread: BoardThread,
            _ body: String = "本文です。",
            title: String = "題名は十五文字から四十文字まで \(UUID().uuidString.prefix(8))",
            date: String? = nil
        ) async throws -> Post {
            var draft = ["title": title, "body": body]
            draft["date"] = date
            return try await board.call("POST", "/v1/threads/\(thread.id)/posts", as: person, draft).value(201)
        }

        /// What a search in a thread finds, page by page.
        private func find(
            _ board: TestBoard,
            _ person: Person? = nil,
            in thread: BoardThread,
            _ parameters: [(String, String)] = [],
            limit: Int = 100,
            between: (Int) async throws -> Void = { _ in }
        ) async throws -> [Post] {
            var (found, cursor, pages): ([Post], String?, Int) = ([], nil, 0)
            repeat {
                let paging = [("limit", "\(limit)")] + (cursor.map { [("cursor", $0)] } ?? [])
                let target = self.query([("thread", "\(thread.id)")] + parameters + paging)
                let page: Page<Post> = try await board.get("/v1/posts?" + target, as: person)
                found += page.items
                cursor = page.nextCursor
                pages += 1
                try await between(pages)
            } while cursor != nil && pages < 1_000
            return found
        }

        /// Runs `body` while nobody can write to the index.
        private func holdingIndex(of board: TestBoard, _ body: () async throws -> Void) async throws {
            let (isHeld, isOver) = (Flag(), Flag())
            let database = Database(.init(url: try board.part(.posts).host.settings.databaseURL, poolSize: 1))
            try await withBackground([
                {
                    _ = try? await database.transaction { connection in
                        try connection.execute("lock table search_posts in share mode")
                        isHeld.raise()
                        while !isOver.isUp { try connection.execute("select pg_sleep(0.02)") }
                    }
                }
            ]) {
                defer { isOver.raise() }
                try await eventually("the index is held") { isHeld.isUp }
                try await body()
            }
            await database.close()
        }

        @Test func aDayIsTheDayOfTheZoneAskedFor() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            var ids: [ID] = []
            for date in [
                "2024-03-01T14:59:59.999Z", "2024-03-01T15:00:00.000Z", "2024-03-02T14:59:59.999Z",
                "2024-03-02T15:00:00.000Z",
            ] { ids.append(try await self.write(board, person, thread, date: date).id) }
            let tokyo = [ids[2], ids[1]]
            for (parameters, wanted) in [
                ([("date", "2024-03-02")], tokyo),
                ([("date", "2024-03-02"), ("tz", "Asia/Tokyo")], tokyo),
                ([("date", "2024-03-02"), ("tz", "UTC")], [ids[3], ids[2]]),
                ([("from", "2024-03-01T15:00:00Z"), ("to", "2024-03-02T15:00:00Z")], tokyo),
                ([("from", "2024-03-02T00:00:00+09:00"), ("to", "2024-03-03T00:00:00+09:00")], tokyo),
                ([("date", "2024-03-02"), ("from", "2024-03-02T00:00:00Z")], [ids[2]]),
                ([("date", "2024-03-02"), ("to", "2024-03-01T15:00:00.000Z")], []),
                ([("from", "2024-03-02T15:00:00Z"), ("to", "2024-03-01T15:00:00Z")], []),
                ([("from", "2024-03-02T15:00:00Z"), ("to", "2024-03-02T15:00:00Z")], []),
            ] {
                let found = try await self.find(board, person, in: thread, parameters)
                #expect(found.map(\.id) == wanted, "\(parameters)")
            }
            // A plus sign that was not escaped.
            let page: Page<Post> = try await board.get("/v1/posts?thread=\(thread.id)&from=2024-03-03T00:00:00+09:00")
            #expect(page.items.map(\.id) == [ids[3]])
        }

        @Test(arguments: [
            ("America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z", "2026-03-09T04:00:00.000Z"),
            ("America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"),
            ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z", "2018-11-05T02:00:00.000Z"),
            ("Asia/Tokyo", "2024-02-29", "2024-02-28T15:00:00.000Z", "2024-02-29T15:00:00.000Z"),
        ])
        func aDayHasAsManyHoursAsItsZoneGivesIt(_ zone: String, _ day: String, from: String, to: String) async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let (begin, end) = (try #require(Timestamp(from)), try #require(Timestamp(to)))
            var posts: [Post] = []
            for moment in [begin, end].flatMap({ [$0.advanced(by: .milliseconds(-1)), $0] }) {
                posts.append(try await self.write(board, person, thread, date: "\(moment)"))
            }
            let found = try await self.find(board, person, in: thread, [("date", day), ("tz", zone)])
            #expect(found.map(\.id) == [posts[2].id, posts[1].id])
        }

        @Test func wordsAreFoundAsPartsOfWhatIsWritten() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let app = try await self.write(board, person, thread, "アプリの日報２０２４年")
            let green = try await self.write(board, person, thread, "グリーン")
            let ring = try await self.write(board, person, thread, "リング")
            let kyoto = try await self.write(board, person, thread, "京都")
            let tokyo = try await self.write(board, person, thread, "東京都")
            let signs = try await self.write(board, person, thread, #"100%の_\ a & | b ' "日報" 😀"#)
            for (words, wanted) in [
                ("ｱﾌﾟﾘ", [app]), ("アプリ", [app]), ("2024年", [app]), ("２０２４年", [app]), ("あぷり", [app]),
                ("リング", [ring]), ("グリ", [green]), ("京都", [tokyo, kyoto]), ("都", [tokyo, kyoto]), ("%", [signs]),
                ("_", [signs]), (#"\"#, [signs]), ("a & | b", [signs]), ("'", [signs]), (#""日報""#, [signs]),
                ("😀", [signs]), ("東　都", [tokyo]), ("東 大阪", []), ("十五文字から 京都", [tokyo, kyoto]), (":*", []),
            ] {
                let found = try await self.find(board, person, in: thread, [("q", words)])
                #expect(found.map(\.id) == wanted.map(\.id), "\(words)")
            }
        }

        @Test func allConditionsHoldTogether() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(2)
            let thread = try await board.openThread(people[0])
            let day = "2021-05-05T03:00:00Z"
            let wanted = try await self.write(board, people[0], thread, "カレー", date: day)
            _ = try await self.write(board, people[1], thread, "カレー", date: day)
            _ = try await self.write(board, people[0], thread, "うどん", date: day)
            _ = try await self.write(board, people[0], thread, "カレー")
            let conditions = [("q", "カレー"), ("date", "2021-05-05"), ("author", "me")]
            let mine = try await self.find(board, people[0], in: thread, conditions)
            #expect(mine.map(\.id) == [wanted.id] && mine.first?.canDelete == true)
            let byID = Array(conditions.dropLast()) + [("author", "\(people[0].id)")]
            #expect(try await self.find(board, people[0], in: thread, byID).map(\.id) == [wanted.id])
            let stranger = [("author", "\(ID.random())")]
            #expect(try await self.find(board, people[0], in: thread, stranger).isEmpty)
        }

        @Test func aScanSeesEveryPostThatWasThereAllAlongOnce() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let moment = "2022-01-01T00:00:00Z"
            let made = try await inParallel(60, width: 20) { _ in
                try await self.write(board, person, thread, date: moment)
            }
            let doomed = made.suffix(6).map(\.id)
            let conditions = [("q", "本文"), ("date", "2022-01-01")]
            let seen = try await self.find(board, person, in: thread, conditions, limit: 7) { page in
                _ = try await self.write(board, person, thread, date: moment)
                guard page <= doomed.count else { return }
                _ = try await board.status("DELETE", "/v1/posts/\(doomed[page - 1])", as: person)
            }.map(\.id)
            #expect(Set(seen).count == seen.count)
            #expect(Set(seen).isSuperset(of: Set(made.map(\.id)).subtracting(doomed)))
            #expect(seen == seen.sorted(by: >))
        }

        @Test func whatIsDeletedIsFoundNoLonger() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let posts = try await inParallel(3) { _ in try await self.write(board, person, thread, "秘密XYZ") }
            #expect(try await self.find(board, person, in: thread, [("q", "秘密xyz")]).count == 3)
            #expect(try await board.status("DELETE", "/v1/posts/\(posts[0].id)", as: person) == 204)
            let left = try await self.find(board, person, in: thread, [("q", "秘密xyz")])
            #expect(Set(left.map(\.id)) == Set(posts.dropFirst().map(\.id)))
            #expect(try await board.status("DELETE", "/v1/threads/\(thread.id)", as: person) == 204)
            #expect(try await self.find(board, person, in: thread, [("q", "秘密xyz")]).isEmpty)
            try await eventually("nothing of it is left in the index") {
                let rows: [Int64] = try await board.query(
                    .posts,
                    "select count(*) from search_posts where thread_id = $1",
                    thread.id
                )
                return rows == [0]
            }
        }

        @Test func whatOneWroteIsFoundAtOnceHereAndAtAnotherGateway() async throws {
            let board = try await TestBoard.shared()
            let other = try board.anotherGateway()
            try other.start()
            try await eventually("the second gateway is ready") {
                try await board.send("GET", other.address + "/readyz").status == 200
            }
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            for count in 1...10 {
                let draft = ["title": "書いたものはすぐに見つかるはずです\(count)", "body": "本文\(count)"]
                let path = "/v1/threads/\(thread.id)/posts"
                let written = try await board.call("POST", path, as: person, draft)
                let post = try written.value(201, as: Post.self)
                let target = "/v1/posts?" + self.query([("thread", "\(thread.id)"), ("q", "本文\(count)")])
                let here: Page<Post> = try await board.get(target, as: person)
                #expect(here.items.first?.id == post.id)
                let headers: Headers = ["Keijiban-Position": try #require(written.position)]
                let there: Page<Post> = try await board.get(target, headers: headers, at: other)
                #expect(there.items.first?.id == post.id)
            }
            await other.stop()
        }

        @Test func aSearchWhoseIndexIsBehindSaysSoAndRefusesOnlyWhoMustSeeMore() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let before = try await self.write(board, person, thread, "遅れても見つかる")
            let target = "/v1/posts?" + self.query([("thread", "\(thread.id)"), ("q", "遅れても")])
            #expect(try await self.find(board, person, in: thread, [("q", "遅れても")]).map(\.id) == [before.id])
            try await self.holdingIndex(of: board) {
                let draft = ["title": "索引がまだ知らない題名は十五文字より長い", "body": "遅れても見つかる"]
                let written = try await board.call("POST", "/v1/threads/\(thread.id)/posts", as: person, draft)
                let stale = try await board.call("GET", target, as: person)
                #expect(try stale.value(200, as: Page<Post>.self).items.map(\.id) == [before.id])
                #expect(stale.headers["Keijiban-Stale"]?.contains("search;age=") == true)
                let asking = Asking(person: person, headers: ["Keijiban-Position": try #require(written.position)])
                #expect(try await board.send("GET", board.gateway.address + target, asking).status == 503)
            }
            try await eventually("the index is level") {
                let answer = try await board.call("GET", target, as: person)
                return try answer.value(200, as: Page<Post>.self).items.count == 2
                    && answer.headers["Keijiban-Stale"]?.contains("search") != true
            }
        }

        @Test(arguments: [
            ("date=2024-3-2", "date"), ("date=2023-02-29", "date"), ("date=", "date"),
            ("date=2024-03-02&tz=Mars/Base", "tz"),
            ("date=2024-03-02&tz=JST", "tz"), ("tz=GMT%2B9", "tz"), ("tz=", "tz"), ("from=2024-03-02", "from"),
            ("to=yesterday", "to"), ("thread=1", "thread"), ("author=you", "author"), ("q=", "q"), ("q=%E3%80%80", "q"),
            ("q=a%01b", "q"), ("q=%E2%80%8B", "q"), ("q=" + String(repeating: "a", count: 101), "q"), ("q=a&q=b", "q"),
            ("limit=0", "limit"), ("limit=101", "limit"), ("limit=x", "limit"), ("cursor=x", "cursor"),
            ("order=latest", "order"), ("word=a", "word"),
        ])
        func whatIsWrongWithAQueryIsNamed(_ query: String, parameter: String) async throws {
            let board = try await TestBoard.shared()
            let answer = try await board.call("GET", "/v1/posts?\(query)")
            #expect(answer.status == 400 && answer.problem == "malformed-request")
            let problem = try JSON.decode(Problem.self, from: answer.body)
            #expect(problem.errors?.map(\.field) == [parameter])
        }

        @Test func meIsWhoIsSignedInAndNoQueryIsA500() async throws {
            let board = try await TestBoard.shared()
            #expect(try await board.status("GET", "/v1/posts?author=me") == 401)
            let longest = String(repeating: "%F0%9F%8D%9B", count: 100)
            #expect(try await board.status("GET", "/v1/posts?q=\(longest)") == 200)
            #expect(try await board.status("GET", "/v1/posts?q=a%00b") == 400)
            for day in ["0001-01-01", "9999-12-31"] {
                #expect(try await board.status("GET", "/v1/posts?date=\(day)&tz=Asia/Tokyo") == 200)
            }
        }

        @Test func aCursorIsOfItsSearchAlone() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            for _ in 0..<2 { _ = try await self.write(board, person, thread, "カレー", date: "2023-01-01T03:00:00Z") }
            let conditions = "thread=\(thread.id)&q=%E3%82%AB&date=2023-01-01&author=\(person.id)"
            let page: Page<Post> = try await board.get("/v1/posts?\(conditions)&limit=1", as: person)
            let cursor = try #require(page.nextCursor)
            let next: Page<Post> = try await board.get("/v1/posts?\(conditions)&cursor=\(cursor)", as: person)
            #expect(next.items.count == 1 && next.nextCursor == nil)
            for other in [
                "", "thread=\(thread.id)", conditions.replacing("2023-01-01", with: "2023-01-02"),
                conditions + "&tz=UTC",
                conditions.replacing("%AB", with: "%AD"), conditions + "&to=2023-01-01T04:00:00Z",
                conditions.replacing("author=\(person.id)", with: "author=\(ID.random())"),
            ] {
                let answer = try await board.call("GET", "/v1/posts?\(other)&cursor=\(cursor)")
                #expect(answer.status == 400 && answer.problem == "malformed-request", "\(other)")
            }
            let list = try await board.call("GET", "/v1/threads/\(thread.id)/posts?cursor=\(cursor)")
            #expect(list.status == 400)
        }
    }
}
