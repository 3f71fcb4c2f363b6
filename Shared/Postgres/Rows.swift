/// What a query answered. The values stay in their binary form until they are read.
public struct Rows: RandomAccessCollection, Sendable {
    private let result: ResultHandle

    init(_ result: ResultHandle) {
        self.result = result
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { self.result.rowCount }

    public subscript(position: Int) -> Row {
        precondition(self.indices.contains(position), "no row \(position)")
        return Row(self.result, position)
    }

    /// How many rows the statement inserted, changed, deleted or selected.
    public var affected: Int { self.result.affectedRows }
}
