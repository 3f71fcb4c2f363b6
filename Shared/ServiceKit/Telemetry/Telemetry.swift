import FoundationEssentials
import Synchronization

/// Where all parts of a process report what happens: events to the log, numbers to the metrics.
///
/// No report waits for anything. What may be reported stands in `Signals.swift`.
public final class Telemetry: Sendable {
    public let service: String
    private let level: LogLevel?
    private let sink: any LogSink
    private let metrics = Mutex(Metrics())
    private let collectors = Mutex<[@Sendable (Telemetry) -> Void]>([])

    /// - Parameter level: events below it are counted but not logged; nil logs none.
    public init(service: String, level: LogLevel? = .info, sink: any LogSink = LogWriter.standardError) {
        self.service = service
        self.level = level
        self.sink = sink
    }

    /// Reports an event. The ids of the request and the trace it belongs to are added by themselves.
    ///
    /// - Parameter fields: never what people wrote, a token or a device id.
    public func report(_ event: Signal, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        guard case .event(let level) = event.kind else { return assertionFailure("\(event.name) is no event") }
        self.count(.events, labels: ["event": event.name, "level": level.rawValue])
        guard let least = self.level, level >= least else { return }
        var line = LogLine()
        line.add("time", LogLine.time(Date()))
        line.add("level", level.rawValue)
        line.add("service", self.service)
        line.add("event", event.name)
        if let id = RequestId.current { line.add("requestId", id) }
        if let trace = TraceContext.current {
            line.add("traceId", trace.traceId)
            line.add("spanId", trace.spanId)
        }
        for (name, value) in fields { line.add(name, value) }
        if !self.sink.write(line.end()) { self.count(.logLinesDropped) }
    }

    /// Adds to a counter.
    public func count(_ counter: Signal, by amount: Int = 1, labels: KeyValuePairs<String, String> = [:]) {
        self.metrics.withLock { $0.add(counter, Double(amount), labels) }
    }

    /// Sets a gauge, or a counter whose total is kept elsewhere.
    public func set(_ gauge: Signal, _ value: Double, labels: KeyValuePairs<String, String> = [:]) {
        self.metrics.withLock { $0.set(gauge, value, labels) }
    }

    /// Sets a gauge to a whole number.
    public func set(_ gauge: Signal, _ value: Int, labels: KeyValuePairs<String, String> = [:]) {
        self.set(gauge, Double(value), labels: labels)
    }

    /// Adds a number, in seconds where it is a time, to a histogram.
    public func observe(_ histogram: Signal, _ value: Double, labels: KeyValuePairs<String, String> = [:]) {
        self.metrics.withLock { $0.observe(histogram, value, labels) }
    }

    /// Adds a time to a histogram.
    public func observe(_ histogram: Signal, _ time: Duration, labels: KeyValuePairs<String, String> = [:]) {
        self.observe(histogram, time / .seconds(1), labels: labels)
    }

    /// Has `collector` set gauges each time the metrics are read. It must not wait for anything.
    public func collect(_ collector: @escaping @Sendable (Telemetry) -> Void) {
        self.collectors.withLock { $0.append(collector) }
    }

    /// All metrics in the text format of Prometheus, version 0.0.4.
    public func metricsText() -> String {
        for collector in self.collectors.withLock({ $0 }) { collector(self) }
        return self.metrics.withLock { $0.text() }
    }

    /// Returns when all lines are written, or after `limit`.
    public func flush(within limit: Duration = .seconds(1)) {
        self.sink.flush(within: limit)
    }
}
