/// RFC 3339, in whole numbers: a moment that goes through floating point comes back a millisecond early.
extension Timestamp: LosslessStringConvertible {
    private static let millisecondsOfDay: Int64 = 86_400_000

    /// Reads RFC 3339 with any offset, with or without a fraction of a second, which is cut to milliseconds; the years 1 to 9999.
    public init?(_ text: String) {
        var reader = Reader(text.utf8)
        guard text.utf8.count <= 40, let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2, in: 1...12), reader.skip("-"),
            let day = reader.number(digits: 2, in: 1...Self.days(inMonth: month, of: year)), reader.skip("T", "t"),
            let hour = reader.number(digits: 2, in: 0...23), reader.skip(":"),
            let minute = reader.number(digits: 2, in: 0...59), reader.skip(":"),
            // 60 is a leap second, and the same moment as the next minute's begin.
            let second = reader.number(digits: 2, in: 0...60), let fraction = reader.fraction(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let seconds = (hour * 60 + minute - offset) * 60 + second
        let milliseconds = Self.day(year, month, day) * Self.millisecondsOfDay + seconds * 1000 + fraction
        let range = Self.day(1, 1, 1) * Self.millisecondsOfDay..<Self.day(10_000, 1, 1) * Self.millisecondsOfDay
        guard range.contains(milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    public var description: String {
        let (days, rest) = Self.divided(self.milliseconds, by: Self.millisecondsOfDay)
        let (year, month, day) = Self.civil(days)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func write(_ number: Int64, digits: Int, _ mark: Unicode.Scalar) {
            let digitText = String(number).utf8
            text += [UInt8](repeating: UInt8(ascii: "0"), count: max(0, digits - digitText.count)) + Array(digitText)
            text.append(UInt8(ascii: mark))
        }
        write(year, digits: 4, "-")
        write(month, digits: 2, "-")
        write(day, digits: 2, "T")
        write(rest / 3_600_000, digits: 2, ":")
        write(rest / 60_000 % 60, digits: 2, ":")
        write(rest / 1000 % 60, digits: 2, ".")
        write(rest % 1000, digits: 3, "Z")
        return String(decoding: text, as: UTF8.self)
    }
}

/// The Gregorian calendar in days since 1970-01-01, counted in eras of 400 years that begin on the first of March.
extension Timestamp {
    private static let daysOfEra: Int64 = 146_097
    /// From the first of March of the year 0 to 1970-01-01.
    private static let epochDay: Int64 = 719_468

    private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let (era, yearOfEra) = Self.divided(month > 2 ? year : year - 1, by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * Self.daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.epochDay
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = Self.divided(days + Self.epochDay, by: Self.daysOfEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Rounded down, so that the rest is never negative.
    private static func divided(_ number: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let rest = (number % divisor + divisor) % divisor
        return ((number - rest) / divisor, rest)
    }
}

private struct Reader {
    private var rest: Substring.UTF8View

    init(_ text: String.UTF8View) { self.rest = text[...] }

    var isAtEnd: Bool { self.rest.isEmpty }

    mutating func skip(_ marks: Unicode.Scalar...) -> Bool {
        guard let first = self.rest.first, marks.contains(where: { UInt8(ascii: $0) == first }) else { return false }
        self.rest.removeFirst()
        return true
    }

    mutating func number(digits: Int, in range: ClosedRange<Int64> = 0...9_999) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = self.digit() else { return nil }
            value = value * 10 + digit
        }
        return range.contains(value) ? value : nil
    }

    /// Milliseconds; 0 where there is no fraction, nil where it has no digit.
    mutating func fraction() -> Int64? {
        guard self.skip(".") else { return 0 }
        guard var value = self.digit().map({ $0 * 100 }) else { return nil }
        var weight: Int64 = 10
        while let digit = self.digit() {
            value += digit * weight
            weight /= 10
        }
        return value
    }

    /// Minutes east of Greenwich.
    mutating func offset() -> Int64? {
        if self.skip("Z", "z") { return 0 }
        let isEast = self.rest.first == UInt8(ascii: "+")
        guard self.skip("+", "-"), let hours = self.number(digits: 2, in: 0...23), self.skip(":"),
            let minutes = self.number(digits: 2, in: 0...59)
        else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes)
    }

    private mutating func digit() -> Int64? {
        guard let byte = self.rest.first, (0x30...0x39).contains(byte) else { return nil }
        self.rest.removeFirst()
        return Int64(byte - 0x30)
    }
}
