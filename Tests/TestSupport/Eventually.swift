/// Something that a test waited for did not come true in time.
public struct NeverCameTrue: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) {
        self.description = description
    }
}

/// Returns as soon as `condition` holds; throws where it does not until `limit`. What the condition throws is "not yet".
public func eventually(
    _ what: String,
    within limit: Duration = .seconds(30),
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while true {
        var reason = ""
        do {
            if try await condition() { return }
        } catch {
            reason = " (\(error))"
        }
        guard ContinuousClock.now < deadline else { throw NeverCameTrue(description: "never: \(what)\(reason)") }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// Runs what works in the background while `body` does, and cancels and awaits it afterwards.
public func withBackground<Value>(
    _ background: [@Sendable () async -> Void],
    _ body: () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for work in background { group.addTask { await work() } }
        do {
            let value = try await body()
            group.cancelAll()
            try await group.waitForAll()
            return value
        } catch {
            group.cancelAll()
            throw error
        }
    }
}
