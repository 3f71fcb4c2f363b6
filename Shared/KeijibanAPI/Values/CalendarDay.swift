public import Foundation

/// A day of the proleptic Gregorian calendar, `2024-03-02`.
public struct CalendarDay: Hashable, Sendable {
    /// Milliseconds from 1970-01-01 to the day's midnight, where there are no zones.
    private let midnight: Int64

    private static let length: Int64 = 86_400_000

    /// Reads `YYYY-MM-DD`, nothing else; nil where there is no such day.
    public init?(_ text: String) {
        guard text.utf8.count == 10, let moment = Timestamp(text + "T00:00:00Z") else { return nil }
        self.midnight = moment.milliseconds
    }

    /// The day in a zone: from its 00:00 up to, not including, the next day's. Where a midnight does not exist, the first moment after
    /// it counts; where it comes twice, the first. A day that a zone left out has no moments.
    public func moments(in zone: TimeZone) -> Range<Timestamp> {
        Self.moment(of: self.midnight, in: zone)..<Self.moment(of: self.midnight + Self.length, in: zone)
    }

    /// The first moment at which clocks in the zone show `midnight` or later.
    private static func moment(of midnight: Int64, in zone: TimeZone) -> Timestamp {
        // No clock was ever further from UTC than 16 hours.
        var begin = Timestamp(milliseconds: midnight - Self.length)
        while true {
            let offset = Int64(zone.secondsFromGMT(for: begin.date)) * 1000
            let end = zone.nextDaylightSavingTimeTransition(after: begin.date).map { Timestamp($0) }
            let moment = max(begin, Timestamp(milliseconds: midnight - offset))
            guard let end, end > begin, end <= moment else { return moment }
            begin = end
        }
    }
}

extension TimeZone {
    /// A zone by its name in the IANA database. What else Foundation takes, `JST` or `GMT+9`, is nil: abbreviations are ambiguous.
    ///
    /// The rules are Foundation's own, so that they are there where the system has no zone files.
    public init?(ianaName name: String) {
        let area = name.prefix { $0 != "/" }
        guard area.count < name.count ? Self.areas.contains(String(area)) : Self.withoutArea.contains(name) else {
            return nil
        }
        self.init(identifier: name)
    }

    private static let areas: Set<String> = [
        "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Brazil", "Canada", "Chile",
        "Etc", "Europe", "Indian", "Mexico", "Pacific", "US",
    ]

    /// New names always have an area, so this list is complete.
    private static let withoutArea: Set<String> = [
        "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "Factory", "GB", "GB-Eire", "GMT",
        "GMT+0", "GMT-0", "GMT0", "Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan",
        "Kwajalein", "Libya", "MET", "MST", "MST7MDT", "NZ", "NZ-CHAT", "Navajo", "PRC", "PST8PDT", "Poland",
        "Portugal", "ROC", "ROK", "Singapore", "Turkey", "UCT", "UTC", "Universal", "W-SU", "WET", "Zulu",
    ]
}
