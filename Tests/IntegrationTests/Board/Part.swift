import ServiceHost
import ServiceKit

/// One of the services a board is made of, and how it is built from its settings.
struct Part: Sendable {
    typealias Build = @Sendable (inout Settings, Telemetry) throws -> (host: ServiceHost, components: [Component])

    let name: String
    /// The topic of its log.
    let topic: String
    let build: Build

    static let all = [threads, posts, media, likes, gateway]
}
