/// One row of an answer.
public struct Row: Sendable {
    private let result: ResultHandle
    private let index: Int

    init(_ result: ResultHandle, _ index: Int) {
        self.result = result
        self.index = index
    }

    /// The value of a column, counted from 0. NULL is an error unless `Value` is optional.
    public func get<Value: PostgresValue>(_ column: Int, as: Value.Type = Value.self) throws(PostgresError) -> Value {
        guard (0..<self.result.columnCount).contains(column) else {
            throw PostgresError(.decoding, "there is no column \(column)")
        }
        do throws(PostgresError) {
            if let value: Value = try self.result.decode(row: self.index, column: column) { return value }
        } catch {
            throw PostgresError(.decoding, "column \(self.label(column)): \(error.message)")
        }
        guard let null = Value.null else {
            throw PostgresError(.decoding, "column \(self.label(column)): NULL is no \(Value.self)")
        }
        return null
    }

    /// The value of the first column of this name.
    public func get<Value: PostgresValue>(_ column: String, as: Value.Type = Value.self) throws(PostgresError) -> Value
    {
        guard let index = (0..<self.result.columnCount).first(where: { self.result.name(ofColumn: $0) == column })
        else {
            throw PostgresError(.decoding, "there is no column \(column)")
        }
        return try self.get(index)
    }

    private func label(_ column: Int) -> String { "\(column) (\(self.result.name(ofColumn: column)))" }
}
