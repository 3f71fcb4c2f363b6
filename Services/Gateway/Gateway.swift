import Events
import KeijibanAPI
import Peers
import ServiceHost
import ServiceKit

/// The board's one public origin: it knows who the users are, counts, and makes of five services' parts what people read.
@main
struct Gateway {
    static func main() async {
        await ServiceProcess.run("gateway") { settings, telemetry in
            let host = HostSettings(&settings)
            let own = GatewaySettings(&settings)
            try settings.finish()
            return try self.components(
                ServiceHost("gateway", host, telemetry: telemetry, migrations: migrations),
                own
            )
        }
    }

    /// The service on a host, for the process and for tests.
    static func components(_ host: ServiceHost, _ settings: GatewaySettings) throws -> [Component] {
        let log = host.log(Topic.users)
        let store = UserStore(log: log)
        let relay = host.relay(log)
        let writes = GroupCommit(host.database, didCommit: { _ in relay.wakeUp() }, apply: store.apply)
        let reader = LogReader(log, in: host.database, rows: store.snapshotRows)
        let directories = Directories(
            users: UserDirectory(host.database, store: store),
            images: ImageDirectory(host.peer("media"))
        )
        let counting = Counting(host, users: reader, directories)
        let context = GatewayContext(host, board: counting.reader, directories)
        let likes = LikeQueue(context.likes)
        let live = LiveHub(counting, settings, host.telemetry)
        let signing = SigningKeys()
        let users = UserRoutes(
            context: context,
            store: store,
            writes: writes,
            signing: signing,
            secret: host.settings.access.secret
        )
        let media = MediaWriting(context: context, imageLimit: settings.imageLimit)
        let exports = ExportDesk(context: context)
        let reading =
            ThreadReading(context: context).routes + PostReading(context: context).routes
            + SearchReading(context: context).routes + LikeReading(context: context).routes
            + CountReading(context: context).routes + MediaReading(context: context).routes
            + PackageReading(context: context).routes + exports.routes
            + LiveRoutes(context: context, hub: live, proxies: settings.proxies).routes
        let writing =
            ThreadWriting(context: context).routes + PostWriting(context: context).routes + media.routes
            + LikeWriting(context: context, queue: likes).routes
            + PackageWriting(context: context, titleLength: settings.titleLength).routes
        let door = Door(host, settings, refuse: media.refuse)
        let board = door.guarding(users.routes + reading + writing)
        let page = BoardPage(board, settings, secret: host.settings.access.secret)
        return try host.components(
            relay: relay,
            routes: door.guarding(DocumentRoutes.all) + page.routes + page.opening(board)
                + host.settings.access.guarding(users.internalRoutes + logRoutes(reader)),
            background: counting.components + [
                Component("likes", likes.run), Component("writes", writes.run),
                Component("exports", exports.run),
                Component("keys") { try await signing.keepLoaded(host) },
                Component("redactions", host.redactions(log).run),
                Component("user news", UserNews(host: host, board: counting.reader, log: log).run),
                Component("peers") { await PeerWatch(context: context).run() },
                Component("live", LivePublisher(inbox: counting.live, hub: live, composer: context.composer).run),
            ],
            finish: door.finish,
            refuse: { page.refuse($0, $1) ?? door.refuse($0, $1) }
        )
    }
}
