import Testing

@testable import Kafka

@Suite(.timeLimit(.minutes(1))) struct PartitionerTests {
    /// From Apache Kafka's own `UtilsTest.testMurmur2`.
    @Test(arguments: [
        ("21", -973_932_308),
        ("foobar", -790_332_482),
        ("a-little-bit-long-string", -985_981_536),
        ("a-little-bit-longer-string", -1_486_304_829),
        ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
        ("abc", 479_470_107),
    ])
    func theHashIsTheOneOfKafkasJavaClients(key: String, hash: Int) {
        #expect(Int(Int32(bitPattern: Partitioner.hash(Array(key.utf8)))) == hash)
    }

    @Test func aNegativeHashStillNamesAPartition() {
        let partition = Partitioner.murmur2(Array("foobar".utf8), partitions: 12)
        #expect(partition == (-790_332_482 & 0x7fff_ffff) % 12)
    }
}
