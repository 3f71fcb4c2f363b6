/// Waits until services say of themselves that they can serve.
struct Readiness: Sendable {
    let services: ServicePrograms
    let report: @Sendable (String) -> Void

    /// Returns when each has answered 200 on `/readyz`. Says now and then who has not, and why.
    func wait() async throws {
        let clock = ContinuousClock()
        var nextReport = clock.now + .seconds(15)
        var waiting = ServicePrograms.names
        while true {
            var reasons: [String] = []
            for name in waiting {
                let answer = await Probe.get("/readyz", port: self.services.ports[name] ?? 0)
                if answer?.status == 200 {
                    waiting.removeAll { $0 == name }
                } else {
                    reasons.append("\(name) (\(answer.map { "\($0.status) \($0.body.prefix(200))" } ?? "no answer"))")
                }
            }
            if waiting.isEmpty { return }
            if clock.now >= nextReport {
                self.report("Still waiting for \(reasons.joined(separator: ", "))")
                nextReport = clock.now + .seconds(30)
            }
            try await clock.sleep(for: .milliseconds(50))
        }
    }
}
