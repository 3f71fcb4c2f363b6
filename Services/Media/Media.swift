import Events
import KeijibanAPI
import ServiceHost
import ServiceKit

/// Keeps the pictures: takes them, serves them, and removes those that nobody shows any more.
@main
struct Media {
    static func main() async {
        await ServiceProcess.run("media", otherSettings: HostSettings.gatewayOnly) { settings, telemetry in
            let host = HostSettings(&settings)
            let media = MediaSettings(&settings)
            try settings.finish()
            return try self.components(ServiceHost("media", host, telemetry: telemetry, migrations: migrations), media)
        }
    }

    /// The service on a host, for the process and for tests.
    static func components(_ host: ServiceHost, _ settings: MediaSettings) throws -> [Component] {
        let log = host.log(Topic.media)
        let relay = host.relay(log)
        let service = MediaService(host, settings, log: log, didCommit: relay.wakeUp)
        let sources = [
            RemoteLog(topic: Topic.threads, producer: host.peer("threads")),
            RemoteLog(topic: Topic.posts, producer: host.peer("posts")),
        ]
        let deadLetters = host.deadLetters()
        let cascades = host.cascades(log, relay, chunk: 50, service.collection.removal.cascade)
        let projector = host.projector(
            JoinedProjection(UseProjection(store: service.uses), UserDeletion(log, didDelete: cascades.expect)),
            of: sources + [host.users],
            deadLetters: deadLetters,
            didCommit: cascades.didProject
        )
        let collector = Collector(service.collection, of: sources, grace: settings.grace, host, didRemove: relay.wakeUp)
        return try host.components(
            relay: relay,
            routes: service.routes,
            background: service.background + [
                Component("projector", projector.run),
                Component("dead letters", deadLetters.run), Component("collector", collector.run),
                Component("cascades", cascades.run),
            ],
            refuse: ImageTooLarge.refusing(limit: settings.byteLimit)
        )
    }
}
