/// What people do, as far as it is limited.
enum Act: String, Sendable, CaseIterable {
    /// Signing up, also with a device that is known.
    case signUp = "sign-ups"
    /// Trying a transfer code: few, since a code is short.
    case transfer = "transfers"
    /// A thread or a post.
    case post = "posts"
    case upload = "uploads"
    /// The bytes of uploads.
    case uploadedByte = "upload-bytes"
    /// A like given or taken back.
    case like = "likes"
    /// Anything else that changes something.
    case edit = "edits"
    case read = "reads"

    /// Whether it is counted for each address; else for each user.
    var isByAddress: Bool {
        switch self {
        case .signUp, .transfer, .read: true
        case .post, .upload, .uploadedByte, .like, .edit: false
        }
    }

    /// How much of it is allowed where no setting says otherwise: no more than somebody does who means well.
    var quota: Quota {
        switch self {
        case .signUp: Quota(amount: 60, period: 3_600)
        case .transfer: Quota(amount: 10, period: 600)
        case .post: Quota(amount: 60, period: 60)
        case .upload: Quota(amount: 60, period: 600)
        case .uploadedByte: Quota(amount: 60_000_000, period: 600)
        case .like: Quota(amount: 300, period: 60)
        case .edit: Quota(amount: 120, period: 60)
        case .read: Quota(amount: 6_000, period: 60)
        }
    }
}

/// So much at once, and as much again in `period` seconds, bit by bit.
struct Quota: Sendable, Hashable {
    let amount: Int
    let period: Int

    init(amount: Int, period: Int) {
        self.amount = amount
        self.period = period
    }

    /// Reads `60/3600`.
    init?(_ text: some StringProtocol) {
        guard text.utf8.allSatisfy({ UInt8(ascii: "/")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let amount = numbers[0], let period = numbers[1],
            (1...1_000_000_000).contains(amount), (1...86_400).contains(period)
        else { return nil }
        self.init(amount: amount, period: period)
    }
}
