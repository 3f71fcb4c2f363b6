public import FoundationEssentials
import Glibc

/// The part of `main` that every executable shares: settings, signals, exit codes.
public enum ServiceProcess {
    enum ExitCode {
        static let clean: Int32 = 0
        static let failure: Int32 = 1
        /// EX_CONFIG of sysexits.h.
        static let configuration: Int32 = 78
    }

    /// Runs a process to its end. It exits with 0 after a clean stop, 78 where a setting is wrong, else 1.
    ///
    /// `--check-config` shows the settings, with secrets masked, and ends where `body` calls `settings.finish()`.
    /// With `KEIJIBAN_LIFELINE=stdin` the process stops when standard input ends, and leaves SIGINT to who holds it.
    ///
    /// - Parameters:
    ///   - otherSettings: names that only other processes with the same environment read.
    ///   - body: reads the settings, calls `settings.finish()`, and returns what is to run, in the order of
    ///     `ServiceGroup`.
    public static func run(
        _ name: String,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        otherSettings: [String] = [],
        _ body: (inout Settings, Telemetry) async throws -> [Component]
    ) async -> Never {
        // A reader that is gone is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        var settings = Settings(
            environment,
            allowed: otherSettings,
            checksOnly: arguments.contains("--check-config")
        )
        let level = settings.choice("KEIJIBAN_LOG_LEVEL", default: LogLevel.info)
        let telemetry = Telemetry(service: name, level: level)
        let code = await self.outcome(of: body, &settings, arguments, telemetry)
        telemetry.flush()
        // Not exit(): the exit handlers of C libraries would run beside their threads.
        _exit(code)
    }

    /// Reads how long a stop may take, `KEIJIBAN_GRACE_SECONDS`.
    public static func grace(_ settings: inout Settings) -> Duration {
        settings.duration("KEIJIBAN_GRACE_SECONDS", default: .seconds(8), in: .zero ... .seconds(3600))
    }

    static func outcome(
        of body: (inout Settings, Telemetry) async throws -> [Component],
        _ settings: inout Settings,
        _ arguments: [String],
        _ telemetry: Telemetry,
        output: (String) -> Void = { write($0, to: STDOUT_FILENO) },
        errors: (String) -> Void = { write($0, to: STDERR_FILENO) }
    ) async -> Int32 {
        do {
            let grace = self.grace(&settings)
            let lifeline = settings.choice("KEIJIBAN_LIFELINE", default: Lifeline.none)
            for argument in arguments where argument != "--check-config" {
                settings.fault("\(argument) is no argument of this program; it takes --check-config")
            }
            telemetry.collectProcess()
            let stop = StopRequest()
            let triggers = StopTriggers(lifeline.triggers) { cause in
                // Nothing was promised to anybody yet, and starting may take long.
                if stop.isRunning { stop.ask(cause) } else { _exit(ExitCode.clean) }
            } impatient: {
                _exit(ExitCode.failure)
            }
            defer { triggers.close() }
            let components = try await body(&settings, telemetry)
            try settings.finish()
            telemetry.report(.started)
            try await ServiceGroup(components, grace: grace) { self.observe($0, telemetry) }.run(until: stop)
            telemetry.report(.stopped)
            return ExitCode.clean
        } catch let error as ConfigurationError where error.faults.isEmpty {
            output(settings.described.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined())
            return ExitCode.clean
        } catch {
            let faults = self.faults(behind: error, &settings)
            guard faults.isEmpty else {
                errors("\(telemetry.service): \(ConfigurationError(faults: faults))\n")
                return ExitCode.configuration
            }
            telemetry.report(.failed, ["error": "\(error)"])
            return ExitCode.failure
        }
    }

    /// What failed on a stand-in value fails because of the setting.
    private static func faults(behind error: any Error, _ settings: inout Settings) -> [String] {
        if let error = error as? ConfigurationError { return error.faults }
        if settings.faults.isEmpty { return [] }
        do {
            try settings.finish()
            return []
        } catch {
            return error.faults
        }
    }

    private static func observe(_ stage: ServiceGroup.Stage, _ telemetry: Telemetry) {
        switch stage {
        case .stopping(let reason):
            telemetry.report(.stopping, ["reason": reason])
        case .overdue(let names):
            telemetry.report(.stopOverdue, ["components": names.joined(separator: ", ")])
            telemetry.flush(within: .milliseconds(200))
            _exit(ExitCode.failure)
        case .impatient:
            _exit(ExitCode.failure)
        }
    }

    private static func write(_ text: String, to fileDescriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(fileDescriptor, bytes, bytes.count)
    }
}
