/// Entries that one statement puts in.
struct SearchLot {
    /// How many bytes they are; the last may pass it.
    static let limit = 4_000_000

    private var entries: [SearchEntry] = []
    private var size = 0

    var isFull: Bool { self.size >= Self.limit }

    mutating func add(_ entry: SearchEntry) {
        self.entries.append(entry)
        self.size += entry.size
    }

    /// The entries; it is empty then.
    mutating func take() -> [SearchEntry] {
        defer { self = SearchLot() }
        return self.entries
    }
}
