import Dispatch

/// Runs components so that each outlives those listed after it.
///
/// `[database, producer, consumer]` starts all three. On a signal, when the task is cancelled, or when any of them
/// ends, the consumer is cancelled and awaited first, then the producer, then the database.
public struct ServiceGroup: Sendable {
    private let components: [Component]
    private let grace: Duration
    private let triggers: Set<StopTrigger>
    private let observer: @Sendable (Stage) -> Void

    /// What happens to a group, told while it happens.
    public enum Stage: Sendable, Hashable {
        /// It stops, for this reason.
        case stopping(String)
        /// The grace is over and these have not ended. The group goes on waiting; whoever must not, exits here.
        case overdue([String])
        /// It is asked to stop a second time. Whoever hears it exits at once.
        case impatient
    }

    /// - Parameters:
    ///   - components: stopped from the last to the first.
    ///   - grace: how long stopping may take before `observer` hears `.overdue`.
    ///   - triggers: what stops the group from outside.
    ///   - observer: called on any thread.
    public init(
        _ components: [Component],
        grace: Duration,
        triggers: Set<StopTrigger> = [],
        observer: @escaping @Sendable (Stage) -> Void = { _ in }
    ) {
        self.components = components
        self.grace = grace
        self.triggers = triggers
        self.observer = observer
    }

    /// Returns once every component has ended after a stop from outside. Throws the first error of a component, or
    /// `ComponentEnded` where one ended that should not have.
    public func run() async throws {
        let stop = StopRequest()
        let triggers = StopTriggers(self.triggers, ask: stop.ask) { self.observer(.impatient) }
        defer { triggers.close() }
        try await self.run(until: stop)
    }

    func run(until stop: StopRequest) async throws {
        stop.noteStart()
        let running = self.components.map { component in
            // A child task would be cancelled together with its siblings, not after those that need it.
            Task {  // lint:allow cancelled and awaited below, one at a time
                do {
                    try await component.run()
                    stop.ask(component.mayEnd ? .ended(component.name) : .failed(ComponentEnded(name: component.name)))
                } catch is CancellationError {
                    stop.ask(.ended(component.name))
                } catch {
                    stop.ask(.failed(error))
                }
                stop.noteEnd(of: component.name)
            }
        }
        let cause = await stop.wait()
        self.observer(.stopping(cause.description))

        let deadline = self.startDeadline(stop)
        defer { deadline.cancel() }
        for task in running.reversed() {
            task.cancel()
            await task.value
        }
        if let error = stop.error { throw error }
    }

    /// On a queue of Dispatch, so that it holds also where the components keep every thread of the tasks busy.
    private func startDeadline(_ stop: StopRequest) -> DispatchWorkItem {
        let deadline = DispatchWorkItem {
            self.observer(.overdue(self.components.map(\.name).filter { !stop.ended.contains($0) }))
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + self.grace / .seconds(1), execute: deadline)
        return deadline
    }
}
