import Foundation
import KeijibanAPI
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ValueFuzzTests {
    @Test func anIdIsItsTextButForItsCase() {
        let seeds = [
            "0193b8e2-7c4a-7def-8123-456789abcdef", "00000000-0000-0000-0000-000000000000",
            "FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF",
        ]
        Fuzzing.texts(seeds) { text in
            guard let id = ID(text) else { return }
            #expect(id.description == text.lowercased(), "\(text.debugDescription)")
            #expect(UUID(uuidString: text)?.uuidString.lowercased() == id.description)
        }
    }

    @Test func aMomentHasOneTextAndTheSameMillisecondsAsFoundations() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        var generator = SeededGenerator(seed: Fuzzing.seed)
        for _ in 0..<Fuzzing.rounds {
            // From 1600 on Foundation's calendar is the Gregorian one.
            let moment = Timestamp(
                milliseconds: .random(in: -11_676_096_000_000...253_402_300_799_999, using: &generator)
            )
            #expect(Timestamp(moment.description) == moment)
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: moment.date)
            let numbers = moment.description.split { !$0.isNumber }.compactMap { Int($0) }
            let shown = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second]
            #expect(
                numbers.dropLast() == shown.compactMap(\.self)[...]
            )
        }
    }

    @Test func aMomentThatIsTakenIsTheSameWhenItIsWritten() {
        let seeds = [
            "2026-11-30T02:45:12.345Z", "2024-02-29t23:59:59+09:00", "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999-00:00",
        ]
        Fuzzing.texts(seeds) { text in
            guard let moment = Timestamp(text) else { return }
            #expect(Timestamp(moment.description) == moment, "\(text.debugDescription)")
            #expect(moment.description.utf8.count == 24, "\(text.debugDescription)")
            #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(text.debugDescription)")
            // Without its fraction and in the form that Foundation takes.
            guard text.utf8.count == 20, text.hasSuffix("Z"), text.contains("T"), text > "1600" else { return }
            let date = try? Date(text, strategy: .iso8601)
            #expect(date.map { Timestamp($0) } == moment, "\(text.debugDescription)")
        }
    }

    @Test func aDayOfAnyZoneIsTheDayThatItsCalendarShows() {
        let zones = TimeZone.knownTimeZoneIdentifiers.compactMap { TimeZone(ianaName: $0) }
        #expect(zones.count > 300)
        var generator = SeededGenerator(seed: Fuzzing.seed)
        Fuzzing.texts(["2024-03-31", "1994-12-31", "2011-12-30", "0001-01-01", "9999-12-31", "1900-01-01"]) {
            text in
            guard let day = CalendarDay(text), let zone = zones.randomElement(using: &generator) else { return }
            let moments = day.moments(in: zone)
            let midnight = Timestamp(text + "T00:00:00Z")?.milliseconds ?? 0
            let comment = "\(text) \(zone.identifier)"
            #expect(abs(moments.lowerBound.milliseconds - midnight) <= 86_400_000, "\(comment)")
            #expect(moments.upperBound.milliseconds - moments.lowerBound.milliseconds <= 2 * 86_400_000, "\(comment)")
            guard !moments.isEmpty, text > "1600" else { return }
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            for moment in [moments.lowerBound.milliseconds, moments.upperBound.milliseconds - 1] {
                let date = Timestamp(milliseconds: moment).date
                let parts = calendar.dateComponents([.year, .month, .day], from: date)
                let shown = [parts.year, parts.month, parts.day].compactMap(\.self)
                #expect(shown == text.split(separator: "-").compactMap { Int($0) }, "\(comment)")
            }
        }
    }

    @Test func aZoneIsOneOfTheDatabase() {
        Fuzzing.texts(["Asia/Tokyo", "America/Argentina/Ushuaia", "UTC", "GMT+0", "Etc/GMT+9", "JST", "+09:00"]) {
            text in
            guard let zone = TimeZone(ianaName: text) else { return }
            #expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text.debugDescription)")
            #expect(abs(zone.secondsFromGMT()) < 16 * 3600)
            #expect(TimeZone(ianaName: zone.identifier) != nil, "\(text.debugDescription)")
        }
    }

    @Test func anObjectIsReadOrNamedAsFaultyAndNothingElse() throws {
        let seeds = [
            #"{"title":"掲示板","date":"2024-03-02T00:00:00Z","imageId":null}"#,
            #"{"title":1,"x":[1,{"y":"\ud83d\ude00"}]}"#, "{}", "[]",
            #"{"imageId":"0193b8e2-7c4a-7def-8123-456789abcdef"}"#,
        ]
        try Fuzzing.bytes(seeds.map { Array($0.utf8) }) { bytes in
            var reader: ObjectReader
            do {
                reader = try ObjectReader(bytes)
            } catch {
                #expect(error is ObjectReader.Malformed || error is FieldFaults, "\(error)")
                return
            }
            let reference = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            let title = reader.text("title", .threadTitle, isRequired: true)
            if let title { #expect(try TextRule.threadTitle.apply(title) == title) }
            if case .string(let raw) = reader.member("title") { #expect(reference?["title"] as? String == raw) }
            _ = (reader.timestamp("date"), reader.edit(emptying: "imageId") { $0.imageID("imageId") })
            let unknown = (reference ?? [:]).keys.filter { !["title", "date", "imageId"].contains($0) }
            do throws(FieldFaults) {
                try reader.finish()
                #expect(unknown.isEmpty && title != nil)
            } catch {
                #expect(unknown.isEmpty || error.faults.contains { $0.fault == .unknown })
                let problem = error.problem(in: .japanese)
                #expect(problem.errors?.count == error.faults.count)
                let again = try JSON.decode(Problem.self, from: JSON.encode(problem))
                #expect(again.errors?.map(\.field) == error.faults.map(\.field))
            }
        }
    }
}
