import ServiceKit

/// The settings that only the gateway has.
struct GatewaySettings: Sendable {
    /// Bytes of a picture, inclusive.
    let imageLimit: Int
    /// Characters of a post's title, which the page must know.
    let titleLength: ClosedRange<Int>
    /// Nil where nothing is limited.
    let limits: RateLimits?
    let proxies: TrustedProxies
    /// The board's public address; nil where that is the one that a request names.
    let publicOrigin: WebOrigin?
    let origins: AllowedOrigins
    /// How many may listen to what changes at once.
    let liveLimit: Int
    /// How many of them from one client address.
    let liveClientLimit: Int

    init(_ settings: inout Settings) {
        self.imageLimit = settings.integer("IMAGE_BYTE_LIMIT", default: 1_000_000, in: 1_000...10_000_000)
        self.titleLength = settings.range("POST_TITLE_LENGTH", default: 15...40, in: 1...200)
        self.limits = RateLimits.read(&settings)
        self.proxies = TrustedProxies.read(&settings)
        self.publicOrigin = WebOrigin.read(&settings)
        self.origins = AllowedOrigins.read(&settings)
        self.liveLimit = settings.integer("LIVE_STREAM_LIMIT", default: 10_000, in: 1...100_000)
        self.liveClientLimit = settings.integer("LIVE_CLIENT_LIMIT", default: 100, in: 1...100_000)
    }
}
