extension Settings {
    /// A text. Without a default it must be set.
    public mutating func string(_ name: String, default fallback: String? = nil, secret: Bool = false) -> String {
        if let value = self.optionalString(name, secret: secret) { return value }
        guard let fallback else { return self.missing(name, standIn: "") }
        self.note(name, is: secret ? Self.mask : fallback)
        return fallback
    }

    /// A text that may be left out.
    public mutating func optionalString(_ name: String, secret: Bool = false) -> String? {
        guard let value = self.text(of: name) else { return nil }
        self.note(name, is: secret ? Self.mask : value)
        return value
    }

    /// A whole number within `range`. Without a default it must be set.
    public mutating func integer(
        _ name: String,
        default fallback: Int? = nil,
        in range: ClosedRange<Int> = 0...Int.max
    ) -> Int {
        self.value(name, fallback, range.lowerBound, kind: "a whole number" + Self.bounds(of: range)) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Two whole numbers, the least and the most, as `15-40`.
    public mutating func range(
        _ name: String,
        default fallback: ClosedRange<Int>,
        in bounds: ClosedRange<Int>
    ) -> ClosedRange<Int> {
        let text = self.string(name, default: "\(fallback.lowerBound)-\(fallback.upperBound)")
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let least = parts[0], let most = parts[1], least <= most, bounds.contains(least),
            bounds.contains(most)
        else {
            self.fault("\(name) must be two numbers from \(bounds.lowerBound) to \(bounds.upperBound), as 15-40")
            return fallback
        }
        return least...most
    }

    /// `true` or `false`. Without a default it must be set.
    public mutating func boolean(_ name: String, default fallback: Bool? = nil) -> Bool {
        self.value(name, fallback, false, kind: "true or false", Bool.init)
    }

    /// A time in seconds, fractions allowed. Without a default it must be set.
    public mutating func duration(
        _ name: String,
        default fallback: Duration? = nil,
        in range: ClosedRange<Duration> = .zero ... .seconds(31_536_000)
    ) -> Duration {
        let bounds = "\(range.lowerBound.inSeconds) to \(range.upperBound.inSeconds)"
        return self.value(name, fallback, range.lowerBound, kind: "a number of seconds from \(bounds)") { text in
            guard let seconds = Double(text), abs(seconds) < 1e12 else { return nil }
            let duration = Duration.seconds(seconds)
            return range.contains(duration) ? duration : nil
        }
    }

    /// One of the values of an enumeration.
    public mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        default fallback: Value
    ) -> Value {
        let choices = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return self.value(name, fallback, fallback, kind: "one of \(choices)", Value.init(rawValue:))
    }

    /// Texts separated by commas, without the white space around them and without empty ones.
    public mutating func list(_ name: String, default fallback: [String] = []) -> [String] {
        guard let text = self.text(of: name) else { return fallback }
        self.note(name, is: text)
        return text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    }

    static let mask = "********"

    mutating func missing<Value>(_ name: String, standIn: Value) -> Value {
        // A file that was named but is no good is a fault already.
        if !self.faults.contains(where: { $0.hasPrefix(name + "_FILE ") }) {
            self.fault("\(name) must be set (or \(name)_FILE, the path of a file with it)")
        }
        return standIn
    }

    private mutating func value<Value>(
        _ name: String,
        _ fallback: Value?,
        _ standIn: Value,
        kind: String,
        _ parse: (String) -> Value?
    ) -> Value {
        guard let text = self.text(of: name) else {
            guard let fallback else { return self.missing(name, standIn: standIn) }
            self.note(name, is: Self.spelling(of: fallback))
            return fallback
        }
        guard let value = parse(text) else {
            self.fault("\(name) must be \(kind), not \"\(text.prefix(80))\"")
            return fallback ?? standIn
        }
        self.note(name, is: text)
        return value
    }

    private static func spelling(of value: some Any) -> String {
        switch value {
        case let duration as Duration: duration.inSeconds
        case let choice as any RawRepresentable: "\(choice.rawValue)"
        default: "\(value)"
        }
    }

    private static func bounds(of range: ClosedRange<Int>) -> String {
        range.upperBound == Int.max ? " from \(range.lowerBound)" : " from \(range.lowerBound) to \(range.upperBound)"
    }
}

extension Duration {
    /// In seconds, without a fraction where there is none.
    fileprivate var inSeconds: String {
        let seconds = self / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
