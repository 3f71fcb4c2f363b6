import Crypto
import Events
import Kafka
import KeijibanAPI
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EnvelopeFuzzTests {
    private let shard = Shard(Topic.posts, 3)

    private func event(_ number: Int64, data: String = #"{"body":"掲示板\n"}"#) -> Event {
        Event(
            id: .random(),
            type: "keijiban.post.created.v1",
            subject: "0193b8e2-7c4a-7def-8123-456789abcdef",
            time: Timestamp(milliseconds: 1_700_000_000_000 + number),
            partitionKey: "0193b8e2-7c4a-7def-8123-456789abcdef",
            shard: self.shard,
            position: LogPosition(epoch: .random(), sequence: number),
            traceparent: number % 2 == 0 ? "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" : nil,
            data: Array(data.utf8)
        )
    }

    @Test func aSequenceThatIsCutOffGivesTheEventsThatAreWholeOrNone() throws {
        let events = (1...3).map { self.event($0) }
        let bytes = try Event.encodeSequence(events)
        #expect(try Event.decodeSequence(bytes, shard: self.shard) == events)
        for count in bytes.indices {
            guard let read = try? Event.decodeSequence(Array(bytes.prefix(count)), shard: self.shard) else { continue }
            #expect(events.starts(with: read), "cut to \(count) of \(bytes.count)")
            #expect(count == 0 || !read.isEmpty, "cut to \(count) of \(bytes.count)")
        }
    }

    @Test func aSequenceThatIsReadIsTheSameWhenItIsWritten() throws {
        let seeds = try [
            Event.encodeSequence([self.event(1)]), Event.encodeSequence((2...4).map { self.event($0, data: "{}") }),
        ]
        try Fuzzing.bytes(seeds) { bytes in
            guard let read = try? Event.decodeSequence(bytes, shard: self.shard) else { return }
            let again = try Event.decodeSequence(Event.encodeSequence(read), shard: self.shard)
            #expect(again == read, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
    }

    @Test func aRecordThatIsReadIsTheSameWhenItIsWritten() {
        let sent = self.event(4).record
        let values = sent.headers.map { $0.value ?? [] }
        for (place, header) in sent.headers.enumerated() {
            Fuzzing.bytes([values[place]], rounds: Fuzzing.rounds / 4) { bytes in
                var headers = sent.headers
                headers[place] = Header(name: header.name, value: bytes)
                guard let read = try? Event(self.record(sent.value, headers)) else { return }
                let again = try? Event(self.record(read.record.value, read.record.headers))
                #expect(again == read, "\(header.name): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
                #expect(read.shard == self.shard && read.position.sequence >= 0)
            }
        }
    }

    private func record(_ value: [UInt8]?, _ headers: [Header]) -> Record {
        Record(
            topic: self.shard.topic,
            partition: self.shard.number,
            offset: 0,
            key: nil,
            value: value,
            headers: headers,
            timestamp: 1_700_000_000_000
        )
    }

    @Test func aPositionTokenIsTakenAsItWasGivenOnly() throws {
        let now = Timestamp(milliseconds: 1_700_000_000_000)
        var vector = PositionVector()
        for number in 0..<6 {
            let position = LogPosition(epoch: .random(), sequence: 1 << Int64(number * 9))
            vector.merge(PositionVector(Shard(Topic.all[number % Topic.all.count], number), position, writtenAt: now))
        }
        let tokens = [
            vector.token(now: now), PositionVector(self.shard, LogPosition(epoch: .random(), sequence: 5)).token(),
        ]
        Fuzzing.texts(tokens) { text in
            guard (try? PositionVector(token: text)) != nil else { return }
            #expect(tokens.contains(text), "\(text.debugDescription)")
        }
        // Anybody can compute the checksum: whatever it is before, it is a position or refused.
        let contents = try tokens.map { Array(try #require(Base64URL.decode($0)).dropFirst(4)) }
        Fuzzing.bytes(contents) { content in
            let text = Base64URL.encode(SHA256.hash(content).prefix(4) + content)
            guard let read = try? PositionVector(token: text) else { return }
            for (shard, entry) in read.entries {
                #expect(Topic.all.contains(shard.topic) && 0..<1 << 16 ~= shard.number && entry.sequence >= 0)
            }
            let latest = read.entries.values.map(\.writtenAt).max() ?? now
            let again = try? PositionVector(token: read.token(now: latest))
            #expect(again?.entries.allSatisfy { read.entries[$0.key]?.sequence == $0.value.sequence } == true)
        }
    }
}
