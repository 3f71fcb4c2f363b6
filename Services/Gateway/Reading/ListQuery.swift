import HTTP
import KeijibanAPI

/// Which page of a list is asked for.
struct ListQuery: Sendable {
    let limit: Int
    let order: String
    let cursor: [String]?
    /// What its cursors are bound to.
    let list: String

    /// Reads `limit`, `order` and `cursor`; throws 400 where one of them is not right. `list` also holds the values of whatever else
    /// says what is in the list.
    init(_ request: Request, orders: [String], cursors: CursorCodec, list: String) throws {
        let limit = request.query.first("limit").map { Int($0) ?? 0 } ?? 20
        guard (1...100).contains(limit) else {
            throw FieldFaults.parameter("limit", .wrongType(expected: "a whole number from 1 to 100"))
        }
        let order = request.query.first("order") ?? orders[0]
        guard orders.contains(order) else {
            throw FieldFaults.parameter("order", .wrongType(expected: "one of \(orders.joined(separator: ", "))"))
        }
        self.limit = limit
        self.order = order
        self.list = "\(list)?\(order)"
        let bound = self.list
        self.cursor = try request.query.first("cursor").map { try cursors.decode($0, list: bound) }
    }

    /// The id that the cursor's field holds.
    func id(_ field: Int) throws -> ID? {
        guard let cursor = self.cursor else { return nil }
        guard cursor.indices.contains(field), let id = ID(cursor[field]) else {
            throw FieldFaults.parameter("cursor", .cursor)
        }
        return id
    }

    /// The number that the cursor's field holds.
    func number(_ field: Int) throws -> Int64? {
        guard let cursor = self.cursor else { return nil }
        guard cursor.indices.contains(field), let number = Int64(cursor[field]) else {
            throw FieldFaults.parameter("cursor", .cursor)
        }
        return number
    }
}
