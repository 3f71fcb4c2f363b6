import Events
import HTTP
import KeijibanAPI
import Peers
import ServiceHost

extension Response {
    /// 201 for something that a service made, or had made before.
    static func created(
        _ value: some Encodable,
        at location: String,
        _ answer: ClientResponse,
        _ position: PositionVector,
        _ notes: Notes
    ) throws -> Response {
        var headers: Headers = ["Location": location, "Cache-Control": "private, no-store"]
        headers[replayHeader] = answer.headers[replayHeader]
        notes.add(to: &headers)
        return try .json(value, status: 201, headers: headers, position: position)
    }
}

extension GatewayContext {
    /// What is answered again is shown as it is by now: with the counters that the caller has moved since, and without what is gone.
    /// Returns what of that is old, since it cannot be had in time: the write is done, whatever can be shown of it.
    func reach(
        _ position: PositionVector,
        ifRepeated answer: ClientResponse,
        by viewer: Viewer
    ) async -> Notes {
        guard answer.headers[replayHeader] != nil else { return Notes() }
        do {
            return self.composer.notes(ofOld: try await self.board.reach(position, by: viewer.user))
        } catch {
            return self.composer.notes(ofOld: Set(position.entries.keys.map(\.topic)))
        }
    }

    /// Passes an edit on, and shows what stands after it as its author would read it.
    func edit<Record: Decodable>(
        _ target: String,
        of peer: Peer,
        by viewer: Viewer,
        _ show: (Record) async throws -> Shown
    ) async throws -> Response {
        _ = try viewer.request.versionCondition()
        var headers: Headers = [:]
        for value in viewer.request.headers.all(VersionCondition.header) { headers.add(VersionCondition.header, value) }
        let answer = try await peer.send(
            "PATCH",
            target,
            caller: viewer.request.caller,
            headers: headers,
            body: viewer.request.body,
            isIdempotent: false
        )
        let record = try peer.value(of: answer, as: Record.self)
        return try await self.show(at: try self.note(answer, by: viewer), to: viewer) { try await show(record) }
    }

    /// Shows what a write has made, with all else that its author has written so far.
    func show(
        at position: PositionVector,
        to viewer: Viewer,
        _ show: () async throws -> Shown
    ) async throws -> Response {
        // It is done, so nothing that cannot be shown yet may turn it into a failure.
        let old = (try? await self.board.reach(PositionVector(), by: viewer.user)) ?? []
        var shown = try await show()
        shown.notes.merge(self.composer.notes(ofOld: old))
        return shown.response(toWriteAt: position)
    }

    /// Passes a deletion on and answers as the service does.
    func delete(_ target: String, of peer: Peer, by viewer: Viewer) async throws -> Response {
        let answer = try await peer.send(
            "DELETE",
            target,
            caller: viewer.request.caller,
            body: nil,
            isIdempotent: false
        )
        guard answer.status == 204 else {
            throw (try? JSON.decode(Problem.self, from: answer.body)) ?? Problem(.unavailable, in: viewer.language)
        }
        return .noContent(position: try self.note(answer, by: viewer))
    }
}
