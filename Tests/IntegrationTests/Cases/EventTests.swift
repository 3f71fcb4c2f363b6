import HTTP
import Kafka
import KeijibanAPI
import TestSupport
import Testing

extension IntegrationTests {
    /// What consumers outside the board can rely on, from the embedded broker and from Apache Kafka.
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct EventTests {
        @Test(arguments: TestBroker.available)
        func whatTheServicesSendIsWhatTheDocumentPromises(_ broker: TestBroker.Kind) async throws {
            let board = try await TestBoard.start(broker: broker)
            try await self.play(on: board)
            let document = try await board.call("GET", "/asyncapi.yaml")
            try #require(document.status == 200)
            let schemas = EventSchemas(document.text)
            let envelope = try #require(schemas.schema("Envelope"))
            var types: [String: Int] = [:]
            for part in Part.all {
                let records = try await board.published(by: part)
                self.expectGapless(records)
                for record in records {
                    types[record.type, default: 0] += 1
                    self.expectEnvelope(of: record, from: part, envelope)
                    let data = try JSON.decode([String: JSONValue].self, from: record.value ?? [])
                    #expect(schemas.faults(in: data, of: record.type).isEmpty, "\(record.type): \(data)")
                    #expect((data["id"] ?? data["postId"]) == .string(record.subject))
                    if part.topic == Topic.posts { #expect(data["threadId"] == .string(record.keyText)) }
                }
            }
            #expect(
                types == [
                    UserCreated.type: 3, UserRenamed.type: 1, UserDeleted.type: 1, ThreadCreated.type: 1,
                    ThreadEdited.type: 1, ThreadDeleted.type: 1, PostCreated.type: 6, PostEdited.type: 1,
                    PostDeleted.type: 6, PostLiked.type: 3, PostUnliked.type: 1, MediaStored.type: 2,
                    MediaRemoved.type: 2,
                ]
            )
            await board.stop()
        }

        /// Every kind of event there is.
        private func play(on board: TestBoard) async throws {
            let people = try await board.signUp(3)
            let cover = try await board.upload(people[0])
            let photo = try await board.upload(people[1])
            let thread = try await board.openThread(people[0], image: cover.id)
            let post = try await board.post(people[1], in: thread, image: photo.id)
            let others = try await (0..<5).asyncMap { _ in try await board.post(people[0], in: thread) }
            for person in people { try await board.like(post, person) }
            try await board.unlike(post, people[2])
            #expect(try await board.status("DELETE", "/v1/posts/\(others[0].id)", as: people[0]) == 204)
            for (path, field, person) in [
                ("/v1/posts/\(post.id)", "body", people[1]), ("/v1/threads/\(thread.id)", "title", people[0]),
                ("/v1/users/me", "displayName", people[2]),
            ] { #expect(try await board.call("PATCH", path, as: person, [field: "新しい"]).status == 200) }
            #expect(try await board.status("DELETE", "/v1/threads/\(thread.id)", as: people[0]) == 204)
            for image in [cover, photo] {
                try await eventually("the picture is gone") { try await board.status("GET", image.url) == 404 }
            }
            try await eventually("all posts are gone") {
                try await board.log(PostDeleted.self, of: .posts) { $0.threadId == thread.id }.count == 6
            }
            #expect(try await board.status("DELETE", "/v1/users/me", as: people[2]) == 204)
        }

        /// In each partition 1, 2, 3, …, in one life of the log.
        private func expectGapless(_ records: [Record]) {
            for (partition, records) in Dictionary(grouping: records, by: \.partition) {
                let inOrder = records.sorted { $0.offset < $1.offset }
                #expect(inOrder.map(\.sequence) == (1...records.count).map { Int64($0) }, "partition \(partition)")
                #expect(Set(records.map { $0.text(of: "ce_logepoch") }).count == 1)
            }
            #expect(Set(records.map { $0.text(of: "ce_id") }).count == records.count)
        }

        private func expectEnvelope(of record: Record, from part: Part, _ envelope: EventSchemas.Schema) {
            let names = Set(record.headers.map(\.name))
            #expect(names.isSuperset(of: envelope.required) && names.isSubset(of: envelope.properties.keys))
            #expect(names.count == record.headers.count)
            #expect(record.text(of: "ce_specversion") == "1.0")
            #expect(record.text(of: "content-type") == "application/json")
            #expect(record.text(of: "ce_source") == "/" + part.topic.split(separator: ".")[1])
            #expect(record.text(of: "ce_partitionkey") == record.keyText)
            #expect(record.partition == Partitioner.murmur2(record.key ?? [], partitions: 12))
            for name in ["ce_id", "ce_subject", "ce_partitionkey", "ce_logepoch"] {
                #expect(record.text(of: name).flatMap { ID($0) } != nil, "\(name)")
            }
            // Version 7.
            #expect(record.text(of: "ce_id")?.dropFirst(14).first == "7")
            #expect(record.text(of: "ce_time").flatMap { Timestamp($0) }?.description == record.text(of: "ce_time"))
            let sequence = record.text(of: "ce_sequence") ?? ""
            #expect(sequence.utf8.count == 20 && sequence.utf8.allSatisfy { (0x30...0x39).contains($0) })
        }
    }
}

extension Record {
    fileprivate var keyText: String { String(decoding: self.key ?? [], as: UTF8.self) }
}
