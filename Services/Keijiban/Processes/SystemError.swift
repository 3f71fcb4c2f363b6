internal import Glibc

/// A call to the system that failed: what was tried, and the system's own words for why it was not done.
struct SystemError: Error, CustomStringConvertible {
    let operation: String
    let code: Int32

    /// Takes the reason from `errno`, so it must be made right after the call that failed.
    init(_ operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
    }

    var description: String {
        unsafe "\(self.operation): \(String(cString: strerror(self.code)))"
    }
}
