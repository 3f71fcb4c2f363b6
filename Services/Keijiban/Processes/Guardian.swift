internal import Glibc

/// Stands between the launcher and a program that knows nothing of lifelines: `keijiban guard SIGNAL PROGRAM ARGUMENT…`.
///
/// When the launcher is gone, however it went, or asks for a stop, the program gets the signal and 10 s, then what it
/// would get from nobody: SIGQUIT, and SIGKILL 5 s later. Ends as the program ended.
enum Guardian {
    /// Starts the program with a guardian before it; what both print is appended to the file `log`.
    static func start(_ program: Program, stopSignal: Int32, log: String) throws(SystemError) -> ChildProcess {
        let guarded = Program(
            executable: ProcessEnvironment.executable,
            arguments: ["guard", "\(stopSignal)", program.executable] + program.arguments,
            environment: program.environment,
            directory: program.directory
        )
        return try ChildProcess(guarded, output: LogFile(log).open())
    }

    static func run(_ arguments: [String]) async throws -> Int32 {
        guard arguments.count >= 2, let signal = Int32(arguments[0]), arguments[1].hasPrefix("/") else {
            throw UsageError("guard SIGNAL /PROGRAM [ARGUMENT…]")
        }
        let request = await StopRequest.bySignal(again: {})
        request.makeAtEndOfInput()
        let program = Program(
            executable: arguments[1],
            arguments: Array(arguments.dropFirst(2)),
            environment: ProcessEnvironment.current,
            hasOwnGroup: false
        )
        let child = try ChildProcess(program, output: .standardOutput)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await Self.stop(child, with: signal, when: request) }
            let status = await child.wait()
            group.cancelAll()
            return status.code
        }
    }

    private static func stop(_ child: ChildProcess, with signal: Int32, when request: StopRequest) async {
        await request.wait()
        do {
            for (signal, seconds) in [(signal, 10), (SIGQUIT, 5), (SIGKILL, 0)] {
                try Task.checkCancellation()
                child.signal(signal)
                try await Task.sleep(for: .seconds(seconds))
            }
        } catch {}  // it has ended
    }
}
