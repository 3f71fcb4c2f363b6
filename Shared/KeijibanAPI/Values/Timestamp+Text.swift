/// RFC 3339, in whole numbers: Foundation's own form loses a millisecond of every second one, and takes February 30th.
extension Timestamp: LosslessStringConvertible {
    private static let dayLength: Int64 = 86_400_000
    private static let monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    /// The years 1 to 9999.
    private static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Reads RFC 3339 with any offset, with or without a fraction of a second, of which what is below a millisecond is cut off;
    /// the years 1 to 9999. A leap second is refused.
    public init?(_ text: String) {
        guard (20...40).contains(text.utf8.count) else { return nil }
        var reader = RFC3339Reader(text)
        guard let year = reader.number(digits: 4), reader.take("-"), let month = reader.number(digits: 2),
            reader.take("-"),
            let day = reader.number(digits: 2), reader.take("T", or: "t"), let hour = reader.number(digits: 2),
            reader.take(":"),
            let minute = reader.number(digits: 2), reader.take(":"), let second = reader.number(digits: 2),
            let millisecond = reader.fraction(), let offset = reader.offset(), reader.isAtEnd,
            (1...12).contains(month), (1...Self.length(ofMonth: month, year)).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        let minutes = Int64(hour * 60 + minute - offset)
        let time = (minutes * 60 + Int64(second)) * 1000 + Int64(millisecond)
        let milliseconds = Self.days(year, month, day) * Self.dayLength + time
        guard Self.range.contains(milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// In UTC, with milliseconds: 24 characters.
    public var description: String {
        let days =
            (self.milliseconds - (self.milliseconds % Self.dayLength + Self.dayLength) % Self.dayLength)
            / Self.dayLength
        let rest = Int(self.milliseconds - days * Self.dayLength)
        let (year, month, day) = Self.date(days)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func append(_ value: Int, digits: Int, _ end: Unicode.Scalar) {
            let decimal = String(value)
            text += repeatElement(UInt8(ascii: "0"), count: max(0, digits - decimal.utf8.count))
            text += decimal.utf8
            text.append(UInt8(ascii: end))
        }
        append(year, digits: 4, "-")
        append(month, digits: 2, "-")
        append(day, digits: 2, "T")
        append(rest / 3_600_000, digits: 2, ":")
        append(rest / 60_000 % 60, digits: 2, ":")
        append(rest / 1000 % 60, digits: 2, ".")
        append(rest % 1000, digits: 3, "Z")
        return String(decoding: text, as: UTF8.self)
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 && isLeap ? 29 : self.monthLengths[month - 1]
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar. Years are taken from March on, so that the leap day is the
    /// last; 400 of them have 146,097 days.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    /// The inverse of `days`.
    private static func date(_ days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }
}

private struct RFC3339Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) { self.rest = text[...].utf8 }

    var isAtEnd: Bool { self.rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> Bool {
        guard let byte = self.rest.first,
            byte == UInt8(ascii: character) || other.map({ byte == UInt8(ascii: $0) }) == true
        else { return false }
        self.rest.removeFirst()
        return true
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let digit = self.digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Milliseconds; 0 where there is no fraction, nil where there is a point and no digit.
    mutating func fraction() -> Int? {
        guard self.take(".") else { return 0 }
        guard var value = self.digit() else { return nil }
        var digits = 1
        while let digit = self.digit() {
            if digits < 3 { value = value * 10 + digit }
            digits += 1
        }
        for _ in 0..<max(0, 3 - digits) { value *= 10 }
        return value
    }

    /// Minutes east of UTC.
    mutating func offset() -> Int? {
        if self.take("Z", or: "z") { return 0 }
        let isEast = self.take("+")
        guard isEast || self.take("-"), let hours = self.number(digits: 2), self.take(":"),
            let minutes = self.number(digits: 2), hours < 24, minutes < 60
        else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes)
    }

    private mutating func digit() -> Int? {
        guard let byte = self.rest.first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        self.rest.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }
}
