internal import Foundation

/// Ends a wait on a socket from another thread.
final class Doorbell: Sendable {
    let descriptor: Int32
    private let writingEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        if unsafe pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }
        self.descriptor = ends[0]
        self.writingEnd = ends[1]
    }

    deinit {
        close(self.descriptor)
        close(self.writingEnd)
    }

    /// Ends the wait that is going on, or else the next one.
    func ring() {
        _ = unsafe write(self.writingEnd, [1], 1)
    }

    /// Forgets what rang so far.
    func silence() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while unsafe read(self.descriptor, &bytes, bytes.count) > 0 {}
    }
}
