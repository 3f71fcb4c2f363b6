import Postgres
import ServiceKit

/// The shards that this instance may relay: those whose lock its session holds.
struct RelayLocks {
    /// How often one looks for shards that another instance has let go of.
    static let interval: Duration = .seconds(1)

    let log: EventLog
    let session: DedicatedConnection
    let telemetry: Telemetry

    /// Locks what can be locked of the shards that are not held yet; returns how far each of them went out.
    func take(besides held: Set<Int>) async throws -> [Int: RelayCursor] {
        let store = RelayStore(log: self.log)
        let wanted = self.log.shards.filter { !held.contains($0) }
        let cursors = try await self.session.run { connection in
            try store.cursors(of: store.lock(wanted, in: connection), in: connection)
        }
        if !cursors.isEmpty {
            let shards = cursors.keys.sorted().map(String.init).joined(separator: " ")
            self.telemetry.report(.relayTook, ["topic": self.log.topic, "shards": shards])
        }
        return cursors
    }
}
