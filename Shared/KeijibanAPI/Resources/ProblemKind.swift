/// Every kind of problem that the API answers with, with its status and its words.
public enum ProblemKind: String, Sendable, CaseIterable {
    case validationFailed = "validation-failed"
    case malformedRequest = "malformed-request"
    case unauthorized
    case forbidden
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case duplicatePost = "duplicate-post"
    case conflict
    case preconditionFailed = "precondition-failed"
    case imageTooLarge = "image-too-large"
    case bodyTooLarge = "body-too-large"
    case unsupportedImage = "unsupported-image"
    case unsupportedMediaType = "unsupported-media-type"
    case rangeNotSatisfiable = "range-not-satisfiable"
    case headersTooLarge = "headers-too-large"
    case idempotencyKeyReused = "idempotency-key-reused"
    case rateLimited = "rate-limited"
    case unavailable
    case `internal`

    public var status: Int {
        switch self {
        case .malformedRequest: 400
        case .unauthorized: 401
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .duplicatePost, .conflict: 409
        case .preconditionFailed: 412
        case .imageTooLarge, .bodyTooLarge: 413
        case .unsupportedImage, .unsupportedMediaType: 415
        case .rangeNotSatisfiable: 416
        case .validationFailed, .idempotencyKeyReused: 422
        case .rateLimited: 429
        case .headersTooLarge: 431
        case .internal: 500
        case .unavailable: 503
        }
    }

    /// One sentence for a person, in English and Japanese.
    public func sentence(in language: Language) -> String {
        let words = self.words
        return language == .japanese ? words.japanese : words.english
    }

    private var words: (english: String, japanese: String) {
        switch self {
        case .validationFailed: ("A value is not allowed.", "入力内容に誤りがあります。")
        case .malformedRequest: ("The request could not be understood.", "リクエストを理解できませんでした。")
        case .unauthorized: ("Sign in first.", "サインインが必要です。")
        case .forbidden: ("You do not own it.", "権限がないようです。")
        case .notFound: ("There is no such thing here, or no longer.", "見つかりませんでした。")
        case .methodNotAllowed: ("This method is not for this path.", "このメソッドは使えません。")
        case .notAcceptable: ("It cannot be had in a form you accept.", "受け取れる形式では提供できません。")
        case .duplicatePost: ("You have posted this title here before.", "以前と同じ投稿です。")
        case .conflict: ("The same request is still under way.", "同じリクエストを処理中です。")
        case .preconditionFailed: ("It was changed in the meantime.", "ほかの変更が先に行われました。")
        case .imageTooLarge: ("The image is too large.", "画像のサイズが大きすぎます。")
        case .bodyTooLarge: ("The request is too large.", "送信された内容が大きすぎます。")
        case .unsupportedImage: ("This is no JPEG, PNG, WebP, GIF or HEIC image.", "対応していない画像形式です。")
        case .unsupportedMediaType: ("This media type is not understood here.", "このメディアタイプには対応していません。")
        case .rangeNotSatisfiable: ("It has no such range.", "指定された範囲がありません。")
        case .headersTooLarge: ("The headers are too large.", "ヘッダーが大きすぎます。")
        case .idempotencyKeyReused:
            ("This Idempotency-Key was used for another request.", "この Idempotency-Key は別のリクエストで使用済みです。")
        case .rateLimited: ("Too many requests; try again later.", "リクエストが多すぎます。しばらくしてからお試しください。")
        case .unavailable: ("It cannot be had just now; try again soon.", "ただいま利用できません。しばらくしてからお試しください。")
        case .internal: ("Something went wrong on our side.", "サーバーで問題が発生しました。")
        }
    }
}

extension Problem {
    public init(
        _ kind: ProblemKind,
        in language: Language = .english,
        detail: String? = nil,
        errors: [FieldError]? = nil
    ) {
        self.init(
            type: "/problems/\(kind.rawValue)",
            title: kind.sentence(in: language),
            status: kind.status,
            detail: detail,
            errors: errors
        )
    }

    public func isKind(_ kind: ProblemKind) -> Bool { self.type == "/problems/\(kind.rawValue)" }
}
