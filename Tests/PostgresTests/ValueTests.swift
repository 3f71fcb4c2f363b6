import Foundation
import Postgres
import Testing

@Suite(.timeLimit(.minutes(1))) struct ValueTests {
    /// Sends `value` to the server, which takes it for `type`, and reads it back.
    private func roundTrip<Value: PostgresValue & Equatable>(_ values: [Value], _ type: String) async throws {
        try await withDatabase(poolSize: 1) { database in
            let back = try await database.withConnection { connection in
                try values.map { try connection.query("select $1::\(type)", $0)[0].get(0, as: Value.self) }
            }
            #expect(back == values)
        }
    }

    @Test func numbersComeBackAsTheyWere() async throws {
        try await self.roundTrip([Int.min, -1, 0, 1, .max], "bigint")
        try await self.roundTrip([Int64.min, .max], "bigint")
        try await self.roundTrip([Int32.min, -1, .max], "integer")
        try await self.roundTrip([Int16.min, -1, .max], "smallint")
        try await self.roundTrip([0, -1.5, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude], "float8")
        try await self.roundTrip([true, false], "boolean")
    }

    @Test func anIntReadsEveryIntegerOfTheServer() async throws {
        try await withDatabase { database in
            let row = try await database.withConnection {
                try $0.query("select 1::int2, 2::int4, 3::int8, 1.5::float4")[0]
            }
            #expect(try (0..<3).map { try row.get($0, as: Int.self) } == [1, 2, 3])
            #expect(try row.get(3, as: Double.self) == 1.5)
        }
    }

    @Test func textAndBytesComeBackAsTheyWere() async throws {
        try await self.roundTrip(["", "掲示板", "👨‍👩‍👧‍👦", "a'b\"c\\d", String(repeating: "x", count: 3_000_000)], "text")
        try await self.roundTrip([[], [0, 255, 1], [UInt8](repeating: 7, count: 2_000_000)], "bytea")
        try await self.roundTrip([UUID(), UUID(uuidString: "00000000-0000-0000-0000-000000000000")!], "uuid")
    }

    @Test func textIsReadFromEveryTypeThatIsText() async throws {
        try await withDatabase { database in
            let row = try await database.withConnection { connection in
                try connection.script("create type mood as enum ('happy')")
                return try connection.query(
                    "select 'a'::varchar, 'b'::char(1), 'c'::name, '{\"d\": 1}'::jsonb, '[2]'::json, 'happy'::mood"
                )[0]
            }
            let texts = try (0..<6).map { try row.get($0, as: String.self) }
            #expect(texts == ["a", "b", "c", "{\"d\": 1}", "[2]", "happy"])
        }
    }

    @Test func aDateKeepsItsMicroseconds() async throws {
        let dates = [1_764_486_000.123457, 0, -62_000_000_000.5, 946_684_800].map(Date.init(timeIntervalSince1970:))
        try await withDatabase { database in
            for date in dates {
                let back = try await database.withConnection { connection in
                    try connection.query("select $1, extract(epoch from $1)::float8", date)[0]
                }
                #expect(abs(try back.get(0, as: Date.self).timeIntervalSince(date)) < 0.000_001)
                #expect(abs(try back.get(1, as: Double.self) - date.timeIntervalSince1970) < 0.000_001)
            }
            let ends = try await database.withConnection { connection in
                try connection.query("select 'infinity'::timestamptz, '-infinity'::timestamptz")[0]
            }
            #expect(try ends.get(0, as: Date.self) == .distantFuture)
            #expect(try ends.get(1, as: Date.self) == .distantPast)
        }
    }

    @Test func aDateBeyondTheServersRangeIsADataError() async throws {
        try await withDatabase { database in
            for date in [Date(timeIntervalSince1970: .nan), Date(timeIntervalSince1970: 1e300)] {
                let error = try await failure { try await database.withConnection { try $0.query("select $1", date) } }
                #expect(error.isDataError)
            }
        }
    }

    @Test func arraysComeBackAsTheyWere() async throws {
        try await self.roundTrip([[], [1], [3, 1, 2]], "bigint[]")
        try await self.roundTrip([[UUID(), UUID()]], "uuid[]")
        try await self.roundTrip([["", "a,b", "{\"}", "ü"]], "text[]")
        try await self.roundTrip([[[1, 2], [], [255]]] as [[[UInt8]]], "bytea[]")
        try await self.roundTrip([[true, false]], "boolean[]")
        try await self.roundTrip([[Date(timeIntervalSince1970: 1_700_000_000)]], "timestamptz[]")
        try await self.roundTrip([["a", nil, ""], [nil], []] as [[String?]], "text[]")
        try await self.roundTrip([[1, nil]] as [[Int?]], "bigint[]")
    }

    @Test func nilIsNullBothWays() async throws {
        try await self.roundTrip([nil, 1] as [Int?], "bigint")
        try await self.roundTrip([nil, "a"] as [String?], "text")
        try await self.roundTrip([nil, [1]] as [[Int]?], "bigint[]")
        try await withDatabase { database in
            let row = try await database.withConnection { try $0.query("select $1::text as nothing", nil)[0] }
            #expect(try row.get("nothing", as: String?.self) == nil)
            let error = #expect(throws: PostgresError.self) { try row.get("nothing", as: String.self) }
            #expect(error?.kind == .decoding)
            #expect(error?.message.contains("nothing") == true)
        }
    }

    @Test func whatIsNotOfTheTypeIsRefused() async throws {
        try await withDatabase { database in
            let row = try await database.withConnection { connection in
                try connection.query(
                    "select 'a'::text, 5000000000::bigint, 1.5::numeric, array[1, null]::int[], 1 as \"ü\""
                )[0]
            }
            #expect(throws: PostgresError.self) { try row.get(0, as: Int.self) }
            #expect(throws: PostgresError.self) { try row.get(1, as: Int32.self) }
            #expect(throws: PostgresError.self) { try row.get(1, as: String.self) }
            #expect(throws: PostgresError.self) { try row.get(2, as: Double.self) }
            #expect(throws: PostgresError.self) { try row.get(3, as: [Int].self) }
            #expect(throws: PostgresError.self) { try row.get(5, as: Int.self) }
            #expect(throws: PostgresError.self) { try row.get("missing", as: Int.self) }
            #expect(try row.get(3, as: [Int?].self) == [1, nil])
            #expect(try row.get("ü", as: Int.self) == 1)
        }
    }
}
