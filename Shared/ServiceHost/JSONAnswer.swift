public import Events
public import HTTP
import KeijibanAPI

extension Response {
    /// An answer of JSON. `position` is what a write reached.
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        headers: Headers = [:],
        position: PositionVector? = nil
    ) throws -> Response {
        var headers = headers
        headers["Content-Type"] = "application/json"
        if let position { headers[PositionVector.header] = position.token() }
        return Response(status: status, headers: headers, body: .bytes(try JSON.encode(value)))
    }

    /// 204, after a write that leaves nothing to show.
    public static func noContent(position: PositionVector? = nil) -> Response {
        var headers: Headers = [:]
        if let position { headers[PositionVector.header] = position.token() }
        return Response(status: 204, headers: headers)
    }
}

extension PositionVector {
    public static let header = "Keijiban-Position"
}

/// Says that an answer repeats an earlier one.
public let replayHeader = "Idempotent-Replay"
