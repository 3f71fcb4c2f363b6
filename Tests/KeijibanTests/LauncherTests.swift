import Foundation
import Glibc
import Testing

@testable import Keijiban

/// The built launcher from outside, with a real PostgreSQL and the embedded broker.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct LauncherTests {
    private static let processes = ServicePrograms.names + ["broker", "postgres"]

    @Test func aBoardKeepsItsDataFromOneStartToTheNext() async throws {
        let board = try LaunchedBoard()
        defer { board.remove() }
        var launcher = try await board.launchUntilReady()
        #expect(board.output.contains(/Kafka: 127\.0\.0\.1:\d+\n/))
        let first = try await board.gatewayEnvironment()
        _ = try await board.query("create table kept as select 42 as it", on: try #require(first["DATABASE_URL"]))
        launcher.signal(SIGTERM)
        #expect(await launcher.wait() == .exited(0))
        #expect(Self.processes.allSatisfy { board.running($0) == nil })
        #expect(board.postmaster == nil)

        launcher = try await board.launchUntilReady()
        let second = try await board.gatewayEnvironment()
        #expect(try await board.query("select it from kept", on: try #require(second["DATABASE_URL"])) == "42")
        launcher.signal(SIGINT)
        #expect(await launcher.wait() == .exited(0))
    }

    @Test func aRoleReachesItsOwnDatabaseOnly() async throws {
        let board = try LaunchedBoard()
        defer { board.remove() }
        let launcher = try await board.launchUntilReady()
        let own = try #require(try await board.gatewayEnvironment()["DATABASE_URL"])
        #expect(try await board.query("select current_user", on: own) == "gateway")
        for other in ["likes", "postgres", "template1"] {
            let url = own.replacing(/gateway$/, with: other)
            await #expect(throws: Tool.Failure.self) { try await board.query("select 1", on: url) }
        }
        #expect(try await board.query("show fsync", on: own) == "on")
        launcher.signal(SIGTERM)
        _ = await launcher.wait()
    }

    @Test func everyProcessThatIsKilledComesBack() async throws {
        let board = try LaunchedBoard()
        defer { board.remove() }
        let launcher = try await board.launchUntilReady()
        for name in Self.processes {
            let before = try #require(board.running(name))
            kill(before.pid, SIGKILL)
            try await board.eventually { board.running(name).map { $0 != before } ?? false }
        }
        try await board.eventually { board.postmaster != nil }
        let before = try #require(board.postmaster)
        kill(before.pid, SIGKILL)
        try await board.eventually { board.postmaster.map { $0.pid != before.pid } ?? false }
        // The gateway is back at the address that was printed at the start, and its database takes connections.
        try await board.eventually {
            guard let url = try? await board.gatewayEnvironment()["DATABASE_URL"] else { return false }
            return (try? await board.query("select 1", on: url)) == "1"
        }
        launcher.signal(SIGTERM)
        #expect(await launcher.wait() == .exited(0))
    }

    @Test func nothingOutlivesAKilledLauncher() async throws {
        let board = try LaunchedBoard()
        defer { board.remove() }
        let launcher = try await board.launchUntilReady()
        launcher.signal(SIGKILL)
        _ = await launcher.wait()
        try await board.eventually { Self.processes.allSatisfy { board.running($0) == nil } }
        try await board.eventually { board.postmaster == nil }
    }

    @Test func aServerThatWasLeftRunningIsStoppedFirst() async throws {
        let board = try LaunchedBoard()
        defer { board.remove() }
        var launcher = try await board.launchUntilReady()
        let left = try #require(board.postmaster)
        // The guardian would stop the server when the launcher is gone, so it goes first.
        let guardian = try #require(board.running("postgres"))
        kill(guardian.pid, SIGSTOP)
        launcher.signal(SIGKILL)
        _ = await launcher.wait()
        kill(guardian.pid, SIGKILL)
        #expect(left.isAlive)

        launcher = try await board.launchUntilReady()
        #expect(!left.isAlive)
        launcher.signal(SIGTERM)
        #expect(await launcher.wait() == .exited(0))
    }

    @Test func whatIsInTheWayIsSaidInOneLine() async throws {
        let board = try LaunchedBoard()
        let other = try LaunchedBoard()
        defer {
            board.remove()
            other.remove()
        }
        let launcher = try await board.launchUntilReady()
        let port = try #require(try await board.gatewayEnvironment()["PORT"])

        let onTheSamePort = try other.launch(["KEIJIBAN_PORT": port])
        #expect(await onTheSamePort.wait() == .exited(1))
        #expect(other.output == "keijiban: port \(port) is in use (KEIJIBAN_PORT chooses another)\n")

        let onTheSameFolder = try other.launch(["KEIJIBAN_DATA": board.data])
        #expect(await onTheSameFolder.wait() == .exited(1))
        #expect(other.output.contains("is in use by another keijiban"))

        launcher.signal(SIGTERM)
        #expect(await launcher.wait() == .exited(0))
    }

    @Test func aWrongSettingOfAServiceEndsTheStart() async throws {
        let board = try LaunchedBoard()
        defer { board.remove() }
        let launcher = try board.launch(["FAULTY": "posts"])
        #expect(await launcher.wait() == .exited(78))
        #expect(board.output.contains("posts: a setting is wrong"))
        #expect(board.postmaster == nil)
    }
}
