import Foundation
import Testing
import Zip

@Suite(.timeLimit(.minutes(1)))
struct ZipWriterTests {
    private static func archive(_ contents: [(String, [UInt8])]) -> [UInt8] {
        var writer = ZipWriter()
        var bytes: [UInt8] = []
        for (name, content) in contents { bytes += writer.add(name, content) }
        return bytes + writer.finish()
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let contents = [("info.json", Array("{}".utf8)), ("assets/図.png", [0, 1, 2]), ("empty", [])]
        let reader = try ZipReader(Self.archive(contents), entryLimit: 3)
        var room = 100
        #expect(reader.entries.map(\.name) == contents.map(\.0))
        #expect(try reader.entries.map { try reader.content(of: $0, room: &room) } == contents.map(\.1))
        #expect(room == 95)
    }

    @Test func theSameContentMakesTheSameBytes() {
        #expect(Self.archive([("a", [1])]) == Self.archive([("a", [1])]))
    }

    /// Another program's opinion, also of an archive that has more entries than its first form can count.
    @Test(arguments: [0, 2, 70_000])
    func anotherProgramReadsIt(_ count: Int) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).zip")
        defer { try? FileManager.default.removeItem(at: path) }
        try Data(Self.archive((0..<count).map { ("日報/\($0).txt", Array("\($0)".utf8)) })).write(to: path)
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/env")
        let script = """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            n = z.namelist()
            assert z.testzip() is None
            assert n == ["日報/%d.txt" % i for i in range(int(sys.argv[2]))], n[:3]
            assert all(z.read(x).decode() == x[3:-4] for x in n)
            """
        python.arguments = ["python3", "-X", "utf8", "-c", script, path.path(), "\(count)"]
        try python.run()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
    }
}
