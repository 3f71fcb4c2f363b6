internal import Events
internal import Glibc
internal import Postgres
internal import ServiceKit

/// `keijiban epoch new`: begins another life of the logs in the database that `DATABASE_URL` names.
///
/// It is the last step of every restore: without it the restored log would use sequences again that its consumers have passed,
/// and they would skip what is new.
enum EpochCommand {
    static func run(_ arguments: [String]) async throws -> Int32 {
        guard arguments == ["new"] else { throw UsageError("epoch new") }
        var settings = Settings(ProcessEnvironment.current.filter { !$0.key.hasPrefix(Settings.prefix) })
        let url = settings.string("DATABASE_URL", secret: true)
        try settings.finish()
        let database = Database(Database.Configuration(url: url, applicationName: "keijiban epoch", poolSize: 1))
        let epochs = try await database.transaction { try EventLog.beginNewEpoch(in: $0) }
        await database.close()
        for (topic, epoch) in epochs.sorted(by: { $0.key < $1.key }) { Terminal.say("\(topic): epoch \(epoch)") }
        return EXIT_SUCCESS
    }
}
