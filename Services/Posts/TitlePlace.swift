import Crypto
import KeijibanAPI

/// What one author may use once in a thread.
struct TitlePlace: Hashable {
    let threadId: ID
    let authorId: ID
    let key: [UInt8]

    /// What two titles must share to count as the same; an untitled report has nothing to compare.
    static func key(of title: String?) -> [UInt8]? {
        title.map { SHA256.hash(Array(TextKey($0).value.utf8)) }
    }
}

extension TitlePlace {
    /// Where a post's title stands; nil for an untitled one.
    init?(_ post: StoredPost) {
        guard let key = post.titleKey else { return nil }
        self.init(threadId: post.record.threadId, authorId: post.record.authorId, key: key)
    }
}
