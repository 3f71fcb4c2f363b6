internal import CPostgres

extension Wire {
    /// Takes over what libpq has read so far.
    func collectNotifications() {
        while let message = unsafe PQnotifies(self.pointer) {
            unsafe self.notifications.append(
                Notification(
                    channel: String(cString: message.pointee.relname),
                    payload: String(cString: message.pointee.extra)
                )
            )
            unsafe PQfreemem(message)
        }
    }

    /// Waits for notifications; none after the deadline or when `doorbell` rings.
    func waitForNotifications(until deadline: Deadline, doorbell: Doorbell?) throws(PostgresError) -> [Notification] {
        guard self.isAlive() else { throw self.lost() }
        if self.notifications.isEmpty {
            _ = Socket.wait(self.descriptor, for: [.readable, .closed], until: deadline, doorbell: doorbell)
            guard self.isAlive() else { throw self.lost() }
        }
        defer { self.notifications = [] }
        return self.notifications
    }
}
