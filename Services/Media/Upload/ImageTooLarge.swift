import HTTP
import KeijibanAPI
import ServiceHost

/// An image has more bytes than are taken.
struct ImageTooLarge: Sendable {
    let limit: Int
    /// Nil where it was refused before its end.
    let byteCount: Int?

    func problem(in language: Language) -> Problem {
        let detail =
            switch (language, self.byteCount) {
            case (.english, let count?): "An image may have \(self.limit) bytes; this one has \(count)."
            case (.english, nil): "An image may have \(self.limit) bytes; this one has more."
            case (.japanese, let count?): "画像は\(self.limit)バイトまでです（この画像は\(count)バイト）。"
            case (.japanese, nil): "画像は\(self.limit)バイトまでです。"
            }
        return Problem(.imageTooLarge, in: language, detail: detail)
    }

    /// What is said to an upload that is refused before its body was read. A form is longer than its image, by nobody knows what.
    static func refusing(limit: Int) -> Router.Refuse {
        { refusal, head in
            guard case .bodyTooLarge(_, let declared) = refusal, head.pattern == UploadRoutes.path else {
                return ProblemAnswer.refuse(refusal, head)
            }
            let isForm = ImageBody.isForm(head)
            let problem = ImageTooLarge(limit: limit, byteCount: isForm ? nil : declared)
            return ProblemAnswer.response(
                problem.problem(in: Language(acceptLanguage: head.headers["Accept-Language"]))
            )
        }
    }
}
