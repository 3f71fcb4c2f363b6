internal import CMicroHTTPD

/// Waits for several descriptors at once (epoll).
@safe final class Poller {
    private let descriptor: Int32
    private var events = unsafe [epoll_event](repeating: epoll_event(), count: 256)

    init?() {
        self.descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        if self.descriptor < 0 { return nil }
    }

    deinit {
        close(self.descriptor)
    }

    /// Reports `token` whenever there is something to read.
    func watchInput(of descriptor: Int32, token: UInt64) {
        self.add(descriptor, EPOLLIN.rawValue, token)
    }

    /// Reports `token` once, when the peer has closed its side or is gone.
    func watchEnd(of descriptor: Int32, token: UInt64) {
        self.add(descriptor, EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue, token)
    }

    /// Reports the end once more, also where it was reported before.
    func watchEndAgain(of descriptor: Int32, token: UInt64) {
        self.change(EPOLL_CTL_MOD, descriptor, EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue, token)
    }

    func remove(_ descriptor: Int32) {
        epoll_ctl(self.descriptor, EPOLL_CTL_DEL, descriptor, nil)
    }

    /// Waits up to `milliseconds` and returns the tokens of what happened.
    func wait(milliseconds: Int32) -> [UInt64] {
        let count = unsafe self.events.withUnsafeMutableBufferPointer { events in
            unsafe epoll_wait(self.descriptor, events.baseAddress, Int32(events.count), milliseconds)
        }
        return unsafe self.events.prefix(max(0, Int(count))).map { unsafe $0.data.u64 }
    }

    private func add(_ descriptor: Int32, _ kinds: UInt32, _ token: UInt64) {
        self.change(EPOLL_CTL_ADD, descriptor, kinds, token)
    }

    private func change(_ operation: Int32, _ descriptor: Int32, _ kinds: UInt32, _ token: UInt64) {
        var event = unsafe epoll_event(events: kinds, data: epoll_data_t(u64: token))
        unsafe epoll_ctl(self.descriptor, operation, descriptor, &event)
    }
}
