internal import Foundation

/// A line that a service printed: JSON with a level, or the last words of one that crashed.
struct LogLine: Sendable {
    private static let shown: Set = ["warning", "error", "critical", "fatal"]
    /// Known from the line's place at the terminal, or of use only in the file.
    private static let leftOut: Set = ["time", "level", "service", "event", "requestId", "traceId", "spanId"]

    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// What of it a person at the terminal should see; nil for the levels below a warning.
    var forTerminal: String? {
        guard
            self.bytes.first == UInt8(ascii: "{"),
            let fields = try? JSONSerialization.jsonObject(with: Data(self.bytes)) as? [String: Any],
            let level = (fields["level"] as? String)?.lowercased()
        else { return String(decoding: self.bytes, as: UTF8.self) }
        guard Self.shown.contains(level) else { return nil }
        let rest = fields.filter { !Self.leftOut.contains($0.key) }.sorted { $0.key < $1.key }
        let words = rest.map { "\($0.key)=\($0.value)" }
        return ([level + ":", fields["event"] as? String].compactMap(\.self) + words).joined(separator: " ")
    }
}
