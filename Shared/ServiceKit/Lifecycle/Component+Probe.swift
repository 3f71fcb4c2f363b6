extension Component {
    /// Asks a dependency again and again how it is, and tells `health`.
    ///
    /// - Parameters:
    ///   - interval: from one answer to the next question.
    ///   - ask: throws where the dependency does not answer, after a time of its own. The error becomes the reason.
    public static func probe(
        _ dependency: String,
        for health: Health,
        every interval: Duration = .seconds(2),
        _ ask: @escaping @Sendable () async throws -> Void
    ) -> Component {
        Component("probe of \(dependency)") {
            while !Task.isCancelled {
                do {
                    try await ask()
                    health.set(dependency, .up)
                } catch  where !Task.isCancelled {
                    health.set(dependency, .down("\(error)"))
                }
                try await Task.sleep(for: interval)
            }
        }
    }
}
