import KeijibanAPI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FieldEditTests {
    private func reader(_ json: String) throws -> ObjectReader { try ObjectReader(Array(json.utf8)) }

    @Test func whatIsLeftOutStaysAndNullEmptiesOnlyWhatMayBeEmpty() throws {
        var reader = try self.reader(#"{"title": " 題名 ", "imageId": null}"#)
        let title = reader.edit("title") { $0.text("title", .threadTitle) }
        let description = reader.edit("description") { $0.text("description", .description) }
        let image = reader.edit(emptying: "imageId") { $0.imageID("imageId") }
        reader.requireMembers()
        try reader.finish()
        #expect(title == .set("題名") && description == .keep && image == .set(nil))
        #expect(title.applied(to: "前") == "題名" && description.applied(to: "前") == "前")
        #expect(image.applied(to: .random()) == nil)
    }

    @Test(arguments: [
        ("{}", "", "no-fields"), (#"{"title": null}"#, "title", "wrong-type"),
        (#"{"title": 1}"#, "title", "wrong-type"),
        (#"{"titel": "題名"}"#, "titel", "unknown-field"), (#"{"imageId": 1}"#, "imageId", "wrong-type"),
        (#"{"imageId": "x"}"#, "imageId", "image-not-usable"), (#"{"title": " "}"#, "title", "nothing-visible"),
    ])
    func aFaultNamesItsField(_ json: String, _ field: String, _ code: String) throws {
        var reader = try self.reader(json)
        _ = reader.edit("title") { $0.text("title", .threadTitle) }
        _ = reader.edit(emptying: "imageId") { $0.imageID("imageId") }
        reader.requireMembers()
        let faults = #expect(throws: FieldFaults.self) { try reader.finish() }
        #expect(faults?.faults.map(\.field) == [field] && faults?.faults.map(\.fault.code) == [code])
    }
}
