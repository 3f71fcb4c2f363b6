import Foundation
import ServiceKit
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LogWriterTests {
    private let pipe = Pipe()

    @Test func linesArriveWholeAndInOrder() throws {
        let writer = LogWriter(fileDescriptor: self.pipe.fileHandleForWriting.fileDescriptor)
        let lines = (0..<500).map { "line \($0)\n" }
        for line in lines { #expect(writer.write(Array(line.utf8))) }
        writer.flush(within: .seconds(5))
        try self.pipe.fileHandleForWriting.close()
        let read = try self.pipe.fileHandleForReading.readToEnd() ?? Data()
        #expect(String(decoding: read, as: UTF8.self) == lines.joined())
    }

    @Test func aReaderThatSleepsHoldsUpNobody() throws {
        let writer = LogWriter(fileDescriptor: self.pipe.fileHandleForWriting.fileDescriptor, limit: 200_000)
        let line = [UInt8](repeating: 0x78, count: 1000)
        var left = 0
        for _ in 0..<1000 where !writer.write(line) { left += 1 }
        writer.flush(within: .milliseconds(50))
        // The pipe holds 64 KiB, the writer one batch in its hands and 200 kB behind it.
        #expect(left > 400)
        // What was taken comes, once somebody reads.
        let taken = (1000 - left) * line.count
        #expect(try self.pipe.fileHandleForReading.read(upToCount: taken)?.count == taken)
    }
}
