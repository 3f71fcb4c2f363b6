public import HTTP
import KeijibanAPI

/// `/internal/events`: a service's log for those who follow it.
///
/// The position that a snapshot stands at, and where its next chunk begins, are headers, so that a chunk's body is events only.
public func logRoutes(_ reader: LogReader) -> [Route] {
    [
        Route("GET", "/internal/events/heads") { request in
            await answer(reader, request) { _ in
                let heads = try await reader.heads().map { HeadDocument(shard: $0.key.number, head: $0.value) }
                return Response(
                    status: 200,
                    headers: ["Content-Type": "application/json"],
                    body: .bytes(try JSON.encode(heads.sorted { $0.shard < $1.shard }))
                )
            }
        },
        Route("GET", "/internal/events/snapshot") { request in
            await answer(reader, request) { shard in
                let after = request.query.first("after").flatMap { ID($0) }
                let chunk = try await reader.chunk(of: shard, after: after)
                var headers: Headers = ["Content-Type": Event.sequenceContentType]
                headers[LogHeader.epoch] = chunk.position.epoch.description
                headers[LogHeader.sequence] = String(chunk.position.sequence)
                if let next = chunk.next { headers[LogHeader.next] = next.description }
                return Response(status: 200, headers: headers, body: .bytes(try Event.encodeSequence(chunk.events)))
            }
        },
        Route("GET", "/internal/events") { request in
            await answer(reader, request) { shard in
                guard let after = Int64(request.query.first("after") ?? "0"), after >= 0 else { return refusal(400) }
                let limit = min(max(Int(request.query.first("limit") ?? "500") ?? 500, 1), 2_000)
                let events = try await reader.events(in: shard, after: after, limit: limit)
                return Response(
                    status: 200,
                    headers: ["Content-Type": Event.sequenceContentType],
                    body: .bytes(try Event.encodeSequence(events))
                )
            }
        },
    ]
}

enum LogHeader {
    static let epoch = "Keijiban-Log-Epoch"
    static let sequence = "Keijiban-Log-Sequence"
    static let next = "Keijiban-Log-Next"
}

/// The head of one shard, as it is sent.
struct HeadDocument: Codable {
    var shard: Int
    var epoch: ID
    var sequence: Int64

    init(shard: Int, head: LogPosition) {
        self.shard = shard
        self.epoch = head.epoch
        self.sequence = head.sequence
    }
}

private func answer(
    _ reader: LogReader,
    _ request: Request,
    _ body: (Shard) async throws -> Response
) async -> Response {
    let number = Int(request.query.first("shard") ?? "0") ?? -1
    guard request.query.first("topic") == reader.topic, reader.log.shards.contains(number) else { return refusal(404) }
    do {
        return try await body(Shard(reader.topic, number))
    } catch is LogGone {
        return refusal(410, "/internal/events/snapshot?topic=\(reader.topic)&shard=\(number)")
    } catch {
        return refusal(503)
    }
}

private func refusal(_ status: Int, _ snapshot: String? = nil) -> Response {
    var headers: Headers = [:]
    headers["Location"] = snapshot
    return Response(status: status, headers: headers, body: .empty)
}
