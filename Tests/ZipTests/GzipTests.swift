import TestSupport
import Testing
import Zip

@Suite(.timeLimit(.minutes(2)))
struct GzipTests {
    @Test(arguments: [1, 5, 9])
    func whatIsCompressedComesOutAsItWentIn(_ level: Int) throws {
        for count in [100, 1_000, 300_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
            let packed = try #require(Gzip.compress(bytes, level: level))
            #expect(packed.count < count && gunzip(packed) == bytes && Gzip.compress(bytes, level: level) == packed)
        }
    }

    @Test func whatDoesNotGetSmallerIsLeft() {
        #expect(Gzip.compress([], level: 9) == nil && Gzip.compress([1], level: 9) == nil)
        #expect(Gzip.compress((0..<5_000).map { _ in UInt8.random(in: 0...255) }, level: 9) == nil)
    }
}
