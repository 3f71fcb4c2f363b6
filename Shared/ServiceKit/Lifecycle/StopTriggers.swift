import BlockingIO
import Dispatch
import Glibc
import Synchronization

/// Listens for what stops a process from outside, until it is closed.
final class StopTriggers {
    private var signals: [any DispatchSourceSignal] = []

    /// - Parameters:
    ///   - ask: called when the process is to stop.
    ///   - impatient: called at each signal after the first.
    init(
        _ triggers: Set<StopTrigger>,
        ask: @escaping @Sendable (StopRequest.Cause) -> Void,
        impatient: @escaping @Sendable () -> Void
    ) {
        let signals = SignalCount()
        for trigger in triggers {
            switch trigger {
            case .terminate: self.listen(for: SIGTERM, signals, ask, impatient)
            case .interrupt: self.listen(for: SIGINT, signals, ask, impatient)
            case .lifeline: Self.readToEnd(ask)
            }
        }
        if triggers.contains(.lifeline), !triggers.contains(.interrupt) { signal(SIGINT, SIG_IGN) }
    }

    func close() {
        for signal in self.signals { signal.cancel() }
    }

    private func listen(
        for number: Int32,
        _ count: SignalCount,
        _ ask: @escaping @Sendable (StopRequest.Cause) -> Void,
        _ impatient: @escaping @Sendable () -> Void
    ) {
        // Dispatch takes the place of the default action, on a thread of its own and a moment later.
        let isListening = DispatchSemaphore(value: 0)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setRegistrationHandler { isListening.signal() }
        source.setEventHandler {
            if count.next() > 1 { impatient() } else { ask(.signal(number)) }
        }
        source.activate()
        isListening.wait()
        self.signals.append(source)
    }

    /// The thread waits in a read that nothing can interrupt; it ends with the process.
    private static func readToEnd(_ ask: @escaping @Sendable (StopRequest.Cause) -> Void) {
        BlockingThread(name: "lifeline").enqueue {
            var buffer = [UInt8](repeating: 0, count: 256)
            while true {
                let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
                if count == 0 || (count < 0 && errno != EINTR) { return ask(.lifeline) }
            }
        }
    }
}

private final class SignalCount: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        self.count.withLock { count in
            count += 1
            return count
        }
    }
}
