import HTTP
import KeijibanAPI
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(1)))
struct ClaimTests {
    private let user = ID.random()

    @Test func onlyOnesOwnPictureCanBeClaimed() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            #expect(try await media.claim(image.id, user: self.user).status == 204)
            #expect(try await media.claim(image.id, user: ID.random()).status == 422)
            #expect(try await media.claim(ID.random(), user: self.user).status == 422)
            #expect(try await media.count("media_claims") == 1)
        }
    }

    @Test func aRepeatedClaimIsOne() async throws {
        try await TestMedia.running { media in
            let claim = ImageClaim(id: .random(), imageId: try await media.picture(of: self.user).id)
            for _ in 0..<2 {
                let body = try JSON.encode(claim)
                let response = try await media.send("POST", "/internal/media/claims", user: self.user, body: body)
                #expect(response.status == 204)
            }
            #expect(try await media.count("media_claims") == 1)
        }
    }

    @Test func aClaimIsGivenBackOnceOrMore() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: self.user)
            let claim = try await media.claim(image.id, user: self.user)
            for _ in 0..<2 {
                #expect(try await media.send("DELETE", "/internal/media/claims/\(claim.id)").status == 204)
            }
            #expect(try await media.count("media_claims") == 0)
        }
    }

    @Test func aClaimNeedsATokenAndABody() async throws {
        try await TestMedia.running { media in
            let anonymous = try await media.send("POST", "/internal/media/claims", body: [1])
            #expect(anonymous.status == 401)
            let empty = try await media.send("POST", "/internal/media/claims", user: self.user, body: [1])
            #expect(empty.status == 400)
        }
    }
}
