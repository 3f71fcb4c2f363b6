import Foundation

/// A shell command as a child of this process.
///
/// Not Foundation's `Process`: that notes the end of a child by a socket, which a server started by the child
/// inherits and keeps open.
enum PrivatePostgresShell {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts `command` in a session of its own, with no descriptors but its input and output.
    static func start(_ command: String, input: FileHandle? = nil, output: String = "/dev/null") throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if let input { unsafe posix_spawn_file_actions_adddup2(&actions, input.fileDescriptor, 0) }
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        for other in Int32(3)..<256 { unsafe posix_spawn_file_actions_addclose(&actions, other) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(&attributes, 0x80)  // POSIX_SPAWN_SETSID
        var id: pid_t = 0
        let arguments = unsafe ["/bin/sh", "-c", command].map { (word: String) in unsafe strdup(word) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        let failure = unsafe posix_spawn(&id, "/bin/sh", &actions, &attributes, arguments, environ)
        guard failure == 0 else { throw Failure(description: unsafe String(cString: strerror(failure))) }
        return id
    }

    /// Runs `command`, for a minute at most, and throws with what it said when it fails.
    ///
    /// Meanwhile it holds the lock `folder`.lock, so that nobody removes the folder beneath it.
    static func run(_ command: String, on folder: String) async throws {
        let output = folder + ".said-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: output) }
        // A server that it starts keeps the output open, so that is a file and not a pipe.
        let id = try self.start("cd / && flock -s -o '\(folder).lock' timeout 60 \(command)", output: output)
        let status: Int32 = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var status: Int32 = 0
                while unsafe waitpid(id, &status, 0) < 0 && errno == EINTR {}
                continuation.resume(returning: status)
            }
        }
        guard status == 0 else {
            let said = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            throw Failure(description: "\(command) ended with status \(status): \(said)")
        }
    }
}
