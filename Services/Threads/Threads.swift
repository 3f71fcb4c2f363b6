import Events
import KeijibanAPI
import Peers
import ServiceHost
import ServiceKit

/// Keeps the threads: who opened them, what they are called, and that they are gone.
@main
struct Threads {
    static func main() async {
        await ServiceProcess.run("threads", otherSettings: HostSettings.gatewayOnly) { settings, telemetry in
            let host = HostSettings(&settings)
            try settings.finish()
            return try self.components(ServiceHost("threads", host, telemetry: telemetry, migrations: migrations))
        }
    }

    /// The service on a host, for the process and for tests.
    static func components(_ host: ServiceHost) throws -> [Component] {
        let log = host.log(Topic.threads)
        let store = ThreadStore(log: log)
        let relay = host.relay(log)
        let writes = GroupCommit(host.database, didCommit: { _ in relay.wakeUp() }, apply: store.apply)
        let cascades = host.cascades(log, relay, chunk: 300, store.cascade)
        let deadLetters = host.deadLetters()
        let projector = host.projector(
            UserDeletion(log, didDelete: cascades.expect),
            of: [host.users],
            deadLetters: deadLetters,
            didCommit: cascades.didProject
        )
        let reader = LogReader(log, in: host.database, rows: store.snapshotRows)
        let routes = ThreadRoutes(host: host, store: store, writes: writes, images: ImageClaims(host.peer("media")))
        return try host.components(
            relay: relay,
            routes: host.settings.access.guarding(routes.all + logRoutes(reader)),
            background: [
                Component("projector", projector.run),
                Component("dead letters", deadLetters.run), Component("cascades", cascades.run),
                Component("writes", writes.run), Component("redactions", host.redactions(log).run),
            ]
        )
    }
}
