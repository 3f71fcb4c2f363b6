internal import Synchronization

/// Whether a connection stands, for threads that it does not belong to.
final class ConnectionWatch: Sendable {
    private let descriptor = Mutex<Int32?>(nil)

    func begin(_ descriptor: Int32) {
        self.descriptor.withLock { $0 = descriptor }
    }

    func end() {
        self.descriptor.withLock { $0 = nil }
    }

    var isConnected: Bool {
        self.descriptor.withLock { descriptor in
            guard let descriptor else { return false }
            return Socket.wait(descriptor, for: .closed, until: .after(.zero)).isEmpty
        }
    }
}
