import Foundation

/// Where the broker is: a fixed list, or a file that names it and is read again, since a broker may come back elsewhere.
public enum KafkaEndpoint: Sendable {
    case fixed(String)
    case file(String)

    /// The bootstrap list as of now; nil where it is not written yet.
    public var bootstrapServers: String? {
        switch self {
        case .fixed(let servers): return servers
        case .file(let path):
            guard let data = FileManager.default.contents(atPath: path) else { return nil }
            let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            return text.isEmpty ? nil : text
        }
    }
}
