import HTTP
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct TextTests {
        private struct Refused: Sendable, CustomTestStringConvertible {
            let name: String
            let body: [UInt8]
            let status: Int
            var testDescription: String { self.name }

            init(_ name: String, _ body: [UInt8], _ status: Int) {
                (self.name, self.body, self.status) = (name, body, status)
            }
        }

        private static let head = Array(#"{"body":"本文です。","title":"制御文字を含む題名の投稿です "#.utf8)
        private static let refused = [
            Refused("NUL", head + Array(#"a\u0000b"}"#.utf8), 422),
            Refused("a raw NUL", head + [0x61, 0, 0x62] + Array(#""}"#.utf8), 400),
            Refused("a control character", head + Array(#"a\u0007b"}"#.utf8), 422),
            Refused("bytes that are no UTF-8", head + [0xFF, 0xFE] + Array(#""}"#.utf8), 400),
            Refused("an overlong slash", head + [0xC0, 0x80] + Array(#""}"#.utf8), 400),
            Refused("a lone surrogate", head + Array(#"\ud800"}"#.utf8), 400),
            Refused("a surrogate in UTF-8", head + [0xED, 0xA0, 0x80] + Array(#""}"#.utf8), 400),
            Refused("half an object", head, 400),
        ]

        @Test(arguments: refused)
        private func textThatIsNoneIsRefusedAndNothingStored(_ refused: Refused) async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            let thread = try await board.openThread(person)
            let path = "/v1/threads/\(thread.id)/posts"
            let answer = try await board.call("POST", path, as: person, body: refused.body)
            #expect(answer.status == refused.status, "\(answer.text)")
            #expect(answer.problem == (refused.status == 422 ? "validation-failed" : "malformed-request"))
            let rows: [Int] = try await board.query(
                .posts,
                "select count(*) from posts where thread_id = $1",
                thread.id
            )
            #expect(rows == [0])
            // The next one is not harmed.
            _ = try await board.post(person, in: thread)
        }

        @Test func damagedNamesAndThreadTitlesAreRefusedToo() async throws {
            let board = try await TestBoard.shared()
            let person = try await board.signUp()
            for (path, field) in [("/v1/users", "displayName"), ("/v1/threads", "title")] {
                let values = [(Array(#"a\u0000b"#.utf8), 422), ([0xFF, 0xFE], 400), (Array(#"\ud800"#.utf8), 400)]
                for (value, status) in values {
                    let body = Array(#"{"\#(field)":""#.utf8) + value + Array(#""}"#.utf8)
                    let answer = try await board.call("POST", path, as: person, body: body)
                    #expect(answer.status == status, "\(path): \(answer.text)")
                }
            }
        }
    }
}
