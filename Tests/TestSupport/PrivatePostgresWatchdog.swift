import Foundation

/// A shell that waits for the end of this process, then stops the server and removes its folder.
///
/// It holds the reading end of a pipe. The system closes the writing end however this process ends.
final class PrivatePostgresWatchdog: Sendable {
    private let lifeline: FileHandle

    init(folder: String) throws {
        let pipe = Pipe()
        self.lifeline = pipe.fileHandleForWriting
        // No child may keep the pipe open.
        _ = fcntl(self.lifeline.fileDescriptor, F_SETFD, FD_CLOEXEC)
        let stop = PrivatePostgresTool.commandLine("pg_ctl", ["stop", "-m", "immediate", "-D", folder + "/data"])
        _ = try PrivatePostgresShell.start(
            "cd /; cat > /dev/null; flock '\(folder).lock' \(stop); rm -rf '\(folder)' '\(folder)'.*",
            input: pipe.fileHandleForReading
        )
    }

    /// Lets the watchdog do its work now.
    func release() {
        try? self.lifeline.close()
    }
}
