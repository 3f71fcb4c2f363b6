import Foundation
import HTTP
import KeijibanAPI
import Peers
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct KeyDirectoryTests {
    /// A gateway that publishes keys, and counts how often it is asked.
    final class Gateway: Sendable {
        private struct State {
            var keys: [KeySet.Key] = []
            var questions = 0
            var isHeld = false
        }

        private let state = Mutex(State())
        var questions: Int { self.state.withLock { $0.questions } }

        func publish(_ keys: GatewayKey...) { self.state.withLock { $0.keys = keys.map(\.published) } }
        func hold(_ isHeld: Bool) { self.state.withLock { $0.isHeld = isHeld } }

        func serve<Value>(_ body: (Peer) async throws -> Value) async throws -> Value {
            let route = Route("GET", "/internal/jwks") { _ in
                let keys = self.state.withLock { state in
                    state.questions += 1
                    return state.keys
                }
                try? await eventually("the answer may go") { !self.state.withLock { $0.isHeld } }
                return Response(status: 200, headers: [:], body: .bytes((try? JSON.encode(KeySet(keys: keys))) ?? []))
            }
            let access = InternalAccess(secret: "secret")
            let server = try Server(
                Server.Configuration(),
                router: Router(access.guarding([route])) { refusal, _ in
                    Response(status: refusal.status, headers: [:], body: .empty)
                }
            )
            let peer = Peer(
                "gateway",
                at: "http://127.0.0.1:\(server.port)",
                client: Client(Client.Configuration()),
                access: access
            )
            return try await withBackground([{ await server.run() }]) { try await body(peer) }
        }
    }

    private static let nobody = Peer(
        "gateway",
        at: "http://127.0.0.1:1",
        client: Client(Client.Configuration()),
        access: InternalAccess(secret: "secret")
    )

    private func cachePath() -> String {
        FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString).json").path
    }

    @Test func anUnknownKeyIsAskedFor() async throws {
        let (gateway, key, user) = (Gateway(), GatewayKey("k1"), ID.random())
        gateway.publish(key)
        try await gateway.serve { peer in
            let keys = KeyDirectory(gateway: peer, cachePath: nil)
            let token = try key.signer.issue(to: user).token
            try await eventually("it is known") { try await keys.claims(of: token).userId == user }
            let questions = gateway.questions
            #expect(questions > 0)
            _ = try await keys.claims(of: try key.signer.issue(to: user).token)
            #expect(gateway.questions == questions)
        }
    }

    @Test func whatWasAskedOnceIsKnownAtTheNextStartWithoutTheGateway() async throws {
        let (gateway, key, path) = (Gateway(), GatewayKey("k1"), self.cachePath())
        defer { try? FileManager.default.removeItem(atPath: path) }
        gateway.publish(key)
        try await gateway.serve { peer in
            let keys = KeyDirectory(gateway: peer, cachePath: path)
            try await eventually("it is asked") {
                try await keys.refresh()
                return true
            }
        }
        let keys = KeyDirectory(gateway: Self.nobody, cachePath: path)
        _ = try await keys.claims(of: try key.signer.issue(to: .random()).token)
    }

    @Test func aDamagedCacheIsAsNone() async throws {
        let (gateway, key, path) = (Gateway(), GatewayKey("k1"), self.cachePath())
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("{".utf8).write(to: URL(filePath: path))
        gateway.publish(key)
        try await gateway.serve { peer in
            _ = try await KeyDirectory(gateway: peer, cachePath: path).claims(
                of: try key.signer.issue(to: .random()).token
            )
        }
    }

    @Test func whereNobodyCanSayItIsNotTheUsersFault() async throws {
        let keys = KeyDirectory(gateway: Self.nobody, cachePath: nil)
        let token = try GatewayKey("k1").signer.issue(to: .random()).token
        for _ in 0..<3 {
            await #expect(throws: PeerError.self) { try await keys.claims(of: token) }
        }
    }

    @Test func strangersKeysCauseOneQuestionAtATime() async throws {
        let gateway = Gateway()
        gateway.publish(GatewayKey("k1"))
        gateway.hold(true)
        try await gateway.serve { peer in
            let keys = KeyDirectory(gateway: peer, cachePath: nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    let token = try GatewayKey("made up \(number)").signer.issue(to: .random()).token
                    group.addTask {
                        await #expect(throws: (any Error).self) { try await keys.claims(of: token) }
                    }
                }
                try await eventually("it is asked") { gateway.questions > 0 }
                gateway.hold(false)
                try await group.waitForAll()
            }
        }
        #expect(gateway.questions < 10)
    }

    @Test func manyWhoComeWithANewKeyAtOnceAreAllKnown() async throws {
        let (gateway, old, new) = (Gateway(), GatewayKey("old"), GatewayKey("new"))
        gateway.publish(old)
        try await gateway.serve { peer in
            let keys = KeyDirectory(gateway: peer, cachePath: nil)
            try await eventually("the old one is known") {
                try await keys.refresh()
                return true
            }
            gateway.publish(old, new)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    let token = try new.signer.issue(to: .random()).token
                    group.addTask {
                        try await eventually("it is known") {
                            do {
                                _ = try await keys.claims(of: token)
                                return true
                            } catch is PeerError {
                                // A busy machine may be too slow to answer; that is never told as the user's fault.
                                return false
                            } catch {
                                Issue.record(error)
                                return true
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(gateway.questions < 10)
    }
}
