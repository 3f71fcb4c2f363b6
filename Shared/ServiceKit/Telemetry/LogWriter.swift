import BlockingIO
import Dispatch
import Glibc
import Synchronization

/// Writes log lines to a file descriptor on a thread of its own, so that a slow reader stops nobody.
///
/// Lines that wait are written together. Beyond `limit` bytes waiting, new lines are left out.
public final class LogWriter: LogSink {
    /// The one for the whole process.
    public static let standardError = LogWriter(fileDescriptor: STDERR_FILENO)

    private let fileDescriptor: Int32
    private let limit: Int
    private let thread = BlockingThread(name: "log")
    private let waiting = Mutex<[UInt8]>([])

    public init(fileDescriptor: Int32, limit: Int = 4_000_000) {
        self.fileDescriptor = fileDescriptor
        self.limit = limit
    }

    public func write(_ line: [UInt8]) -> Bool {
        let (isTaken, isFirst) = self.waiting.withLock { waiting in
            if waiting.count + line.count > self.limit { return (false, false) }
            defer { waiting.append(contentsOf: line) }
            return (true, waiting.isEmpty)
        }
        if isFirst { self.thread.enqueue { self.writeWaiting() } }
        return isTaken
    }

    public func flush(within limit: Duration) {
        let done = DispatchSemaphore(value: 0)
        self.thread.enqueue { done.signal() }
        _ = done.wait(timeout: .now() + limit / .seconds(1))
    }

    private func writeWaiting() {
        var bytes = self.waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting[...]
        }
        while !bytes.isEmpty {
            let written = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(self.fileDescriptor, $0.baseAddress, $0.count)
            }
            if written > 0 {
                bytes = bytes.dropFirst(written)
            } else if errno == EAGAIN {
                var ready = pollfd(fd: self.fileDescriptor, events: Int16(POLLOUT), revents: 0)
                unsafe poll(&ready, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }
}
