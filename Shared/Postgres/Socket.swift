internal import CPostgres
internal import Foundation

/// What is to be known of a socket without reading from it.
enum Socket {
    struct Events: OptionSet {
        let rawValue: Int16
        static let readable = Events(rawValue: Int16(POLLIN))
        static let writable = Events(rawValue: Int16(POLLOUT))
        /// The peer closed its side, though what it sent before may still be there to read.
        static let closed = Events(
            rawValue: postgres_poll_peer_closed | Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL)
        )
    }

    /// Waits for one of `events`, which may be `closed`. Empty after the deadline, or when `doorbell` rings.
    static func wait(
        _ descriptor: Int32,
        for events: Events,
        until deadline: Deadline,
        doorbell: Doorbell? = nil
    ) -> Events {
        var polled = [pollfd(fd: descriptor, events: events.rawValue, revents: 0)]
        if let doorbell { polled.append(pollfd(fd: doorbell.descriptor, events: Int16(POLLIN), revents: 0)) }
        var count: Int32
        repeat {
            count = unsafe poll(&polled, nfds_t(polled.count), deadline.milliseconds)
        } while count < 0 && errno == EINTR
        return count > 0 ? Events(rawValue: polled[0].revents) : []
    }
}
