import ServiceKit

/// The settings that only media has.
struct MediaSettings: Sendable {
    /// The longest image taken, in bytes, itself included.
    let byteLimit: Int
    let pixelLimit: Int
    /// How many images are worked on at once.
    let threads: Int
    /// How many images may be under way or wait; over it an upload is 503.
    let queueLimit: Int
    /// How long a picture may stay that no thread or post has used.
    let grace: Duration

    init(_ settings: inout Settings) {
        self.byteLimit = settings.integer("IMAGE_BYTE_LIMIT", default: 1_000_000, in: 1_000...10_000_000)
        self.pixelLimit = settings.integer("IMAGE_PIXEL_LIMIT", default: 40_000_000, in: 1...400_000_000)
        self.threads = settings.integer("IMAGE_THREADS", default: 1, in: 1...64)
        self.queueLimit = settings.integer("IMAGE_QUEUE", default: 32, in: 1...1_000)
        self.grace = settings.duration("MEDIA_GRACE_SECONDS", default: .seconds(86_400))
    }
}
