/// Why a request was not carried out (RFC 9457).
public struct Problem: Codable, Sendable, Hashable, Error {
    public struct FieldError: Codable, Sendable, Hashable {
        public var field: String
        public var code: String
        public var message: String

        public init(field: String, code: String, message: String) {
            self.field = field
            self.code = code
            self.message = message
        }
    }

    /// A path on this origin that explains it, `/problems/duplicate-post`.
    public var type: String
    public var title: String
    public var status: Int
    public var detail: String?
    public var errors: [FieldError]?

    public init(type: String, title: String, status: Int, detail: String? = nil, errors: [FieldError]? = nil) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.errors = errors
    }
}
