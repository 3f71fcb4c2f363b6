/// One request and its answer. Lives on the loop's thread.
final class Exchange {
    enum Phase {
        /// The request line is there, the rest of the head is not.
        case begun
        case receiving
        /// A task works on it; the connection is suspended.
        case handling
        case answered(Response)
        case replying
        /// The server stops without an answer.
        case abandoned

        var isReceiving: Bool {
            switch self {
            case .begun, .receiving: true
            default: false
            }
        }
    }

    unowned let loop: ServerLoop
    let id: UInt64
    let connection: Connection
    let target: String
    let started = ContinuousClock.now
    var phase = Phase.begun
    var head: RequestHead?
    var route: Route?
    /// Decided at the head, said once the request has all arrived, so that the connection can be kept.
    var refusal: Refusal?
    var body: [UInt8] = []
    /// It counts as in flight.
    var isAdmitted = false
    var isSuspended = false
    var stream: BodyStream?
    /// When the client last had room for more of the stream.
    var lastRead = ContinuousClock.now

    init(loop: ServerLoop, id: UInt64, connection: Connection, target: String) {
        self.loop = loop
        self.id = id
        self.connection = connection
        self.target = target
    }
}
