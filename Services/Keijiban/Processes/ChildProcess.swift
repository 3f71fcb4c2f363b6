internal import BlockingIO
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A process that this one started.
///
/// A signal only ever reaches that process: its number is given back to the system under the same lock under which
/// signals are sent.
final class ChildProcess: Sendable {
    let pid: pid_t
    /// The writing end of its standard input. It reads the end of it when this process is gone, however it went.
    private let lifeline: Descriptor?
    private let hasEnded = Mutex(false)

    /// Starts it with a lifeline as standard input, and one file for all that it prints.
    convenience init(_ program: Program, output: Descriptor) throws(SystemError) {
        let (reading, writing) = try Descriptor.pipe()
        try self.init(program, input: reading, output: output, lifeline: writing)
    }

    init(
        _ program: Program,
        input: Descriptor,
        output: Descriptor,
        lifeline: Descriptor? = nil
    ) throws(SystemError) {
        self.pid = try program.spawn(input: input, output: output, errors: output)
        self.lifeline = lifeline
    }

    /// Returns when it has ended. To be called once; until then the process stays in the process table.
    func wait() async -> ExitStatus {
        await BlockingThread(name: "wait-\(self.pid)").run { self.reap() }
    }

    /// Returns when it has ended. A cancelled task asks it to stop first, and waits on.
    func wait(stopping rule: StopRule) async -> ExitStatus {
        await withTaskCancellationHandler {
            await self.wait()
        } onCancel: {
            self.stop(rule)
        }
    }

    /// Asks it to stop, and makes it stop when the grace is over.
    func stop(_ rule: StopRule) {
        self.signal(rule.signal)
        self.end(after: rule.graceSeconds, with: rule.lastSignal)
    }

    /// Ends it, and what it started itself, unless it has ended by then.
    func end(after seconds: Int, with signal: Int32 = SIGKILL) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { self.signalGroup(signal) }
    }

    func signal(_ number: Int32) {
        self.hasEnded.withLock { if !$0 { kill(self.pid, number) } }
    }

    /// Reaches also what the process itself started. Only for programs with a group of their own.
    func signalGroup(_ number: Int32) {
        self.hasEnded.withLock { if !$0 { kill(-self.pid, number) } }
    }

    private func reap() -> ExitStatus {
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(self.pid), &information, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
        return self.hasEnded.withLock { hasEnded in
            hasEnded = true
            var status: Int32 = 0
            unsafe waitpid(self.pid, &status, 0)
            return ExitStatus(status)
        }
    }
}
