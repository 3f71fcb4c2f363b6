import HTTP
import KeijibanAPI
import ServiceHost

/// The image in a request: the body itself, or the part `file` of a form. Its declared type does not count.
enum ImageBody {
    /// How many bytes of a form are not its image.
    static let formOverhead = 65_536

    static let field = "file"

    /// - Parameter limit: the most bytes an image may have, that number included.
    static func bytes(of request: Request, limit: Int) throws -> [UInt8] {
        let bytes = self.isForm(request.head) ? try self.part(of: request) : request.body
        guard bytes.count <= limit else {
            throw ImageTooLarge(limit: limit, byteCount: bytes.count).problem(in: request.language)
        }
        guard !bytes.isEmpty else { throw FieldFaults(self.field, .image(.empty)) }
        return bytes
    }

    static func isForm(_ head: RequestHead) -> Bool {
        head.headers["Content-Type"].map { ParameterizedValue($0).value.lowercased() } == "multipart/form-data"
    }

    private static func part(of request: Request) throws -> [UInt8] {
        let type = ParameterizedValue(request.headers["Content-Type"] ?? "")
        let form: MultipartForm
        do {
            form = try MultipartForm(request.body, boundary: type.parameters["boundary"] ?? "")
        } catch {
            throw ProblemKindError(.malformedRequest, detail: "The body is no multipart/form-data: \(error.reason).")
        }
        var faults = FieldFaults()
        for part in form.parts where part.name != self.field { faults.note(String(part.name.prefix(100)), .unknown) }
        let files = form.parts.filter { $0.name == self.field }
        if files.isEmpty { faults.note(self.field, .missing) }
        if files.count > 1 { faults.note(self.field, .wrongType(expected: "one file")) }
        guard faults.isEmpty, let file = files.first else { throw faults }
        return Array(file.content)
    }
}
