/// What a server is doing and has done.
public struct ServerStatistics: Sendable, Hashable {
    /// Open connections.
    public internal(set) var connections = 0
    /// Requests whose body is arriving or whose handler runs.
    public internal(set) var inFlight = 0
    /// What their bodies hold together.
    public internal(set) var bodyBytes = 0
    /// Streams being sent.
    public internal(set) var streams = 0
    /// Requests answered since the start, refusals included.
    public internal(set) var answered = 0
    /// Of those, the ones the server refused by itself.
    public internal(set) var refused = 0
}
