/// The text format of Prometheus, version 0.0.4.
struct PrometheusText {
    private(set) var text = ""

    mutating func begin(_ signal: Signal) {
        let type =
            switch signal.kind {
            case .counter: "counter"
            case .histogram: "histogram"
            case .gauge, .event: "gauge"
            }
        self.text += "# HELP \(signal.name) \(Self.escaped(signal.help))\n# TYPE \(signal.name) \(type)\n"
    }

    mutating func add(_ name: String, _ labels: String, _ value: Double) {
        self.text += labels.isEmpty ? name : "\(name){\(labels)}"
        self.text += " \(Self.number(value))\n"
    }

    mutating func add(_ name: String, _ labels: String, _ histogram: Histogram) {
        let buckets = histogram.cumulated
        for (bound, count) in buckets {
            let bucket = (labels.isEmpty ? "" : labels + ",") + "le=\"\(Self.number(bound))\""
            self.add(name + "_bucket", bucket, Double(count))
        }
        self.add(name + "_sum", labels, histogram.sum)
        self.add(name + "_count", labels, Double(buckets.last?.count ?? 0))
    }

    static func labels(_ labels: KeyValuePairs<String, String>) -> String {
        labels.map { "\($0.key)=\"\(self.escaped($0.value))\"" }.joined(separator: ",")
    }

    private static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        return Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x22 || $0 == 0x5c || $0 == 0x0a }) else { return value }
        return value.reduce(into: "") { text, character in
            switch character {
            case "\"": text += #"\""#
            case "\\": text += #"\\"#
            case "\n": text += #"\n"#
            default: text.append(character)
            }
        }
    }
}
