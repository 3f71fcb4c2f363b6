import Events
import HTTP
import KeijibanAPI
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(1)))
struct CollectorTests {
    private let user = ID.random()

    /// A collector with the logs that it asks, which media has applied.
    private func collector(_ media: TestMedia, grace: Duration) async throws -> (
        Collector, threads: OtherLog, posts: OtherLog
    ) {
        let (threads, posts) = (OtherLog(Topic.threads, for: media), OtherLog(Topic.posts, for: media))
        try await threads.catchUp()
        try await posts.catchUp()
        let collector = Collector(
            media.service.collection,
            of: [threads, posts],
            grace: grace,
            patience: .zero,
            media.host,
            didRemove: {}
        )
        return (collector, threads, posts)
    }

    @Test func anUploadThatNobodyShowsGoesAfterItsGraceAndNotBefore() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (early, threads, posts) = try await self.collector(media, grace: .seconds(60))
            #expect(try await early.collect() == 0)
            #expect(try await media.isThere(image.id))
            let late = Collector(
                media.service.collection,
                of: [threads, posts],
                grace: .zero,
                media.host,
                didRemove: {}
            )
            #expect(try await late.collect() == 1)
            #expect(try await media.isThere(image.id) == false)
            #expect(try await media.count("media_bytes") == 0)
            #expect(try await media.events().last == MediaRemoved.type)
        }
    }

    @Test func aPictureInUseIsNeverCollected() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (collector, _, posts) = try await self.collector(media, grace: .zero)
            try posts.create(ID.random(), picture: image.id)
            // Written, and not yet heard of.
            #expect(try await collector.collect() == 0)
            try await posts.catchUp()
            #expect(try await collector.collect() == 0)
            #expect(try await media.isThere(image.id))
        }
    }

    @Test func itWaitsForWhatIsOnItsWay() async throws {
        try await TestMedia.running { media in
            _ = try await media.picture(of: self.user)
            let (_, threads, posts) = try await self.collector(media, grace: .zero)
            let sources = [threads, posts]
            let patient = Collector(
                media.service.collection,
                of: sources,
                grace: .zero,
                patience: .seconds(30),
                media.host,
                didRemove: {}
            )
            try posts.create(ID.random(), picture: nil)
            async let count = patient.collect()
            try await posts.catchUp()
            #expect(try await count == 1)
        }
    }

    @Test func whatLostItsLastUseLongAgoIsLeftToTheCollector() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (collector, threads, posts) = try await self.collector(media, grace: .seconds(3_600))
            let (thread, post) = (ID.random(), ID.random())
            try threads.create(thread, picture: image.id, age: .seconds(120))
            try threads.delete(thread, age: .seconds(120))
            try posts.create(post, picture: image.id)
            try await threads.catchUp()
            #expect(try await collector.collect() == 0)
            try await posts.catchUp()
            #expect(try await collector.collect() == 0)
            #expect(try await media.isThere(image.id))
            try posts.delete(post, age: .seconds(120))
            try await posts.catchUp()
            #expect(try await media.isThere(image.id))
            #expect(try await collector.collect() == 1)
        }
    }

    @Test func whatAnEditLetGoStaysForItsGraceHoweverOldTheNewsIs() async throws {
        try await TestMedia.running { media in
            let images = [try await media.picture(of: self.user), try await media.picture(of: self.user)]
            let (collector, threads, posts) = try await self.collector(media, grace: .seconds(3_600))
            for (image, age) in zip(images, [Duration.zero, .seconds(120)]) {
                let thread = ID.random()
                try threads.create(thread, picture: image.id, age: age)
                try threads.create(thread, picture: nil, version: 2, age: age)
                try await threads.catchUp()
            }
            #expect(try await collector.collect() == 0)
            let late = Collector(
                media.service.collection,
                of: [threads, posts],
                grace: .zero,
                media.host,
                didRemove: {}
            )
            #expect(try await late.collect() == 2)
        }
    }

    @Test func nothingIsCollectedWhileALogIsAway() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (collector, threads, _) = try await self.collector(media, grace: .zero)
            threads.goAway()
            await #expect(throws: LogGone.self) { try await collector.collect() }
            #expect(try await media.isThere(image.id))
        }
    }

    @Test func nothingIsCollectedWhereALogHasAnotherLife() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (collector, _, posts) = try await self.collector(media, grace: .zero)
            posts.restore()
            #expect(try await collector.collect() == 0)
            #expect(try await media.isThere(image.id))
        }
    }

    @Test func aClaimKeepsAPictureUntilItEnds() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (collector, _, _) = try await self.collector(media, grace: .zero)
            _ = try await media.claim(image.id, user: self.user)
            #expect(try await collector.collect() == 0)
            try await media.endClaims()
            #expect(try await collector.collect() == 1)
            #expect(try await media.count("media_claims") == 0)
        }
    }

    @Test func aClaimThatIsOverStillKeepsWhatMediaHasNotHeardOf() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (collector, threads, posts) = try await self.collector(media, grace: .zero)
            let (thread, post) = (ID.random(), ID.random())
            try threads.create(thread, picture: image.id)
            try await threads.catchUp()
            _ = try await media.claim(image.id, user: self.user)
            try posts.create(post, picture: image.id)
            try await media.endClaims()
            try threads.delete(thread)
            try await threads.catchUp()
            #expect(try await collector.collect() == 0)
            #expect(try await media.isThere(image.id))
            try await posts.catchUp()
            #expect(try await collector.collect() == 0)
            #expect(try await media.isThere(image.id))
        }
    }

    @Test func whatAClaimKeptGoesWithoutGraceOnceItIsGivenBack() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (collector, threads, _) = try await self.collector(media, grace: .seconds(3_600))
            let thread = ID.random()
            try threads.create(thread, picture: image.id)
            try await threads.catchUp()
            let claim = try await media.claim(image.id, user: self.user)
            try threads.delete(thread)
            try await threads.catchUp()
            #expect(try await collector.collect() == 0)
            _ = try await media.send("DELETE", "/internal/media/claims/\(claim.id)")
            #expect(try await collector.collect() == 1)
        }
    }

    @Test func endedClaimsOnPicturesInUseAreTidiedAway() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let (collector, _, posts) = try await self.collector(media, grace: .zero)
            try posts.create(ID.random(), picture: image.id)
            try await posts.catchUp()
            _ = try await media.claim(image.id, user: self.user)
            try await media.endClaims()
            #expect(try await collector.collect() == 0)
            #expect(try await media.count("media_claims") == 0)
            #expect(try await media.isThere(image.id))
        }
    }
}
