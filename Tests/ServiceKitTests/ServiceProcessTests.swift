import Foundation
import Glibc
import ServiceKit
import Testing

/// Each runs in a process of its own.
@Suite(.timeLimit(.minutes(2)))
struct ServiceProcessTests {
    struct Broken: Error {}

    @Test func aCleanStopExitsWithZeroAndSaysSo() async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            await ServiceProcess.run("board", environment: [:], arguments: []) { settings, _ in
                try settings.finish()
                return [stoppingMyself(SIGTERM)]
            }
        }
        let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(log.contains(#""event":"service.started""#))
        #expect(log.contains(#""event":"service.stopping","reason":"SIGTERM""#))
        #expect(log.contains(#""event":"service.stopped""#))
    }

    @Test func wrongSettingsExitWith78AndOneList() async throws {
        let result = await #expect(processExitsWith: .exitCode(78), observing: [\.standardErrorContent]) {
            let environment = ["KEIJIBAN_PORT": "abc", "KEIJIBAN_TYPO": "1", "KEIJIBAN_LOG_LEVEL": "loud"]
            await ServiceProcess.run("board", environment: environment, arguments: ["--what"]) { settings, _ in
                _ = settings.integer("KEIJIBAN_PORT")
                _ = settings.string("KEIJIBAN_DATABASE_URL")
                // What fails on a stand-in value fails because of the setting.
                throw Broken()
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("board: 5 settings are wrong:"))
        for name in ["KEIJIBAN_PORT", "KEIJIBAN_TYPO", "KEIJIBAN_LOG_LEVEL", "KEIJIBAN_DATABASE_URL", "--what"] {
            #expect(text.contains("\n  \(name)"), "\(name) is missing in \(text)")
        }
    }

    @Test func checkConfigShowsTheSettingsAndStartsNothing() async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardOutputContent]) {
            let environment = ["KEIJIBAN_SECRET": "hunter2"]
            await ServiceProcess.run("board", environment: environment, arguments: ["--check-config"]) { settings, _ in
                _ = settings.string("KEIJIBAN_SECRET", secret: true)
                try settings.finish()
                exit(5)
            }
        }
        let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(text.contains("KEIJIBAN_SECRET=********\n"))
        #expect(text.contains("KEIJIBAN_GRACE_SECONDS=8\n"))
        #expect(!text.contains("hunter2"))
    }

    @Test func checkConfigFindsFaultsToo() async {
        await #expect(processExitsWith: .exitCode(78)) {
            await ServiceProcess.run("board", environment: [:], arguments: ["--check-config"]) { settings, _ in
                _ = settings.string("KEIJIBAN_SECRET", secret: true)
                try settings.finish()
                return []
            }
        }
    }

    @Test func anErrorIsALogLineAndExitsWithOne() async throws {
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
            await ServiceProcess.run("board", environment: [:], arguments: []) { _, _ in
                [Component("broken") { throw Broken() }]
            }
        }
        let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(log.contains(#""event":"service.failed","error":"Broken()""#))
        #expect(!log.contains("Fatal error"))
    }

    @Test func whatDoesNotStopIsNamedAndEndedWhenTheGraceIsOver() async throws {
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
            let environment = ["KEIJIBAN_GRACE_SECONDS": "0.1"]
            await ServiceProcess.run("board", environment: environment, arguments: []) { _, _ in
                [Component("deaf") { await neverEnding() }, stoppingMyself(SIGTERM)]
            }
        }
        let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(log.contains(#""event":"service.stop-overdue","components":"deaf""#))
    }

    @Test func aSecondSignalExitsAtOnce() async throws {
        await #expect(processExitsWith: .exitCode(1)) {
            let environment = ["KEIJIBAN_GRACE_SECONDS": "600"]
            await ServiceProcess.run("board", environment: environment, arguments: []) { _, _ in
                [
                    Component("deaf") {
                        // Told to stop, it asks for a second signal and does not stop.
                        await untilCancelled()
                        kill(getpid(), SIGTERM)
                        await neverEnding()
                    }, stoppingMyself(SIGINT),
                ]
            }
        }
    }

    @Test func aSignalWhileStartingExitsWithZero() async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            await ServiceProcess.run("board", environment: [:], arguments: []) { _, _ in
                kill(getpid(), SIGTERM)
                await neverEnding()
                return []
            }
        }
    }

    @Test func theEndOfStandardInputStopsWhoeverHangsOnIt() async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            // Reading what is closed is an end, too.
            close(STDIN_FILENO)
            let environment = ["KEIJIBAN_LIFELINE": "stdin"]
            await ServiceProcess.run("board", environment: environment, arguments: []) { _, _ in
                [
                    Component("service") {
                        // It reaches the launcher too, which then lets go of the line.
                        kill(getpid(), SIGINT)
                        await untilCancelled()
                    }
                ]
            }
        }
    }
}

private func stoppingMyself(_ signal: Int32) -> Component {
    Component("signal") {
        kill(getpid(), signal)
        await untilCancelled()
    }
}

private func untilCancelled() async {
    let (never, _) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
}

private func neverEnding() async {
    await unsafe withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}
