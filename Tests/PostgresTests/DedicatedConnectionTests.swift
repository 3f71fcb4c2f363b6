import Postgres
import Testing

@Suite(.timeLimit(.minutes(1))) struct DedicatedConnectionTests {
    @Test func itReportsTheLossOfItsSessionLocksOnce() async throws {
        try await withDatabase { database in
            let connection = database.dedicated("owner")
            #expect(!connection.isConnected)
            let lock: @Sendable (Connection) throws -> Bool = {
                try $0.query("select pg_try_advisory_lock(7)")[0].get(0)
            }
            #expect(try await connection.run(lock))
            #expect(connection.isConnected)
            try await database.terminateOthers()
            try await eventually { !connection.isConnected }
            let error = try await failure { try await connection.run { try $0.query("select 1").count } }
            #expect(error.kind == .connection)
            #expect(try await connection.run(lock))
            #expect(connection.isConnected)
            await connection.close()
            #expect(!connection.isConnected)
            let closed = try await failure { try await connection.run(lock) }
            #expect(closed.kind == .closed)
        }
    }

    @Test func aLossThatTheBodyHidIsStillReported() async throws {
        try await withDatabase { database in
            let connection = database.dedicated("owner")
            try await connection.run { connection in
                _ = try? connection.query("select pg_terminate_backend(pg_backend_pid())")
            }
            let error = try await failure { try await connection.run { try $0.query("select 1").count } }
            #expect(error.kind == .connection)
            #expect(try await connection.run { try $0.query("select 1").count } == 1)
            await connection.close()
        }
    }

    @Test func aLockGoesWithTheConnection() async throws {
        try await withDatabase { database in
            let (first, second) = (database.dedicated("first"), database.dedicated("second"))
            let lock: @Sendable (Connection) throws -> Bool = {
                try $0.query("select pg_try_advisory_lock(7)")[0].get(0)
            }
            #expect(try await first.run(lock))
            #expect(try await !second.run(lock))
            await first.close()
            try await eventually { try await second.run(lock) }
            await second.close()
        }
    }

    @Test func notificationsArriveWhileItListens() async throws {
        try await withDatabase { database in
            let listener = database.dedicated("listener")
            try await listener.run { try $0.script("listen news") }
            async let received = listener.notifications(within: .seconds(30))
            try await database.withConnection { _ = try $0.query("select pg_notify('news', $1)", "掲示") }
            #expect(try await received == [Notification(channel: "news", payload: "掲示")])
            await listener.close()
        }
    }

    @Test func listeningGivesWayToOtherCallsAndToCancellation() async throws {
        try await withDatabase { database in
            let listener = database.dedicated("listener")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask { _ = try await listener.notifications(within: .seconds(50)) }
                    group.addTask { _ = try await listener.run { try $0.query("select 1") } }
                }
                try await eventually { listener.isConnected }
                group.cancelAll()
                try await group.waitForAll()
            }
            await listener.close()
        }
    }

    @Test func aListenerThatLosesItsSessionIsTold() async throws {
        try await withDatabase { database in
            let listener = database.dedicated("listener")
            try await listener.run { try $0.script("listen news") }
            async let loss = failure { try await listener.notifications(within: .seconds(50)) }
            try await database.terminateOthers()
            #expect(try await loss.kind == .connection)
            await listener.close()
        }
    }
}
