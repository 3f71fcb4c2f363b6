internal import Foundation

/// A line that a service printed: JSON with a level, or the last words of one that crashed.
struct LogLine: Sendable {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// What of it a person at the terminal should see; nil for the levels below a warning.
    var forTerminal: String? {
        guard
            self.bytes.first == UInt8(ascii: "{"),
            let fields = try? JSONSerialization.jsonObject(with: Data(self.bytes)) as? [String: Any],
            let level = fields["level"] as? String
        else { return String(decoding: self.bytes, as: UTF8.self) }
        guard ["warning", "error", "critical", "fatal"].contains(level.lowercased()) else { return nil }
        let said = ["event", "message", "reason", "error"].compactMap { fields[$0] as? String }
        return said.isEmpty ? String(decoding: self.bytes, as: UTF8.self) : "\(level): \(said.joined(separator: ": "))"
    }
}
