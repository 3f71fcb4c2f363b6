import Crypto
public import KeijibanAPI

/// The header `Keijiban-Position`: the vector as an opaque text of under 512 bytes.
///
/// Base64url of 4 bytes of checksum, the moment it was written, and per topic: its number, its epoch's tag, how many entries
/// follow, and for each its shard, sequence and age in seconds. Numbers take as many bytes as they need, so that twelve shards
/// of five topics fit; of more the oldest drop out.
extension PositionVector {
    /// The token was damaged or made up.
    public struct Damaged: Error, Sendable {}

    /// The same between services, of what is waited for where that is possible and not required.
    public static let wishHeader = "Keijiban-Position-Wish"

    private static let byteLimit = 376

    public func token(now: Timestamp = .now) -> String {
        var vector = self
        vector.expire(now: now)
        while true {
            let bytes = vector.bytes(now: now)
            if bytes.count <= Self.byteLimit { return Base64URL.encode(SHA256.hash(bytes).prefix(4) + bytes) }
            vector.dropOldest()
        }
    }

    public init(token: String) throws(Damaged) {
        self.init()
        guard let decoded = Base64URL.decode(token), decoded.count > 4 else { throw Damaged() }
        guard SHA256.hash(Array(decoded.dropFirst(4))).prefix(4) == decoded.prefix(4) else { throw Damaged() }
        var reader = VariableLengthReader(decoded.dropFirst(4))
        let now = try reader.number()
        // Anybody can compute the checksum.
        guard now < 1 << 40 else { throw Damaged() }
        while !reader.isAtEnd {
            let topic = try reader.number()
            let tag = try reader.number()
            let count = try reader.number()
            guard topic < Topic.all.count, tag <= UInt32.max, count <= 4096 else { throw Damaged() }
            for _ in 0..<count {
                let shard = try reader.number()
                let sequence = try reader.number()
                let age = try reader.number()
                guard shard < 1 << 16, sequence < 1 << 62, age <= now else { throw Damaged() }
                self.note(
                    Shard(Topic.all[Int(topic)], Int(shard)),
                    Entry(
                        epochTag: UInt32(tag),
                        sequence: Int64(sequence),
                        writtenAt: Timestamp(milliseconds: Int64(now - age) * 1000)
                    )
                )
            }
        }
    }

    private func bytes(now: Timestamp) -> [UInt8] {
        let second = now.milliseconds / 1000
        var bytes: [UInt8] = []
        bytes.append(variableLength: UInt64(second))
        let byLog = Dictionary(grouping: self.entries) { Log(topic: $0.key.topic, epochTag: $0.value.epochTag) }
        for (log, entries) in byLog {
            guard let number = Topic.all.firstIndex(of: log.topic) else { continue }
            bytes.append(variableLength: UInt64(number))
            bytes.append(variableLength: UInt64(log.epochTag))
            bytes.append(variableLength: UInt64(entries.count))
            for (shard, entry) in entries {
                bytes.append(variableLength: UInt64(shard.number))
                bytes.append(variableLength: UInt64(entry.sequence))
                bytes.append(variableLength: UInt64(max(0, second - entry.writtenAt.milliseconds / 1000)))
            }
        }
        return bytes
    }

    private struct Log: Hashable {
        let topic: String
        let epochTag: UInt32
    }
}

/// Reads numbers of 7 bits a byte, lowest first, a set high bit meaning that more follows.
private struct VariableLengthReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.rest = bytes }

    var isAtEnd: Bool { self.rest.isEmpty }

    mutating func number() throws(PositionVector.Damaged) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard let byte = self.rest.popFirst() else { throw PositionVector.Damaged() }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw PositionVector.Damaged()
    }
}

extension [UInt8] {
    fileprivate mutating func append(variableLength value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            self.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        self.append(UInt8(rest))
    }
}
