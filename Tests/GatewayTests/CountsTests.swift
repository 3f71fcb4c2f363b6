import Events
import KeijibanAPI
import Testing

@testable import Gateway

/// The rules of counting, whatever order the topics come in.
@Suite(.timeLimit(.minutes(1)))
struct CountsTests {
    private let log = EventLog(topic: Topic.posts, shardCount: 4)
    private let thread = ID.random()
    private let author = ID.random()
    private let post = ID.random()
    private let now = Timestamp(milliseconds: 1_000)

    private var counts: Counts {
        let log = self.log
        return Counts { log.shard(of: $0) }
    }

    private var threadCreated: BoardEvent {
        .threadCreated(
            ThreadCreated(
                ThreadRecord(
                    id: self.thread,
                    version: 1,
                    authorId: self.author,
                    title: "t",
                    description: "",
                    kind: .discussion,
                    imageId: nil,
                    createdAt: self.now
                )
            )
        )
    }

    private func created(_ post: ID, total: Int) -> BoardEvent {
        let record = PostRecord(
            id: post,
            version: 1,
            threadId: self.thread,
            authorId: self.author,
            title: "title",
            body: "body",
            date: self.now,
            imageId: nil,
            createdAt: self.now,
            editedAt: nil
        )
        return .postCreated(PostCreated(record, threadPostCount: total))
    }

    private func edited(_ version: Int, _ title: String) -> BoardEvent {
        let record = ThreadRecord(
            id: self.thread,
            version: version,
            authorId: self.author,
            title: title,
            description: "",
            kind: .discussion,
            imageId: nil,
            createdAt: self.now
        )
        return .threadEdited(ThreadEdited(record, editedAt: self.now))
    }

    private func edited(_ post: ID, _ version: Int) -> BoardEvent {
        let record = PostRecord(
            id: post,
            version: version,
            threadId: self.thread,
            authorId: self.author,
            title: "title \(version)",
            body: "body",
            date: self.now,
            imageId: nil,
            createdAt: self.now,
            editedAt: self.now
        )
        return .postEdited(PostEdited(record, editedAt: self.now))
    }

    private func deleted(_ post: ID, total: Int) -> BoardEvent {
        .postDeleted(
            PostDeleted(
                id: post,
                version: 2,
                threadId: self.thread,
                authorId: self.author,
                threadPostCount: total,
                reason: .owner,
                deletedAt: self.now
            )
        )
    }

    private func liked(_ post: ID, total: Int) -> BoardEvent {
        .postLiked(PostLiked(postId: post, userId: .random(), at: self.now, likeCount: total))
    }

    private func applied(_ events: BoardEvent...) -> Counts {
        var counts = self.counts
        for event in events { counts.apply(event) }
        return counts
    }

    @Test func likesOfAPostThatIsNotYetKnownCountOnceItIs() {
        let counts = self.applied(self.liked(self.post, total: 1), self.liked(self.post, total: 2))
        #expect(counts.threads[self.thread] == nil)
        #expect(counts.users[self.author] == nil)
        var later = counts
        later.apply(self.created(self.post, total: 1))
        #expect(later.posts[self.post]?.likeCount == 2)
        #expect(later.threads[self.thread]?.likeCount == 2)
        #expect(later.users[self.author] == UserCount(postCount: 1, likeCount: 2))
    }

    @Test func aDeletedPostLeavesTheTotalsOnceAndLateLikesAreIgnored() {
        let counts = self.applied(
            self.created(self.post, total: 1),
            self.liked(self.post, total: 1),
            self.deleted(self.post, total: 0),
            self.deleted(self.post, total: 0),
            self.liked(self.post, total: 2)
        )
        #expect(counts.posts[self.post]?.state == .gone)
        #expect(counts.posts[self.post]?.likeCount == 0)
        #expect(counts.threads[self.thread]?.postCount == 0)
        #expect(counts.threads[self.thread]?.likeCount == 0)
        #expect(counts.users[self.author] == UserCount(postCount: 0, likeCount: 0))
    }

    @Test func aLateCreationDoesNotReviveWhatIsGone() {
        let counts = self.applied(
            self.deleted(self.post, total: 0),
            self.liked(self.post, total: 1),
            self.created(self.post, total: 1)
        )
        #expect(counts.posts[self.post]?.state == .gone)
        #expect(counts.users[self.author] == nil)
        #expect(counts.isGone(post: self.post))
    }

    @Test func eventsOfAPostInTheWrongOrderCountItOnceAndNeverRevive() {
        let standing = self.applied(
            self.edited(self.post, 2),
            self.created(self.post, total: 1),
            self.liked(self.post, total: 1),
            self.edited(self.post, 1)
        )
        #expect(standing.users[self.author] == UserCount(postCount: 1, likeCount: 1))
        #expect(standing.threads[self.thread]?.postCount == 1)
        let gone = self.applied(
            self.deleted(self.post, total: 0),
            self.created(self.post, total: 0),
            self.liked(self.post, total: 1),
            self.edited(self.post, 2),
            self.edited(self.post, 1)
        )
        #expect(gone.posts[self.post]?.state == .gone && gone.posts[self.post]?.likeCount == 0)
        #expect(gone.users[self.author] == nil && gone.threads[self.thread]?.postCount == 0)
    }

    @Test func ofTwoTitlesOfAThreadTheHigherVersionsStands() {
        var counts = self.applied(self.edited(3, "c"), self.threadCreated, self.edited(2, "b"))
        #expect(counts.threads[self.thread]?.title == "c" && counts.threads[self.thread]?.state == .standing)
        #expect(counts.threads[self.thread]?.createdAt == self.now)
        // A restored log may stand at a lower version.
        counts.forget(Shard(Topic.threads, self.log.shard(of: self.thread)))
        counts.apply(self.edited(2, "b"))
        #expect(counts.threads[self.thread]?.title == "b")
    }

    @Test func aPostOfAThreadThatIsGoneIsGone() {
        let counts = self.applied(
            self.threadCreated,
            self.created(self.post, total: 1),
            .threadDeleted(
                ThreadDeleted(
                    id: self.thread,
                    version: 2,
                    authorId: self.author,
                    reason: .owner,
                    deletedAt: self.now
                )
            )
        )
        #expect(counts.isGone(post: self.post))
        #expect(!counts.isGone(post: .random()))
        #expect(counts.threads[self.thread]?.title == "", "what was written goes with the thread")
    }

    /// Within a topic events keep their order; between topics any order must come to the same.
    @Test func everyInterleavingOfTheTopicsEndsTheSame() {
        let other = ID.random()
        let posts = [
            self.created(self.post, total: 1), self.created(other, total: 2), self.deleted(self.post, total: 1),
        ]
        let likes = [self.liked(self.post, total: 1), self.liked(other, total: 1), self.liked(other, total: 2)]
        let expected = UserCount(postCount: 1, likeCount: 2)
        for mask in 0..<(1 << 6) where mask.nonzeroBitCount == 3 {
            var (counts, nextPost, nextLike) = (self.counts, 0, 0)
            for step in 0..<6 {
                if mask >> step & 1 == 1 {
                    counts.apply(posts[nextPost])
                    nextPost += 1
                } else {
                    counts.apply(likes[nextLike])
                    nextLike += 1
                }
            }
            #expect(counts.users[self.author] == expected, "order \(mask)")
            #expect(counts.threads[self.thread]?.postCount == 1)
            #expect(counts.threads[self.thread]?.likeCount == 2)
        }
    }

    @Test func aRebuiltShardReplacesWhatItToldBefore() {
        var counts = self.applied(
            self.threadCreated,
            self.created(self.post, total: 1),
            self.liked(self.post, total: 3)
        )
        let survivor = ID.random()
        counts.forget(Shard(Topic.posts, self.log.shard(of: self.thread)))
        #expect(counts.users[self.author] == UserCount())
        counts.apply(self.created(survivor, total: 1))
        counts.apply(self.liked(survivor, total: 1))
        #expect(counts.threads[self.thread]?.postCount == 1)
        #expect(counts.threads[self.thread]?.likeCount == 1)
        #expect(counts.users[self.author] == UserCount(postCount: 1, likeCount: 1))
        // The post comes back with its likes where the next snapshot has it.
        counts.apply(self.created(self.post, total: 2))
        #expect(counts.threads[self.thread]?.likeCount == 4)
    }

    @Test func forgettingLikesTakesThemOutOfEveryTotal() {
        var counts = self.applied(self.created(self.post, total: 1), self.liked(self.post, total: 5))
        counts.forget(Shard(Topic.likes, self.log.shard(of: self.post)))
        #expect(counts.posts[self.post]?.likeCount == 0)
        #expect(counts.threads[self.thread]?.likeCount == 0)
        #expect(counts.users[self.author]?.likeCount == 0)
    }
}
