import Events
import KeijibanAPI
import Peers
import ServiceHost
import ServiceKit

/// Keeps the posts of the threads, and how many each thread has.
@main
struct Posts {
    static func main() async {
        await ServiceProcess.run("posts", otherSettings: HostSettings.gatewayOnly) { settings, telemetry in
            let host = HostSettings(&settings)
            let titleRule = TextRule(.line, settings.range("POST_TITLE_LENGTH", default: 15...40, in: 1...200))
            try settings.finish()
            let serviceHost = ServiceHost("posts", host, telemetry: telemetry, migrations: migrations)
            return try self.components(serviceHost, titleRule: titleRule)
        }
    }

    /// The service on a host, for the process and for tests.
    static func components(_ host: ServiceHost, titleRule: TextRule) throws -> [Component] {
        let log = host.log(Topic.posts)
        let store = PostStore(log: log)
        let relay = host.relay(log)
        let writes = GroupCommit(host.database, didCommit: { _ in relay.wakeUp() }, apply: store.apply)
        let cascades = host.cascades(log, relay, chunk: 100, store.cascade)
        let deadLetters = host.deadLetters()
        let projector = host.projector(
            JoinedProjection(
                ThreadProjection(log: log, didDelete: cascades.expect),
                UserDeletion(log, didDelete: cascades.expect)
            ),
            of: [RemoteLog(topic: Topic.threads, producer: host.peer("threads")), host.users],
            deadLetters: deadLetters,
            didCommit: cascades.didProject
        )
        let writing = PostWriting(host: host, store: store, writes: writes, titleRule: titleRule)
        let reader = LogReader(log, in: host.database, rows: store.snapshotRows)
        let index = SearchIndex(
            host,
            of: LogReader(log, in: host.database, rows: store.allRows),
            deadLetters: deadLetters
        )
        let search = SearchRoutes(host: host, index: index, store: store)
        let routes = PostRoutes(host: host, store: store, writing: writing).all + search.all
        return try host.components(
            relay: relay,
            routes: host.settings.access.guarding(routes + logRoutes(reader)),
            background: [
                Component("projector", projector.run),
                Component("dead letters", deadLetters.run), Component("cascades", cascades.run),
                Component("writes", writes.run), Component("search", search.run),
                Component("redactions", host.redactions(log).run),
            ]
        )
    }
}
