import Testing

@Suite(.timeLimit(.minutes(2)))
struct SimulationTests {
    private static let schedules = 2_000
    private static let steps = 250

    @Test func countsAndLogsAgreeAfterEverySchedule() async {
        var restores = 0
        for seed in 0..<UInt64(Self.schedules) {
            var simulation = Simulation(seed: seed)
            let fault = simulation.run(steps: Self.steps)
            #expect(fault == nil, "seed \(seed)")
            restores += simulation.restores
            // Tests that wait for an answer need a thread too.
            await Task.yield()
        }
        #expect(restores > 50, "the schedules restore too few databases to say anything")
    }

    @Test(arguments: Simulation.Plant.allCases.filter { $0 != .none })
    func aBrokenRuleIsFound(plant: Simulation.Plant) async {
        var isFound = false
        for seed in 0..<UInt64(Self.schedules) where !isFound {
            var simulation = Simulation(seed: seed, plant: plant)
            isFound = simulation.run(steps: Self.steps) != nil
            await Task.yield()
        }
        #expect(isFound, "no schedule shows what is wrong without it")
    }
}
