/// What an event of the poller is about.
enum Token: Hashable {
    case daemon
    case mailbox
    case connection(_ descriptor: Int32)
    case lingering(_ descriptor: Int32)

    /// The kind in the low two bits, the number above.
    var rawValue: UInt64 {
        switch self {
        case .daemon: 0
        case .mailbox: 1
        case .connection(let descriptor): UInt64(descriptor) << 2 | 2
        case .lingering(let descriptor): UInt64(descriptor) << 2 | 3
        }
    }

    init(rawValue: UInt64) {
        self =
            switch rawValue & 3 {
            case 0: .daemon
            case 1: .mailbox
            case 2: .connection(Int32(rawValue >> 2))
            default: .lingering(Int32(rawValue >> 2))
            }
    }
}
