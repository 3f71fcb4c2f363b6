internal import Glibc

/// A file that log lines are appended to. It keeps its last 10 MB, and as much again in a file beside it.
struct LogFile: Sendable {
    static let limit = 10_000_000

    let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Opens it for appending; a file that is full by then is put aside first.
    func open() throws(SystemError) -> Descriptor {
        var status = stat()
        if unsafe stat(self.path, &status) == 0 && status.st_size > Self.limit {
            unsafe rename(self.path, "\(self.path).1")
        }
        return try Descriptor.open(self.path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
    }
}
