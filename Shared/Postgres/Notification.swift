/// What `notify` sent to a channel that the connection listens to.
public struct Notification: Sendable, Hashable {
    public let channel: String
    public let payload: String

    public init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }
}
