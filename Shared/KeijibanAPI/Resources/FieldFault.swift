/// What is wrong with one field, for a person and for a program.
public enum FieldFault: Error, Sendable, Hashable {
    case missing
    case unknown
    case wrongType(expected: String)
    case text(TextRule.Fault)
    case notAllowed
    case repeated
    case timeZone
    case cursor
    /// An edit that names nothing to change.
    case noFields
    /// A transfer code that is unknown, used or expired.
    case codeNotUsable
    case imageNotUsable
    case image(ImageFault)
    case package(PackageFault)

    /// What is wrong with the bytes of an image.
    public enum ImageFault: Sendable, Hashable {
        case empty
        case truncated
        case undecodable
        case tooManyPixels(most: Int)
    }

    /// What is wrong with a packaged document.
    public enum PackageFault: String, Sendable, Hashable {
        case damaged
        case unsafeName = "unsafe-name"
        case unreadableName = "unreadable-name"
        case encrypted
        case unknownEntry = "unknown-entry"
        case missing
        case several
        case notUTF8 = "not-utf8"
        case unreadable
        case version
    }

    public var code: String {
        switch self {
        case .missing: "missing"
        case .unknown: "unknown-field"
        case .wrongType: "wrong-type"
        case .text(.tooShort): "too-short"
        case .text(.tooLong): "too-long"
        case .text(.tooManyBytes): "too-many-bytes"
        case .text(.controlCharacter): "control-character"
        case .text(.nothingVisible): "nothing-visible"
        case .notAllowed: "not-allowed"
        case .repeated: "repeated"
        case .timeZone: "unknown-time-zone"
        case .cursor: "cursor-not-valid"
        case .noFields: "no-fields"
        case .codeNotUsable: "code-not-usable"
        case .imageNotUsable: "image-not-usable"
        case .package(let fault): "package-\(fault.rawValue)"
        case .image(.empty): "image-empty"
        case .image(.truncated): "image-truncated"
        case .image(.undecodable): "image-undecodable"
        case .image(.tooManyPixels): "image-too-many-pixels"
        }
    }

    public func message(in language: Language) -> String {
        let words = self.words
        return language == .japanese ? words.japanese : words.english
    }

    private var words: (english: String, japanese: String) {
        switch self {
        case .missing: ("is required", "必須です")
        case .unknown: ("is not known here", "使えない項目です")
        case .wrongType(let expected): ("must be \(expected)", "型が違います（\(expected)）")
        case .text(.tooShort(let least, let count)):
            ("has \(count) characters; at least \(least) are needed", "\(least)文字以上にしてください（現在\(count)文字）")
        case .text(.tooLong(let most, let count)):
            ("has \(count) characters; at most \(most) are allowed", "\(most)文字以内にしてください（現在\(count)文字）")
        case .text(.tooManyBytes(let most)): ("has more than \(most) bytes", "\(most)バイト以内にしてください")
        case .text(.controlCharacter): ("holds a control character", "使えない制御文字が含まれています")
        case .text(.nothingVisible): ("shows nothing", "文字がありません")
        case .notAllowed: ("is not one of the values allowed", "使えない値です")
        case .repeated: ("is there more than once", "複数回指定されています")
        case .timeZone: ("is no time zone of the IANA database", "IANAのタイムゾーン名ではありません")
        case .cursor: ("is damaged, or of another list", "壊れているか、別の一覧のものです")
        case .noFields: ("names nothing to change", "変更する項目がありません")
        case .codeNotUsable: ("is unknown, used or expired", "無効か、使用済みか、期限切れのコードです")
        case .imageNotUsable: ("is no image of yours that is ready", "使用できない画像です")
        case .package(.damaged): ("is no zip archive, or a damaged one", "zipとして読み取れません")
        case .package(.unsafeName): ("holds a link, or a name that leads elsewhere", "安全でない名前またはリンクが含まれています")
        case .package(.unreadableName):
            ("holds a name that is not UTF-8, empty or too long", "UTF-8でないか、空か、長すぎるファイル名が含まれています")
        case .package(.encrypted): ("is encrypted", "暗号化されています")
        case .package(.unknownEntry): ("holds more than a text and a picture", "テキストと画像以外のものが含まれています")
        case .package(.missing): ("is missing in the package", "パッケージの中にありません")
        case .package(.several): ("is there more than once", "複数あります")
        case .package(.notUTF8): ("is not UTF-8", "UTF-8ではありません")
        case .package(.unreadable): ("cannot be read", "読み取れません")
        case .package(.version): ("must be of version 1 or 2", "バージョンは1か2にしてください")
        case .image(.empty): ("is empty", "空のファイルです")
        case .image(.truncated): ("ends too early", "画像が途中で切れています")
        case .image(.undecodable): ("cannot be decoded", "画像を読み取れません")
        case .image(.tooManyPixels(let most)):
            ("has more than \(most) pixels", "画素数が多すぎます（\(most)画素まで）")
        }
    }
}

/// All that is wrong with the fields of a request, or with the parameters of its query.
public struct FieldFaults: Error, Sendable {
    public private(set) var faults: [(field: String, fault: FieldFault)] = []
    public let kind: ProblemKind

    public init(_ kind: ProblemKind = .validationFailed) {
        self.kind = kind
    }

    public init(_ field: String, _ fault: FieldFault, _ kind: ProblemKind = .validationFailed) {
        self.faults = [(field, fault)]
        self.kind = kind
    }

    /// What is wrong with one parameter of a query: 400.
    public static func parameter(_ name: String, _ fault: FieldFault) -> FieldFaults {
        FieldFaults(name, fault, .malformedRequest)
    }

    public var isEmpty: Bool { self.faults.isEmpty }

    public mutating func note(_ field: String, _ fault: FieldFault) {
        self.faults.append((field, fault))
    }

    public func problem(in language: Language) -> Problem {
        Problem(
            self.kind,
            in: language,
            detail: self.faults.map { "\($0.field) \($0.fault.message(in: language))" }.joined(separator: "; "),
            errors: self.faults.map {
                Problem.FieldError(field: $0.field, code: $0.fault.code, message: $0.fault.message(in: language))
            }
        )
    }
}
