/// Which partition a key belongs to, as Kafka's Java clients compute it.
///
/// librdkafka's default is another function, so whoever shares partitions with other clients names it.
public enum Partitioner {
    /// The partition of the key, of so many.
    public static func murmur2(_ key: [UInt8], partitions: Int) -> Int {
        Int(self.hash(key) & 0x7fff_ffff) % partitions
    }

    /// MurmurHash2 with the seed that `org.apache.kafka.common.utils.Utils.murmur2` uses.
    static func hash(_ bytes: [UInt8]) -> UInt32 {
        let multiplier: UInt32 = 0x5bd1_e995
        var hash = 0x9747_b28c ^ UInt32(truncatingIfNeeded: bytes.count)
        let tail = bytes.count & ~3
        for start in stride(from: 0, to: tail, by: 4) {
            var word =
                UInt32(bytes[start]) | UInt32(bytes[start + 1]) << 8
                | UInt32(bytes[start + 2]) << 16 | UInt32(bytes[start + 3]) << 24
            word &*= multiplier
            word ^= word >> 24
            word &*= multiplier
            hash = (hash &* multiplier) ^ word
        }
        if tail < bytes.count {
            for index in tail..<bytes.count { hash ^= UInt32(bytes[index]) << UInt32(8 * (index - tail)) }
            hash &*= multiplier
        }
        hash ^= hash >> 13
        hash &*= multiplier
        hash ^= hash >> 15
        return hash
    }
}
