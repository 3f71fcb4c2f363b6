import Dispatch

extension Component {
    /// Says "not ready" as soon as the process is to stop, and only then lets the rest of it stop.
    ///
    /// It belongs at the end of the list, since what is last stops first.
    ///
    /// - Parameter linger: how long requests are still taken afterwards, so that a load balancer sees it in time.
    public static func readiness(_ health: Health, linger: Duration = .zero) -> Component {
        self.last("readiness") {
            health.drain()
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + linger / .seconds(1)) { continuation.resume() }
            }
        }
    }
}
