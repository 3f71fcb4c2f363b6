import Crypto
import KeijibanAPI
import Peers
import Postgres

/// The key that tokens are signed with, made once by whichever gateway comes first.
struct SigningKeyStore {
    let connection: Connection

    func keys() throws -> (signer: TokenSigner, published: KeySet) {
        _ = try self.connection.query("select pg_advisory_xact_lock(hashtext('signing keys'))")
        var keys = try self.stored()
        if keys.isEmpty {
            let key = Ed25519.PrivateKey.generate()
            try self.connection.execute(
                "insert into signing_keys (kid, private_key) values ($1, $2)",
                Hex.encode(SHA256.hash(key.publicKey.raw).prefix(8)),
                key.raw
            )
            keys = try self.stored()
        }
        let published = KeySet(keys: keys.map { KeySet.Key(kid: $0.kid, raw: $0.key.publicKey.raw) })
        return (TokenSigner(kid: keys[0].kid, key: keys[0].key), published)
    }

    /// The newest first, which signs.
    private func stored() throws -> [(kid: String, key: Ed25519.PrivateKey)] {
        try self.connection.query("select kid, private_key from signing_keys order by created_at desc, kid").map {
            row in
            (try row.get(0), try Ed25519.PrivateKey(raw: try row.get(1)))
        }
    }
}
