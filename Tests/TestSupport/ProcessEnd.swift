import Foundation

/// How a test process ends whose shared board runs to the last moment.
public enum ProcessEnd {
    /// From now on the process ends without the `atexit` handlers that are there already.
    ///
    /// A library that takes itself down beneath running threads, as libcrypto does, would crash a process whose tests
    /// all passed. Handlers run last first, so this comes when all libraries have been used.
    public static func isImmediate() {
        unsafe on_exit(
            { status, _ in
                fflush(nil)
                _exit(status)
            },
            nil
        )
    }
}
