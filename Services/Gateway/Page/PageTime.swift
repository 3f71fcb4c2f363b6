import Foundation
import KeijibanAPI

/// Moments as people in Japan read them.
enum PageTime {
    private static let zone = TimeZone(identifier: "Asia/Tokyo") ?? TimeZone(secondsFromGMT: 9 * 3_600) ?? .gmt

    static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = Self.zone
        return calendar
    }()

    /// `M/d(E) HH:mm`
    static func text(_ moment: Timestamp, _ words: PageWords) -> String {
        let parts = self.parts(moment)
        let clock = [parts.hour, parts.minute].map { self.two($0 ?? 0) }.joined(separator: ":")
        return "\(self.day(parts, words)) \(clock)"
    }

    /// `2026-11-30`
    static func day(_ moment: Timestamp) -> String {
        let parts = self.parts(moment)
        return "\(parts.year ?? 0)-\(self.two(parts.month ?? 0))-\(self.two(parts.day ?? 0))"
    }

    /// The first moment of a day, given as `2026-11-30`; nil where there is no such day.
    static func start(of day: String) -> Timestamp? { Timestamp("\(day)T00:00:00+09:00") }

    /// A time element, with the moment as machines read it.
    static func element(_ moment: Timestamp, _ words: PageWords, slot: String = "date") -> HTML {
        "<time datetime=\"\(moment.description)\" data-f=\"\(slot)\">\(self.text(moment, words))</time>"
    }

    static func weekday(_ moment: Timestamp, _ words: PageWords) -> String {
        let names = words("weekdays").split(separator: ",").map(String.init)
        return names[((self.parts(moment).weekday ?? 1) - 1) % names.count]
    }

    private static func day(_ parts: DateComponents, _ words: PageWords) -> String {
        let names = words("weekdays").split(separator: ",").map(String.init)
        return "\(parts.month ?? 0)/\(parts.day ?? 0)(\(names[((parts.weekday ?? 1) - 1) % names.count]))"
    }

    static func parts(_ moment: Timestamp) -> DateComponents {
        self.calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute], from: moment.date)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
