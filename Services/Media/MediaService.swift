import Events
import HTTP
import Imaging
import KeijibanAPI
import Peers
import ServiceHost
import ServiceKit

/// What answers requests, with its stores and the commits behind them.
struct MediaService: Sendable {
    let store: MediaStore
    let uses: UseStore
    let collection: CollectionStore
    /// Closed to everyone but services of the board.
    let routes: [Route]
    let background: [Component]

    init(_ host: ServiceHost, _ settings: MediaSettings, log: EventLog, didCommit: @escaping @Sendable () -> Void) {
        let store = MediaStore(log: log)
        let removal = RemovalStore(log: log)
        let processor = ImageProcessor(
            threads: settings.threads,
            pixelLimit: settings.pixelLimit,
            byteGoal: settings.byteLimit
        )
        // Each command holds the bytes of a whole picture, so few wait and few go together.
        let uploads = GroupCommit(
            host.database,
            batchLimit: 8,
            queueLimit: 64,
            didCommit: { _ in didCommit() },
            apply: store.apply
        )
        let claims = GroupCommit(host.database, didCommit: { _ in }, apply: ClaimStore(log: log).apply)
        let desk = ImageDesk(processor, queueLimit: settings.queueLimit, settings.pixelLimit, host.telemetry)
        let upload = UploadRoutes(host: host, log: log, desk: desk, writes: uploads, byteLimit: settings.byteLimit)
        let reader = LogReader(log, in: host.database, rows: store.snapshotRows)
        self.store = store
        self.uses = UseStore(log: log, removal: removal)
        self.collection = CollectionStore(log: log, removal: removal)
        self.routes = host.settings.access.guarding(
            upload.all + PictureRoutes(host: host, store: store).all
                + ClaimRoutes(host: host, store: ClaimStore(log: log), writes: claims).all + logRoutes(reader)
        )
        self.background = [Component("uploads", uploads.run), Component("claims", claims.run)]
    }
}
