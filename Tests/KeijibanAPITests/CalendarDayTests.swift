import Foundation
import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CalendarDayTests {
    @Test(arguments: [
        ("2024-02-29", "Asia/Tokyo", "2024-02-28T15:00:00.000Z", "2024-02-29T15:00:00.000Z"),
        ("2024-03-01", "Asia/Tokyo", "2024-02-29T15:00:00.000Z", "2024-03-01T15:00:00.000Z"),
        ("2024-03-02", "UTC", "2024-03-02T00:00:00.000Z", "2024-03-03T00:00:00.000Z"),
        // 23 and 25 hours.
        ("2026-03-08", "America/New_York", "2026-03-08T05:00:00.000Z", "2026-03-09T04:00:00.000Z"),
        ("2026-11-01", "America/New_York", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"),
        // There was no midnight.
        ("2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z", "2018-11-05T02:00:00.000Z"),
        // At midnight it was 23:00 again.
        ("2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00.000Z", "2018-02-19T03:00:00.000Z"),
        ("2018-02-17", "America/Sao_Paulo", "2018-02-17T02:00:00.000Z", "2018-02-18T03:00:00.000Z"),
        // Half an hour, and a change that is no daylight saving.
        ("2018-05-05", "Asia/Pyongyang", "2018-05-04T15:00:00.000Z", "2018-05-05T15:00:00.000Z"),
        ("2024-10-06", "Australia/Lord_Howe", "2024-10-05T13:30:00.000Z", "2024-10-06T13:00:00.000Z"),
        ("2024-01-01", "Pacific/Kiritimati", "2023-12-31T10:00:00.000Z", "2024-01-01T10:00:00.000Z"),
        // Before the Gregorian calendar was used, its days are counted all the same.
        ("1500-03-01", "UTC", "1500-03-01T00:00:00.000Z", "1500-03-02T00:00:00.000Z"),
    ])
    func aDayBeginsAndEndsWithTheMidnightsOfItsZone(day: String, zone: String, from: String, to: String) throws {
        let zone = try #require(TimeZone(ianaName: zone))
        let moments = try #require(CalendarDay(day)).moments(in: zone)
        #expect(moments.lowerBound.description == from && moments.upperBound.description == to)
    }

    @Test func aDayThatAZoneLeftOutHasNoMoments() throws {
        let apia = try #require(TimeZone(ianaName: "Pacific/Apia"))
        #expect(try #require(CalendarDay("2011-12-30")).moments(in: apia).isEmpty)
        let before = try #require(CalendarDay("2011-12-29")).moments(in: apia)
        let after = try #require(CalendarDay("2011-12-31")).moments(in: apia)
        #expect(before.upperBound == after.lowerBound)
    }

    @Test(arguments: ["Asia/Tokyo", "America/New_York", "America/Sao_Paulo", "Africa/Cairo", "America/St_Johns"])
    func everyMomentIsInOneDay(zone: String) throws {
        let zone = try #require(TimeZone(ianaName: zone))
        var end: Timestamp?
        for month in 1...12 {
            for day in 1...28 {
                let text = "2010-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
                let moments = try #require(CalendarDay(text)).moments(in: zone)
                let hours = Double(moments.upperBound.milliseconds - moments.lowerBound.milliseconds) / 3_600_000
                #expect((23...25).contains(hours))
                if day > 1, let end { #expect(moments.lowerBound == end) }
                end = moments.upperBound
            }
        }
    }

    @Test(arguments: ["0001-01-01", "9999-12-31"])
    func theFirstAndTheLastDayAreDaysToo(day: String) throws {
        for zone in ["Asia/Tokyo", "America/New_York", "Pacific/Apia"].compactMap({ TimeZone(ianaName: $0) }) {
            #expect(!(try #require(CalendarDay(day)).moments(in: zone).isEmpty))
        }
    }

    @Test(arguments: [
        "", "2024-3-2", "2024-03-32", "2023-02-29", "2024-13-01", "24-03-02", "2024/03/02", "2024-03-02T00:00:00Z",
        "0000-01-01", "２０２４-03-02", " 2024-03-02", "2024-03-02 ", "+024-03-02",
    ])
    func whatIsNoDayIsRefused(text: String) {
        #expect(CalendarDay(text) == nil)
    }

    @Test(arguments: [
        "Asia/Tokyo", "UTC", "Etc/GMT+9", "Asia/Calcutta", "Asia/Kolkata", "US/Pacific", "Japan", "EST5EDT", "GMT+0",
        "America/Argentina/Buenos_Aires", "Europe/Kyiv",
    ])
    func aNameOfTheIANADatabaseIsAZone(name: String) {
        #expect(TimeZone(ianaName: name) != nil)
    }

    @Test(arguments: [
        "", "Mars/Base", "JST", "PST", "GMT+9", "UTC+9", "GMT+09:00", "+09:00", "asia/tokyo", "Asia", "Asia/", "/",
        "Etc/Unknown", "posix/Asia/Tokyo", "../Asia/Tokyo", "Asia/../Asia/Tokyo", "Asia/Tokyo ", "localtime", "日本",
    ])
    func anyOtherNameIsNone(name: String) {
        #expect(TimeZone(ianaName: name) == nil)
    }
}
