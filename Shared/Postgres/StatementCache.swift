/// The statements that one connection has prepared, by their text and the types of their parameters.
struct StatementCache {
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]
    }

    private struct Entry {
        let name: String
        var lastUse: Int
    }

    private var entries: [Key: Entry] = [:]
    private var clock = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The name to execute by, and whether it has to be prepared first.
    mutating func name(for key: Key) -> (name: String, isNew: Bool) {
        self.clock += 1
        if let entry = self.entries[key] {
            self.entries[key]?.lastUse = self.clock
            return (entry.name, false)
        }
        let entry = Entry(name: "s\(self.clock)", lastUse: self.clock)
        self.entries[key] = entry
        return (entry.name, true)
    }

    /// Gives up the statement that was not used for longest, when there are too many; the server has to be told.
    mutating func evict() -> String? {
        guard self.entries.count > self.limit,
            let oldest = self.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return nil }
        self.entries[oldest.key] = nil
        return oldest.value.name
    }

    /// The server does not have it, or not any more.
    mutating func forget(_ key: Key) {
        self.entries[key] = nil
    }
}
