import Events
import HTTP
import KeijibanAPI
import Postgres
import ServiceHost
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(1)))
struct UseTests {
    private let user = ID.random()

    @Test func aPictureGoesWithItsLastUse() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let claim = try await media.claim(image.id, user: self.user)
            #expect(claim.status == 204)
            let (threads, thread) = (OtherLog(Topic.threads, for: media), ID.random())
            try threads.create(thread, picture: image.id, claim: claim.id)
            try await threads.catchUp()
            #expect(try await media.count("media_claims") == 0)
            try threads.delete(thread)
            try await threads.catchUp()
            for table in ["media", "media_bytes", "media_uses"] { #expect(try await media.count(table) == 0) }
            #expect(try await media.events() == ["keijiban.media.stored.v1", "keijiban.media.removed.v1"])
            #expect(try await media.send("GET", "/internal/media/\(image.id)?size=thumbnail").status == 404)
            #expect(try await media.claim(image.id, user: self.user).status == 422)
        }
    }

    @Test func aSharedPictureStaysForTheOther() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (threads, posts) = (OtherLog(Topic.threads, for: media), OtherLog(Topic.posts, for: media))
            let (thread, post) = (ID.random(), ID.random())
            let claims = (
                try await media.claim(image.id, user: self.user), try await media.claim(image.id, user: self.user)
            )
            try threads.create(thread, picture: image.id, claim: claims.0.id)
            try posts.create(post, picture: image.id, claim: claims.1.id)
            try threads.delete(thread)
            // Media hears of the thread's end before it hears of the post: the post's claim holds the picture.
            try await threads.catchUp()
            try await posts.catchUp()
            #expect(try await media.isThere(image.id))
            #expect(try await media.count("media_claims") == 0)
            try posts.delete(post)
            try await posts.catchUp()
            #expect(try await media.isThere(image.id) == false)
        }
    }

    @Test func aClaimKeepsAPictureWhoseOtherUserGoes() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (threads, posts) = (OtherLog(Topic.threads, for: media), OtherLog(Topic.posts, for: media))
            let (thread, post) = (ID.random(), ID.random())
            let first = try await media.claim(image.id, user: self.user)
            try threads.create(thread, picture: image.id, claim: first.id)
            try await threads.catchUp()
            let second = try await media.claim(image.id, user: self.user)
            try threads.delete(thread)
            try await threads.catchUp()
            #expect(try await media.isThere(image.id))
            try posts.create(post, picture: image.id, claim: second.id)
            try await posts.catchUp()
            #expect(try await media.count("media_claims") == 0)
            #expect(try await media.isThere(image.id))
            try posts.delete(post)
            try await posts.catchUp()
            #expect(try await media.isThere(image.id) == false)
        }
    }

    @Test func aPictureGoesAlsoWhereMediaHearsOfItsUseOnlyAfterItsEnd() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (threads, thread) = (OtherLog(Topic.threads, for: media), ID.random())
            let claim = try await media.claim(image.id, user: self.user)
            // What was deleted meanwhile no longer tells its picture.
            try threads.create(thread, picture: nil, claim: claim.id)
            try threads.delete(thread)
            try await threads.catchUp()
            #expect(try await media.isThere(image.id) == false)
        }
    }

    @Test func aPictureThatAnEditLetGoMayBeTakenBack() async throws {
        try await TestMedia.running { media in
            let (first, second) = (try await media.picture(of: self.user), try await media.picture(of: self.user))
            let (threads, thread) = (OtherLog(Topic.threads, for: media), ID.random())
            try threads.create(thread, picture: first.id)
            try threads.create(thread, picture: second.id, version: 2)
            try await threads.catchUp()
            #expect(try await media.count("media_uses") == 1)
            let claim = try await media.claim(first.id, user: self.user)
            #expect(claim.status == 204)
            try threads.create(thread, picture: first.id, claim: claim.id, version: 3)
            // Back and forth before media hears of it.
            try threads.create(thread, picture: second.id, version: 4)
            try threads.create(thread, picture: first.id, version: 5)
            try await threads.catchUp()
            for image in [first, second] { #expect(try await media.isThere(image.id)) }
            let waiting = "media where unused_since is not null and has_grace"
            #expect(try await media.count(waiting) == 1)
            // With the thread its picture goes at once; the other one has its grace still.
            try threads.delete(thread, version: 6)
            try await threads.catchUp()
            #expect(try await media.isThere(first.id) == false)
            #expect(try await media.count(waiting) == 1)
        }
    }

    @Test func aPictureWhoseOwnerWasDeletedLaterHasNoGrace() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (threads, thread) = (OtherLog(Topic.threads, for: media), ID.random())
            try threads.create(thread, picture: image.id)
            try threads.create(thread, picture: image.id, version: 2)
            try threads.delete(thread, version: 3)
            try await threads.catchUp()
            #expect(try await media.isThere(image.id) == false)
        }
    }

    @Test func twiceTheSameEventIsOneUse() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let claim = try await media.claim(image.id, user: self.user)
            _ = try await media.claim(image.id, user: self.user)
            let (posts, post) = (OtherLog(Topic.posts, for: media), ID.random())
            try posts.create(post, picture: image.id, claim: claim.id)
            for _ in 0..<3 { try await posts.catchUp() }
            #expect(try await media.count("media_uses") == 1)
            #expect(try await media.count("media_claims") == 1)
        }
    }

    @Test func aUseOfAPictureThatIsNotHereIsNone() async throws {
        try await TestMedia.running { media in
            let posts = OtherLog(Topic.posts, for: media)
            try posts.create(ID.random(), picture: ID.random())
            try posts.create(ID.random(), picture: nil)
            try await posts.catchUp()
            #expect(try await media.count("media_uses") == 0)
        }
    }

    @Test func aRebuildReplacesTheUsesOfItsShardAndRemovesNothing() async throws {
        try await TestMedia.running { media in
            let posts = OtherLog(Topic.posts, for: media)
            let owners = Self.owners(3, inOneShardOf: media.log)
            var images: [Image] = []
            for owner in owners {
                images.append(try await media.picture(of: self.user))
                try posts.create(owner, picture: images[images.count - 1].id)
            }
            let elsewhere = (owner: ID.random(), image: try await media.picture(of: self.user))
            let threads = OtherLog(Topic.threads, for: media)
            try threads.create(elsewhere.owner, picture: elsewhere.image.id)
            try await posts.catchUp()
            try await threads.catchUp()
            try await posts.rebuild(owners[0], from: [owners[0]: images[0].id, owners[1]: images[2].id])
            let uses = try await media.host.database.withConnection { connection in
                try connection.query("select used_by, media_id from media_uses order by used_by").map {
                    [try $0.get(0, as: ID.self), try $0.get(1, as: ID.self)]
                }
            }
            let expected = [
                [owners[0], images[0].id], [owners[1], images[2].id], [elsewhere.owner, elsewhere.image.id],
            ]
            #expect(uses == expected.sorted { $0[0] < $1[0] })
            #expect(try await media.count("media") == 4)
        }
    }

    private static func owners(_ count: Int, inOneShardOf log: EventLog) -> [ID] {
        let first = ID.random()
        var owners = [first]
        while owners.count < count {
            let next = ID.random()
            if log.shard(of: next) == log.shard(of: first) { owners.append(next) }
        }
        return owners
    }
}
