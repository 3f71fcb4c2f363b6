internal import Foundation
internal import Glibc

/// Runs a program to its end.
enum Tool {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Gives it `input`, which must be small, and appends what it prints to the file `log`; throws the last line of
    /// that where the program failed. Cancelling ends the program.
    static func run(_ program: Program, input: String = "", log: String) async throws {
        let output = try Descriptor.open(log, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
        let child = try ChildProcess(program, input: self.pipe(holding: input), output: output)
        let status = await child.wait(stopping: StopRule())
        try Task.checkCancellation()
        guard status == .exited(0) else {
            let name = program.executable.split(separator: "/").last ?? ""
            throw Failure(description: "\(name) ended (\(status)): \(self.lastLine(of: log)) (all of it: \(log))")
        }
    }

    private static func pipe(holding text: String) throws -> Descriptor {
        let (reading, writing) = try Descriptor.pipe()
        writing.write(text.utf8)
        return reading
    }

    private static func lastLine(of path: String) -> Substring {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").last ?? ""
    }
}
