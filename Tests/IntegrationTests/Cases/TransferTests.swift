import Foundation
import HTTP
import KeijibanAPI
import Postgres
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct TransferTests {
        private struct Offer: Decodable {
            let transferCode: String
            let expiresAt: Timestamp
        }

        private func offer(_ person: Person, key: String = UUID().uuidString, on board: TestBoard) async throws -> Offer
        {
            try await board.call("POST", "/v1/users/me/transfer", as: person, key: key).value(201)
        }

        private func join(
            _ code: String,
            device: String? = UUID().uuidString,
            key: String = UUID().uuidString,
            on board: TestBoard
        ) async throws -> ClientResponse {
            var draft = ["transferCode": code]
            draft["deviceId"] = device
            return try await board.call("POST", "/v1/users", draft, key: key)
        }

        @Test func aCodeMakesAnotherDeviceTheSameUserOnce() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp("ハナ")
            let offer = try await self.offer(person, on: board)
            #expect(offer.transferCode.wholeMatch(of: /[2-9A-HJKMNP-Z]{10}/) != nil, "\(offer.transferCode)")
            let left = offer.expiresAt.milliseconds - Timestamp.now.milliseconds
            #expect((590_000...601_000).contains(left))
            let (device, key) = (UUID().uuidString, UUID().uuidString)
            let joined = try await self.join(offer.transferCode, device: device, key: key, on: board)
            let session = try joined.value(200, as: Session.self)
            #expect(session.user.id == person.id && session.user.displayName == "ハナ")
            let me: User = try await board.get(
                "/v1/users/me",
                as: Person(id: person.id, name: "", token: session.token)
            )
            #expect(me.id == person.id)
            // The same request again is answered again; another one comes too late.
            let repeated = try await self.join(offer.transferCode, device: device, key: key, on: board)
            #expect(try repeated.value(200, as: Session.self).user.id == person.id)
            #expect(repeated.headers["Idempotent-Replay"] == "true")
            for late in [device, UUID().uuidString] {
                let answer = try await self.join(offer.transferCode, device: late, on: board)
                #expect(answer.status == 422 && answer.fields == ["transferCode"])
            }
            // From now on the device is this user's without a code.
            let again = try await board.call("POST", "/v1/users", ["deviceId": device])
            #expect(try again.value(200, as: Session.self).user.id == person.id)
            let events: [String] = try await board.query(.gateway, "select data from events")
            #expect(!events.contains { $0.contains(offer.transferCode) })
        }

        @Test func ofDevicesThatRaceForACodeOneWins() async throws {
            let board = try await TestBoard.shared()
            let other = try board.anotherGateway()
            try other.start()
            try await eventually("the second gateway is ready") {
                try await board.send("GET", other.address + "/readyz").status == 200
            }
            for _ in 0..<3 {
                let person = try await board.signUp()
                let code = try await self.offer(person, on: board).transferCode
                let answers = try await inParallel(20) { index in
                    try await board.call(
                        "POST",
                        "/v1/users",
                        ["transferCode": code, "deviceId": UUID().uuidString],
                        at: index.isMultiple(of: 2) ? other : board.gateway
                    )
                }
                #expect(answers.filter { $0.status == 200 }.count == 1)
                #expect(answers.filter { $0.status == 422 && $0.fields == ["transferCode"] }.count == 19)
                let devices: [Int] = try await board.query(
                    .gateway,
                    "select count(*) from devices where user_id = $1",
                    person.id
                )
                #expect(devices == [2])
            }
            await other.stop()
        }

        @Test func aCodeMayBeTypedInAnyCaseWithSpacesAndHyphens() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let forms: [(String) -> String] = [
                { $0.lowercased() }, { " \($0.prefix(5))-\($0.dropFirst(5)) " },
                { $0.map(String.init).joined(separator: " ") },
                { $0.applyingTransform(.fullwidthToHalfwidth, reverse: true) ?? "" },
            ]
            for form in forms {
                let code = form(try await self.offer(person, on: board).transferCode)
                let session = try await self.join(code, on: board).value(200, as: Session.self)
                #expect(session.user.id == person.id, "\(code)")
            }
        }

        @Test func aCodeThatIsUnknownExpiredReplacedOrWithoutADeviceIsRefused() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            for code in ["", "ABCDEFGH23", "short", "ABCDEFGH2O", String(repeating: "A", count: 10_000)] {
                let answer = try await self.join(code, on: board)
                #expect(answer.status == 422 && answer.fields == ["transferCode"], "\(code)")
            }
            let replaced = try await self.offer(person, on: board)
            let expired = try await self.offer(person, on: board)
            #expect(try await self.join(replaced.transferCode, on: board).fields == ["transferCode"])
            let bare = try await self.join(expired.transferCode, device: nil, on: board)
            #expect(bare.status == 422 && bare.fields == ["deviceId"])
            _ =
                try await board.query(
                    .gateway,
                    "update transfer_codes set expires_at = now() where user_id = $1 returning 1",
                    person.id
                ) as [Int]
            let late = try await self.join(expired.transferCode, on: board)
            #expect(late.status == 422 && late.fields == ["transferCode"])
            #expect(try await board.call("POST", "/v1/users/me/transfer").status == 401)
        }

        @Test func aRepeatedRequestForACodeGetsTheSameOneWhileItIsOpen() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let key = UUID().uuidString
            let offer = try await self.offer(person, key: key, on: board)
            let again = try await board.call("POST", "/v1/users/me/transfer", as: person, key: key)
            let same = try again.value(201, as: Offer.self)
            #expect(same.transferCode == offer.transferCode && same.expiresAt == offer.expiresAt)
            #expect(again.headers["Idempotent-Replay"] == "true")
            #expect(try await self.offer(person, on: board).transferCode != offer.transferCode)
            // Another one has taken its place.
            #expect(try await board.call("POST", "/v1/users/me/transfer", as: person, key: key).status == 404)
        }

        @Test func aDeviceOfAnotherUserMovesToTheOneWhoGaveTheCode() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let (device, key) = (UUID().uuidString, UUID().uuidString)
            let signUp = try await board.call("POST", "/v1/users", ["deviceId": device], key: key)
            let former = try signUp.value(201, as: Session.self)
            let code = try await self.offer(person, on: board).transferCode
            let joined = try await self.join(code, device: device, on: board).value(200, as: Session.self)
            #expect(joined.user.id == person.id)
            let now = try await board.call("POST", "/v1/users", ["deviceId": device]).value(200, as: Session.self)
            #expect(now.user.id == person.id)
            // A repeat of the request that made the former user has nobody to give.
            #expect(try await board.call("POST", "/v1/users", ["deviceId": device], key: key).status == 404)
            // The former user stands, with the tokens that are about.
            let me: User = try await board.get(
                "/v1/users/me",
                as: Person(id: former.user.id, name: "", token: former.token)
            )
            #expect(me.id == former.user.id)
        }

        @Test func aCodeOfADeletedAccountIsWorthNothing() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let code = try await self.offer(person, on: board).transferCode
            #expect(try await board.status("DELETE", "/v1/users/me", as: person) == 204)
            #expect(try await self.join(code, on: board).fields == ["transferCode"])
        }

        @Test func aRepeatedRequestForATokenIsAnsweredWithAnotherOneOfTheSameUser() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let key = UUID().uuidString
            let answers = try await (0..<2).asyncMap { _ in
                try await board.call("POST", "/v1/users/me/token", as: person, key: key)
            }
            #expect(answers.map { $0.headers["Idempotent-Replay"] } == [nil, "true"])
            for answer in answers { #expect(try answer.value(201, as: Session.self).user.id == person.id) }
            #expect(answers[0].headers["Location"] == answers[1].headers["Location"])
            // A device that is known is told so again, too.
            let device = ["deviceId": UUID().uuidString]
            #expect(try await board.call("POST", "/v1/users", device).status == 201)
            let known = try await (0..<2).asyncMap { _ in try await board.call("POST", "/v1/users", device, key: key) }
            #expect(known.map(\.status) == [200, 200])
            #expect(known.map { $0.headers["Idempotent-Replay"] } == [nil, "true"])
            let reused = ["deviceId": device["deviceId"] ?? "", "displayName": "ハナ"]
            #expect(try await board.call("POST", "/v1/users", reused, key: key).problem == "idempotency-key-reused")
        }
    }
}
