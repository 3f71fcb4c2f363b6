import Events
import KeijibanAPI
import Postgres
import ServiceHost

/// Hears from the database that another gateway has renamed or deleted a user, and has the users' log read at once.
///
/// The log says what has changed, not the message: what is missed while nobody listens is found there.
struct UserNews: Sendable {
    let host: ServiceHost
    let board: BoardReader
    let log: EventLog

    /// Listens until cancelled.
    func run() async {
        let connection = self.host.database.dedicated("user news")
        while !Task.isCancelled {
            do {
                try await connection.run { try UserStore.listen($0) }
                await self.read(Set(self.log.shards))
                while !Task.isCancelled {
                    let news = try await connection.notifications(within: .seconds(60))
                    await self.read(Set(news.compactMap { Int($0.payload) }))
                }
            } catch {
                // Whatever it was, the looks at the heads of the log go on meanwhile.
                try? await ContinuousClock().sleep(for: .milliseconds(500))
            }
        }
        await connection.close()
    }

    private func read(_ shards: Set<Int>) async {
        for shard in shards.sorted() { await self.board.refresh(Shard(self.log.topic, shard)) }
    }
}
