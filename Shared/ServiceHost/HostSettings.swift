public import Events
public import Peers
public import ServiceKit

/// The settings that every service of the board has.
public struct HostSettings: Sendable {
    /// Settings of the project's that only the gateway reads, and the others find in the same environment.
    public static let gatewayOnly = [
        "KEIJIBAN_RATE_LIMITS", "KEIJIBAN_RATE_QUOTAS", "KEIJIBAN_TRUSTED_PROXIES", "KEIJIBAN_CORS_ORIGINS",
        "KEIJIBAN_PUBLIC_URL",
    ]

    public let host: String
    public let port: Int
    public let databaseURL: String
    public let poolSize: Int
    public let kafka: KafkaEndpoint
    /// How long the broker keeps a question for records open: it answers as soon as there are some, but the embedded one only
    /// after this time.
    public let kafkaFetchWait: Duration
    public let shardCount: Int
    public let access: InternalAccess
    public let keyCachePath: String?
    /// How long requests under way have to end when the process stops: the rest of its time is for what it does in the background.
    public let drainTimeout: Duration
    /// Where each service is, by its name.
    public let addresses: [String: String]

    public init(_ settings: inout Settings) {
        self.host = settings.string("HOST", default: "127.0.0.1")
        self.port = settings.integer("PORT", default: 0, in: 0...65_535)
        self.databaseURL = settings.string("DATABASE_URL", secret: true)
        self.poolSize = settings.integer("DATABASE_POOL", default: 6, in: 2...100)
        self.kafka = Self.kafka(&settings)
        self.kafkaFetchWait = .milliseconds(settings.integer("KAFKA_FETCH_WAIT_MS", default: 500, in: 1...10_000))
        self.shardCount = settings.integer("EVENT_SHARDS", default: 12, in: 1...1_024)
        self.access = InternalAccess(secret: settings.string("KEIJIBAN_INTERNAL_SECRET", secret: true))
        self.keyCachePath = settings.optionalString("JWKS_CACHE")
        let grace = ServiceProcess.grace(&settings)
        self.drainTimeout = max(grace - .seconds(2), grace / 2)
        var addresses: [String: String] = [:]
        for name in ["threads", "posts", "media", "likes", "gateway"] {
            addresses[name] = settings.url("\(name.uppercased())_URL")
        }
        self.addresses = addresses
    }

    /// A file that names the brokers is read again when they are lost; a fixed list stays.
    private static func kafka(_ settings: inout Settings) -> KafkaEndpoint {
        if let path = settings.filePath("KAFKA_BOOTSTRAP_SERVERS") { return .file(path) }
        return .fixed(settings.string("KAFKA_BOOTSTRAP_SERVERS"))
    }
}
