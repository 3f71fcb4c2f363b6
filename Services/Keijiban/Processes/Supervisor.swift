/// Keeps one program running: whatever ends it, and whatever its exit status, it is started again.
struct Supervisor: Sendable {
    let name: String
    var stopRule = StopRule()
    /// Told of ends that nobody asked for, as a sentence for people.
    let report: @Sendable (String) -> Void
    /// Makes one attempt. What it throws counts as an end.
    let start: @Sendable () async throws -> ChildProcess

    /// Runs until its task is cancelled and the program, asked to stop, has ended.
    func run(_ roster: Roster) async {
        let clock = ContinuousClock()
        var schedule = RestartSchedule()
        while !Task.isCancelled {
            let started = clock.now
            let end = await self.runOnce(roster)
            if Task.isCancelled { return }
            let pause = schedule.ended(after: clock.now - started)
            if schedule.isNews {
                let times = schedule.endsInARow > 1 ? ", \(schedule.endsInARow) times in a row" : ""
                self.report("\(self.name) \(end)\(times); starting it again")
            }
            try? await clock.sleep(for: pause)
        }
    }

    private func runOnce(_ roster: Roster) async -> String {
        do {
            let child = try await self.start()
            roster.add(child, name: self.name, stopRule: self.stopRule)
            defer { roster.remove(self.name) }
            return "ended (\(await child.wait(stopping: self.stopRule)))"
        } catch {
            return "did not start (\(error))"
        }
    }
}

/// Runs `body` while the supervisors keep their programs running. They are stopped side by side when it is done,
/// and have ended when this returns, so nesting gives the order of a stop.
func whileRunning<R: Sendable>(
    _ supervisors: [Supervisor],
    in roster: Roster,
    _ body: () async throws -> R
) async throws -> R {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for supervisor in supervisors { group.addTask { await supervisor.run(roster) } }
        let result = try await body()
        group.cancelAll()
        return result
    }
}
