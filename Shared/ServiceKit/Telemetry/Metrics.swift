/// The numbers of all metrics, by metric and by the values of its labels.
struct Metrics {
    private enum Value {
        case number(Double)
        case histogram(Histogram)
    }

    private struct Family {
        let signal: Signal
        var series: [String: Value] = [:]
    }

    private var families: [String: Family] = [:]

    /// A label with values without end, such as an id, must not fill the memory.
    private static let seriesLimit = 2000

    mutating func add(_ signal: Signal, _ amount: Double, _ labels: KeyValuePairs<String, String>) {
        assert(signal.kind == .counter || signal.kind == .gauge, "\(signal.name) has no single number")
        self.change(signal, labels) { value in
            if case .number(let number) = value { .number(number + amount) } else { .number(amount) }
        }
    }

    mutating func set(_ signal: Signal, _ number: Double, _ labels: KeyValuePairs<String, String>) {
        assert(signal.kind == .counter || signal.kind == .gauge, "\(signal.name) has no single number")
        self.change(signal, labels) { _ in .number(number) }
    }

    mutating func observe(_ signal: Signal, _ number: Double, _ labels: KeyValuePairs<String, String>) {
        guard case .histogram(let bounds) = signal.kind else {
            return assertionFailure("\(signal.name) is no histogram")
        }
        self.change(signal, labels) { value in
            var histogram = if case .histogram(let known) = value { known } else { Histogram(bounds: bounds) }
            histogram.add(number)
            return .histogram(histogram)
        }
    }

    func text() -> String {
        var text = PrometheusText()
        for family in self.families.values.sorted(by: { $0.signal.name < $1.signal.name }) {
            text.begin(family.signal)
            for (labels, value) in family.series.sorted(by: { $0.key < $1.key }) {
                switch value {
                case .number(let number): text.add(family.signal.name, labels, number)
                case .histogram(let histogram): text.add(family.signal.name, labels, histogram)
                }
            }
        }
        return text.text
    }

    private mutating func change(
        _ signal: Signal,
        _ labels: KeyValuePairs<String, String>,
        _ body: (Value?) -> Value
    ) {
        assert(labels.map(\.key) == signal.labels, "\(signal.name) has the labels \(signal.labels)")
        let key = PrometheusText.labels(labels)
        var family = self.families.removeValue(forKey: signal.name) ?? Family(signal: signal)
        let value = family.series.removeValue(forKey: key)
        let isTooMany = value == nil && family.series.count >= Self.seriesLimit
        if !isTooMany { family.series[key] = body(value) }
        self.families[signal.name] = family
        if isTooMany { self.add(.seriesDropped, 1, ["metric": signal.name]) }
    }
}
