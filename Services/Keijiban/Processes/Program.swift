internal import CSpawn
internal import Glibc

/// Something to start: an executable file, its arguments and its whole environment.
struct Program: Sendable {
    let executable: String
    var arguments: [String] = []
    var environment: [String: String] = [:]
    /// Where it runs; nil is where this process does.
    var directory: String?
    /// A group of its own keeps the terminal's Ctrl-C away from it, so that it is stopped in its turn.
    var hasOwnGroup = true

    /// Starts it with these three files and no other, default signal actions and an empty signal mask.
    func spawn(input: Descriptor, output: Descriptor, errors: Descriptor) throws(SystemError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in [input, output, errors].enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, file.number, Int32(number))
        }
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        if let directory { unsafe posix_spawn_file_actions_addchdir_np(&actions, directory) }

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        if self.hasOwnGroup { flags |= POSIX_SPAWN_SETPGROUP }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

        var pid: pid_t = 0
        let environment = self.environment.map { "\($0.key)=\($0.value)" }.sorted()
        let result = unsafe withCStrings([self.executable] + self.arguments) { arguments in
            unsafe withCStrings(environment) { environment in
                unsafe posix_spawn(&pid, self.executable, &actions, &attributes, arguments, environment)
            }
        }
        guard result == 0 else { throw SystemError(self.executable, code: result) }
        return pid
    }
}

/// Lends the strings as the null-terminated array of C strings that `exec` takes.
private func withCStrings<R>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
    var pointers = unsafe strings.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
    return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress.unsafelyUnwrapped) }
}
