import Events
import KeijibanAPI
import Peers
import ServiceHost
import ServiceKit

/// Keeps who likes which post, and each post's total.
@main
struct Likes {
    static func main() async {
        await ServiceProcess.run("likes", otherSettings: HostSettings.gatewayOnly) { settings, telemetry in
            let host = HostSettings(&settings)
            try settings.finish()
            return try self.components(ServiceHost("likes", host, telemetry: telemetry, migrations: migrations))
        }
    }

    /// The service on a host, for the process and for tests.
    static func components(_ host: ServiceHost) throws -> [Component] {
        let log = host.log(Topic.likes)
        let store = LikeStore(log: log)
        let relay = host.relay(log)
        let writes = GroupCommit(host.database, didCommit: { _ in relay.wakeUp() }, apply: store.apply)
        let cascades = host.cascades(log, relay, chunk: 2_000, store.cascade)
        let deadLetters = host.deadLetters()
        let projector = host.projector(
            JoinedProjection(
                PostProjection(log: log, didDelete: cascades.expect),
                UserDeletion(log, didDelete: cascades.expect)
            ),
            of: [RemoteLog(topic: Topic.posts, producer: host.peer("posts")), host.users],
            deadLetters: deadLetters,
            didCommit: cascades.didProject
        )
        let reader = LogReader(log, in: host.database, rows: store.snapshotRows)
        let routes = LikeRoutes(host: host, store: store, writes: writes)
        return try host.components(
            relay: relay,
            routes: host.settings.access.guarding(routes.all + LikeListRoutes(host).all + logRoutes(reader)),
            background: [
                Component("projector", projector.run),
                Component("dead letters", deadLetters.run), Component("cascades", cascades.run),
                Component("writes", writes.run),
            ]
        )
    }
}
