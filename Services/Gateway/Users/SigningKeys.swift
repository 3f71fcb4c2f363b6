import KeijibanAPI
import Peers
import Postgres
import ServiceHost
import Synchronization

/// The signing key of this gateway, once its database has given it.
final class SigningKeys: Sendable {
    private let state = Mutex<(signer: TokenSigner, published: KeySet)?>(nil)

    /// Reads the key, or makes the first one, and lets `verifier` know.
    func load(from database: Database, for verifier: TokenVerifier) async throws {
        let keys = try await database.transaction { try SigningKeyStore(connection: $0).keys() }
        self.state.withLock { $0 = keys }
        verifier.adopt(keys.published)
    }

    /// Loads, trying again for as long as the database is away, and then rests until it is cancelled.
    func keepLoaded(_ host: ServiceHost) async throws {
        try await host.retrying { try await self.load(from: host.database, for: host.keys.verifier) }
        try await ContinuousClock().sleep(for: .seconds(1 << 30))
    }

    /// Throws 503 until the key is there.
    func signer() throws -> TokenSigner { try self.loaded().signer }

    func published() throws -> KeySet { try self.loaded().published }

    private func loaded() throws -> (signer: TokenSigner, published: KeySet) {
        guard let keys = self.state.withLock({ $0 }) else {
            throw ProblemKindError(.unavailable, detail: "The database does not answer.")
        }
        return keys
    }
}
