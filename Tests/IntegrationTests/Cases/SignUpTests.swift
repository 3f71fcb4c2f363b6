import Foundation
import HTTP
import KeijibanAPI
import Postgres
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct SignUpTests {
        @Test func oneDeviceIsOneUserAlsoWhenCallsRace() async throws {
            let board = try await TestBoard.shared()
            let device = UUID().uuidString
            let answers = try await inParallel(20) { _ in
                try await board.call("POST", "/v1/users", ["deviceId": device, "displayName": "ハナ"])
            }
            #expect(answers.filter { $0.status == 201 }.count == 1)
            #expect(answers.allSatisfy { $0.status == 201 || $0.status == 200 })
            let sessions = try answers.map { try JSON.decode(Session.self, from: $0.body) }
            let ids = Set(sessions.map(\.user.id))
            #expect(ids.count == 1)
            let created = try await board.log(UserCreated.self, of: .gateway) { ids.contains($0.id) }
            #expect(created.count == 1)
            for session in sessions.prefix(3) {
                let person = Person(id: session.user.id, name: "", token: session.token)
                let me: User = try await board.get("/v1/users/me", as: person)
                #expect(me.id == session.user.id && me.displayName == "ハナ")
            }
            // The device's id is a secret.
            #expect(!answers.contains { $0.text.contains(device) })
            let events: [String] = try await board.query(.gateway, "select data from events")
            #expect(!events.contains { $0.contains(device) })
            let hashes: [[UInt8]] = try await board.query(.gateway, "select device_hash from devices")
            #expect(!hashes.contains(Array(device.utf8)))
        }

        @Test func anotherDeviceIsAnotherUserWhoOwnsNothingOfTheFirst() async throws {
            let board = try await TestBoard.shared()
            let people = try await board.signUp(2)
            #expect(people[0].id != people[1].id)
            let thread = try await board.openThread(people[0])
            let seen: BoardThread = try await board.get("/v1/threads/\(thread.id)", as: people[1])
            #expect(seen.author.id == people[0].id && !seen.canDelete)
            let own: BoardThread = try await board.get("/v1/threads/\(thread.id)", as: people[0])
            #expect(own.canDelete)
        }

        @Test func aKeyWithoutADeviceGivesNobodyASessionOfSomebodyElse() async throws {
            let board = try await TestBoard.shared()
            let key = UUID().uuidString
            let answers = try await (0..<2).asyncMap { _ in
                try await board.call("POST", "/v1/users", ["displayName": "ハナ"], key: key)
            }
            let users = try answers.map { try $0.value(201, as: Session.self).user.id }
            #expect(users[0] != users[1])
            #expect(answers.allSatisfy { $0.headers["Idempotent-Replay"] == nil })
        }
    }
}
