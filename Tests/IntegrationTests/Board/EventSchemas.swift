import KeijibanAPI

/// What `asyncapi.yaml` says of the data of each event, as far as its own way of writing goes: a field a line.
struct EventSchemas {
    struct Schema {
        var required: Set<String> = []
        /// What a field must be, as it is written.
        var properties: [String: String] = [:]
    }

    private var schemas: [String: Schema] = [:]
    private var names: [String: String] = [:]

    init(_ document: String) {
        var (name, type) = ("", "")
        for line in document.split(separator: "\n") {
            let indent = line.prefix { $0 == " " }.count
            let parts = line.dropFirst(indent).split(separator: ":", maxSplits: 1)
            let key = parts.first.map(String.init) ?? ""
            let value = parts.dropFirst().first.map { String($0.trimmingPrefix(" ")) } ?? ""
            switch (indent, key) {
            case (4, _): name = key
            case (6, "name"): type = value
            case (6, "payload"):
                self.names[type] = value.split(separator: "/").last.map { String($0.prefix { $0.isLetter }) }
            case (6, "required"):
                let fields = value.dropFirst().dropLast().split(separator: ",").map { String($0.trimmingPrefix(" ")) }
                self.schemas[name, default: Schema()].required = Set(fields)
            case (8, _): self.schemas[name, default: Schema()].properties[key] = value
            default: break
            }
        }
    }

    func schema(_ name: String) -> Schema? { self.schemas[name] }

    /// What is not as the document says in the data of an event of this type.
    func faults(in data: [String: JSONValue], of type: String) -> [String] {
        guard let schema = self.names[type].flatMap({ self.schemas[$0] }) else { return ["no type \(type)"] }
        let missing = schema.required.subtracting(data.keys).map { "\($0) is missing" }
        return missing.sorted()
            + data.keys.sorted().compactMap { field in
                guard let rule = schema.properties[field] else { return "\(field) is not described" }
                return data[field].map { Self.fits($0, rule) } == true ? nil : "\(field) is no \(rule)"
            }
    }

    private static func fits(_ value: JSONValue, _ rule: String) -> Bool {
        switch value {
        case .null: rule.contains("\"null\"")
        case .boolean: rule.contains("const: true")
        case .integer(let number): rule.contains("type: integer") && number >= (rule.contains("minimum: 1") ? 1 : 0)
        case .string(let text):
            if rule.contains("format: uuid") {
                ID(text)?.description == text
            } else if rule.contains("format: date-time") {
                Timestamp(text)?.description == text
            } else if rule.contains("enum: [") {
                rule.contains(text)
            } else {
                rule.contains("string")
            }
        default: false
        }
    }
}
