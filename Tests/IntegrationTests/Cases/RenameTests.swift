import Foundation
import HTTP
import KeijibanAPI
import Postgres
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct RenameTests {
        private func rename(
            _ person: Person,
            to name: String,
            headers: Headers = [:],
            on board: TestBoard
        ) async throws -> ClientResponse {
            try await board.call("PATCH", "/v1/users/me", as: person, ["displayName": name], headers: headers)
        }

        @Test func everyAnswerShowsTheNewNameFromThenOnAlsoAtAnotherGateway() async throws {
            let board = try await TestBoard.shared()
            let other = try board.anotherGateway()
            try other.start()
            try await eventually("the second gateway is ready") {
                try await board.send("GET", other.address + "/readyz").status == 200
            }
            let person = try await board.signUp("前の名前")
            let thread = try await board.openThread(person)
            let post = try await board.post(person, in: thread)
            func names(at gateway: RunningPart, _ headers: Headers = [:]) async throws -> Set<String> {
                let threads: Page<BoardThread> = try await board.get(
                    "/v1/threads?limit=100",
                    headers: headers,
                    at: gateway
                )
                let one: BoardThread = try await board.get("/v1/threads/\(thread.id)", headers: headers, at: gateway)
                let posts: Page<Post> = try await board.get(
                    "/v1/threads/\(thread.id)/posts",
                    headers: headers,
                    at: gateway
                )
                let shown: Post = try await board.get("/v1/posts/\(post.id)", headers: headers, at: gateway)
                let user: User = try await board.get("/v1/users/\(person.id)", headers: headers, at: gateway)
                let listed = threads.items.filter { $0.id == thread.id }.map(\.author.displayName)
                let authors = listed + posts.items.map(\.author.displayName)
                return Set(authors + [one.author.displayName, shown.author.displayName, user.displayName])
            }
            // Both remember the first one.
            for gateway in [board.gateway, other] { #expect(try await names(at: gateway) == ["前の名前"]) }
            for number in 1...5 {
                let answer = try await self.rename(person, to: " 名前\(number) ", on: board)
                let user = try answer.value(200, as: User.self)
                #expect(user.displayName == "名前\(number)" && user.version == number + 1 && user.postCount == 1)
                #expect(try await names(at: board.gateway) == ["名前\(number)"])
                let headers: Headers = ["Keijiban-Position": try #require(answer.position)]
                #expect(try await names(at: other, headers) == ["名前\(number)"])
            }
            // Also to who does not bring a position.
            _ = try await self.rename(person, to: "最後", on: board).value(200, as: User.self)
            try await eventually("the other gateway has heard of it") { try await names(at: other) == ["最後"] }
            let events = try await board.log(UserRenamed.self, of: .gateway) { $0.id == person.id }
            #expect(events.map(\.version) == Array(2...7) && events.last?.displayName == "最後")
            await other.stop()
        }

        @Test func aRenameIsHeardOfAlsoWhereTheMessageIsMissed() async throws {
            let board = try await TestBoard.shared()
            let other = try board.anotherGateway(settings: [
                "KAFKA_BOOTSTRAP_SERVERS_FILE": "/nowhere/bootstrap-servers"
            ])
            try other.start()
            try await eventually("the second gateway is ready") {
                try await board.send("GET", other.address + "/readyz").status == 200
            }
            let person = try await board.signUp("前の名前")
            let before: User = try await board.get("/v1/users/\(person.id)", at: other)
            #expect(before.displayName == "前の名前")
            let listeners = "select pid from pg_stat_activity where query like 'listen keijiban_users%'"
            let ended: [Bool] = try await board.query(
                .gateway,
                "select pg_terminate_backend(pid) from (\(listeners)) x"
            )
            #expect(ended.count >= 1)
            #expect(try await self.rename(person, to: "次の名前", on: board).status == 200)
            try await eventually("the other gateway has found it") {
                let user: User = try await board.get("/v1/users/\(person.id)", at: other)
                return user.displayName == "次の名前"
            }
            await other.stop()
        }

        @Test func aRenameKeepsTheRulesOfEdits() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp("ハナ")
            let tag = try #require(try await board.call("GET", "/v1/users/me", as: person).headers["ETag"])
            let first = try await self.rename(person, to: "花", headers: ["If-Match": tag], on: board)
            #expect(first.status == 200 && first.headers["ETag"]?.hasPrefix("\"v2.") == true)
            let late = try await self.rename(person, to: "華", headers: ["If-Match": tag], on: board)
            #expect(late.status == 412 && late.problem == "precondition-failed")
            let damaged = try await self.rename(person, to: "華", headers: ["If-Match": "v2"], on: board)
            #expect(damaged.status == 400 && damaged.text.contains("If-Match"))
            let same = try await self.rename(person, to: "花", on: board)
            #expect(try same.value(200, as: User.self).version == 2)
            #expect(try await board.log(UserRenamed.self, of: .gateway) { $0.id == person.id }.count == 1)
            for (json, field) in [
                (#"{}"#, "displayName"), (#"{"displayName": null}"#, "displayName"),
                (#"{"displayName": ""}"#, "displayName"),
                (#"{"displayName": "花", "name": "x"}"#, "name"),
                (#"{"displayName": "\#(String(repeating: "あ", count: 21))"}"#, "displayName"),
            ] {
                let answer = try await board.call("PATCH", "/v1/users/me", as: person, body: Array(json.utf8))
                #expect(answer.status == 422 && answer.fields == [field], "\(answer.text)")
            }
            #expect(try await board.call("PATCH", "/v1/users/me", ["displayName": "花"]).status == 401)
        }
    }
}
