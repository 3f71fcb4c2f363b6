public import FoundationEssentials

/// The settings of a process, read from its environment.
///
/// Reading never fails: a fault is noted and a stand-in returned, and `finish()` throws all faults together. Every
/// setting `NAME` may stand in a file instead, named by `NAME_FILE`. One that is empty counts as not set.
public struct Settings: Sendable {
    /// Settings that begin with this belong to the project, so one that nobody asks for is a typing error.
    public static let prefix = "KEIJIBAN_"

    private let environment: [String: String]
    private let checksOnly: Bool
    private var known: Set<String>
    private(set) var faults: [String] = []

    /// What was read, by name: secrets and passwords within addresses masked, defaults included.
    public private(set) var described: [String: String] = [:]

    /// - Parameter allowed: names that other processes with the same environment read.
    public init(
        _ environment: [String: String] = ProcessInfo.processInfo.environment,
        allowed: some Sequence<String> = []
    ) {
        self.init(environment, allowed: allowed, checksOnly: false)
    }

    init(_ environment: [String: String], allowed: some Sequence<String>, checksOnly: Bool) {
        self.environment = environment
        self.checksOnly = checksOnly
        self.known = Set(allowed.flatMap { [$0, $0 + "_FILE"] })
    }

    /// Notes a fault that only the caller can see, such as two settings that exclude each other. The same one is noted once.
    public mutating func fault(_ sentence: String) {
        if !self.faults.contains(sentence) { self.faults.append(sentence) }
    }

    /// Ends the reading: throws when anything noted, or any unknown `KEIJIBAN_` name, is wrong.
    ///
    /// With `--check-config` it throws in any case, without faults where there are none, so that nothing after it
    /// happens.
    public mutating func finish() throws(ConfigurationError) {
        let unknown = self.environment.keys.filter { $0.hasPrefix(Self.prefix) && !self.known.contains($0) }
        for name in unknown.sorted() {
            self.known.insert(name)
            let meant = Self.nearest(to: name, among: self.known.subtracting(unknown))
            self.fault("\(name) is no setting of this program" + (meant.map { "; is \($0) meant?" } ?? ""))
        }
        if !self.faults.isEmpty || self.checksOnly { throw ConfigurationError(faults: self.faults) }
    }

    /// The path in `NAME_FILE`, for a setting whose file is read again while the process runs; nil where it is not set. The file
    /// need not be there yet.
    public mutating func filePath(_ name: String) -> String? {
        self.known.formUnion([name, name + "_FILE"])
        guard let path = self.environment[name + "_FILE"], !path.isEmpty else { return nil }
        self.note(name + "_FILE", is: path)
        return path
    }

    /// The text of a setting from the environment or the file that stands in for it; nil where neither is set.
    mutating func text(of name: String) -> String? {
        self.known.formUnion([name, name + "_FILE"])
        let value = self.environment[name].flatMap { $0.isEmpty ? nil : $0 }
        guard let path = self.environment[name + "_FILE"], !path.isEmpty else { return value }
        if value != nil {
            self.fault("\(name) and \(name)_FILE are both set")
            return value
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            self.fault("\(name)_FILE names \(path), which is not there or cannot be read")
            return nil
        }
        guard let content = String(validating: data, as: UTF8.self)?.trimmingLineEnds, !content.isEmpty else {
            self.fault("\(name)_FILE names \(path), which is empty or no text")
            return nil
        }
        return content
    }

    mutating func note(_ name: String, is value: String) {
        self.described[name] = value
    }

    private static func nearest(to name: String, among names: Set<String>) -> String? {
        let distances = names.map { (distance: Self.distance($0, name), name: $0) }.filter { $0.distance <= 3 }
        return distances.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// How many letters must be put in, taken out or changed to make one name the other (Levenshtein).
    private static func distance(_ left: String, _ right: String) -> Int {
        var row = Array(0...right.utf8.count)
        for (line, from) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, to) in right.utf8.enumerated() {
                let change = diagonal + (from == to ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.utf8.count]
    }
}

extension String {
    fileprivate var trimmingLineEnds: String {
        var text = self[...]
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}
