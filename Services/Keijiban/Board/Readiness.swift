internal import HTTP

/// Waits until services say of themselves that they can serve.
struct Readiness: Sendable {
    let services: ServicePrograms
    let report: @Sendable (String) -> Void

    /// Returns when each has answered 200 on `/readyz`. Says now and then who has not, and why.
    func wait() async throws {
        let clock = ContinuousClock()
        let client = Client()
        defer { client.close() }
        var nextReport = clock.now + .seconds(15)
        var waiting = ServicePrograms.names
        while true {
            var obstacles: [String] = []
            for name in waiting {
                if let obstacle = await Probe.obstacle(port: self.services.ports[name] ?? 0, over: client) {
                    obstacles.append("\(name) (\(obstacle))")
                } else {
                    waiting.removeAll { $0 == name }
                }
            }
            if waiting.isEmpty { return }
            if clock.now >= nextReport {
                self.report("Still waiting for \(obstacles.joined(separator: ", "))")
                nextReport = clock.now + .seconds(30)
            }
            try await clock.sleep(for: .milliseconds(50))
        }
    }
}
