import Foundation
import ServiceKit
import Synchronization

/// Keeps log lines for a test to look at.
final class MemorySink: LogSink {
    private let taken = Mutex<[[UInt8]]>([])

    func write(_ line: [UInt8]) -> Bool {
        self.taken.withLock { $0.append(line) }
        return true
    }

    func flush(within limit: Duration) {}

    var text: String { String(decoding: self.taken.withLock { $0.flatMap { $0 } }, as: UTF8.self) }

    /// Each line as JSON; a line that is none is missing.
    var lines: [[String: Any]] {
        self.taken.withLock { $0 }.compactMap {
            try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]
        }
    }
}
