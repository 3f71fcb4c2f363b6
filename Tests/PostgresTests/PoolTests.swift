import Dispatch
import Postgres
import Testing

@Suite(.timeLimit(.minutes(1))) struct PoolTests {
    @Test func noMoreConnectionsThanThePoolHoldsAreMade() async throws {
        try await withDatabase(poolSize: 3) { database in
            let backends = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<60 {
                    group.addTask {
                        try await database.transaction { connection in
                            _ = try connection.query("select pg_sleep(0.01)")
                            return connection.backendId
                        }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(backends.count <= 3)
        }
    }

    /// Holds the only connection while `body` runs.
    private func holding(_ database: Database, _ body: () async throws -> Void) async throws {
        let isDone = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await database.withConnection { _ in isDone.wait() }
            }
            defer { isDone.signal() }
            try await eventually { database.load.inUse == 1 }
            try await body()
            isDone.signal()
            try await group.waitForAll()
        }
    }

    @Test func waitingForThePoolIsBounded() async throws {
        try await withDatabase(poolSize: 1, acquireTimeout: .milliseconds(100)) { database in
            try await self.holding(database) {
                let error = try await failure { try await database.transaction { try $0.query("select 1").count } }
                #expect(error.kind == .poolTimeout)
                #expect(error.isTransient)
            }
            #expect(try await database.withConnection { try $0.query("select 1").count } == 1)
        }
    }

    @Test func waitingForThePoolEndsWithTheTask() async throws {
        try await withDatabase(poolSize: 1) { database in
            try await self.holding(database) {
                await withTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        do {
                            try await database.withConnection { _ in }
                            return false
                        } catch {
                            return error is CancellationError
                        }
                    }
                    group.cancelAll()
                    #expect(await group.next() == true)
                }
            }
            #expect(try await database.withConnection { try $0.query("select 1").count } == 1)
        }
    }

    @Test func whoComesFirstIsServedFirst() async throws {
        try await withDatabase(poolSize: 1) { database in
            let order = Collected<Int>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await self.holding(database) {
                    for number in 0..<20 {
                        group.addTask { try await database.withConnection { _ in order.append(number) } }
                        try await eventually { database.load.waiting == number + 1 }
                    }
                }
                try await group.waitForAll()
            }
            #expect(order.all == Array(0..<20))
        }
    }

    @Test func aClosedDatabaseTurnsAwayAndWaitsForWhatRuns() async throws {
        try await withDatabase(poolSize: 1) { database in
            async let running = database.withConnection {
                try $0.query("select pg_sleep(0.3), 1 as one")[0].get(1, as: Int.self)
            }
            try await eventually { database.load.inUse == 1 }
            await database.close()
            #expect(try await running == 1)
            let error = try await failure { try await database.withConnection { _ in } }
            #expect(error.kind == .closed)
        }
    }

    private func ticks(in time: Duration) async throws -> Int {
        let end = ContinuousClock.now + time
        var ticks = 0
        while ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(10))
            ticks += 1
        }
        return ticks
    }

    @Test func slowQueriesLeaveTheCooperativePoolFree() async throws {
        try await withDatabase(poolSize: 64) { database in
            async let ticking = self.ticks(in: .seconds(1))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<64 {
                    group.addTask { try await database.withConnection { _ = try $0.query("select pg_sleep(2)") } }
                }
                try await group.waitForAll()
            }
            let ticks = try await ticking
            #expect(ticks > 30)
        }
    }

    @Test func aPingDoesNotWaitForTheBusyPool() async throws {
        try await withDatabase(poolSize: 1) { database in
            try await self.holding(database) { try await database.ping() }
        }
    }
}
