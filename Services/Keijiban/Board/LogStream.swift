internal import BlockingIO

/// Takes what a service prints, over all its lives: every line goes to its log file, and what a person should see
/// goes to the terminal too, under the service's name.
final class LogStream: Sendable {
    /// A line that is longer is cut, in bytes.
    private static let lineLimit = 1_000_000

    private let name: String
    private let file: LogFile
    private let thread: BlockingThread

    init(_ name: String, file: LogFile) {
        self.name = name
        self.file = file
        self.thread = BlockingThread(name: "log-\(name)")
    }

    /// Starts the program with its output coming here.
    func start(_ program: Program) throws(SystemError) -> ChildProcess {
        let (reading, writing) = try Descriptor.pipe()
        let child = try ChildProcess(program, output: writing)
        self.thread.enqueue { [name, file] in
            Self.pump(reading, name: name, file: file)
        }
        return child
    }

    /// Copies until the last holder of the pipe's other end is gone.
    private static func pump(_ pipe: Descriptor, name: String, file: LogFile) {
        var output = try? file.open()
        var written = 0
        var rest: [UInt8] = []
        while case let bytes = pipe.read(), !bytes.isEmpty {
            rest += bytes
            let isOverlong = rest.count > Self.lineLimit
            guard let end = isOverlong ? rest.indices.last : rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            let lines = rest[...end]
            output?.write(lines)
            written += lines.count
            if written > LogFile.limit {
                output = try? file.open()
                written = 0
            }
            for line in lines.split(separator: UInt8(ascii: "\n")) {
                if let text = LogLine(line).forTerminal { Terminal.warn("\(name): \(text)") }
            }
            rest.removeSubrange(...end)
        }
        if !rest.isEmpty { output?.write(rest + [UInt8(ascii: "\n")]) }
    }
}
