import Foundation
import Testing

@testable import Keijiban

@Suite(.timeLimit(.minutes(1)))
struct ServiceProgramsTests {
    private func services(
        _ environment: [String: String] = [:],
        broker: BrokerChoice = .embedded
    ) throws -> ServicePrograms {
        let folder = try DataFolder(FileManager.default.temporaryDirectory.path + "/board-\(UUID().uuidString)")
        return ServicePrograms(
            programs: "/opt/keijiban",
            folder: folder,
            ports: ["threads": 1, "posts": 2, "media": 3, "likes": 4, "gateway": 8080],
            databases: ["likes": "postgresql://likes:secret@127.0.0.1:5/likes"],
            shards: 12,
            broker: broker,
            passedOn: environment
        )
    }

    @Test func aServiceFindsItsPlaceInItsEnvironment() throws {
        let services = try self.services(["POST_TITLE_LENGTH": "1-60"])
        let likes = services.program("likes")
        #expect(likes.executable == "/opt/keijiban/likes")
        #expect(likes.environment["PORT"] == "4")
        #expect(likes.environment["HOST"] == "127.0.0.1")
        #expect(likes.environment["DATABASE_URL"] == "postgresql://likes:secret@127.0.0.1:5/likes")
        #expect(likes.environment["GATEWAY_URL"] == "http://127.0.0.1:8080")
        #expect(likes.environment["POSTS_URL"] == "http://127.0.0.1:2")
        #expect(likes.environment["POST_TITLE_LENGTH"] == "1-60")
        #expect(likes.environment["KEIJIBAN_LIFELINE"] == "stdin")
    }

    @Test func onlyTheEmbeddedBrokerIsAskedAtShortIntervals() throws {
        let name = "KAFKA_FETCH_WAIT_MS"
        #expect(try self.services().program("likes").environment[name] == "5")
        #expect(try self.services(broker: .given("kafka:9092")).program("likes").environment[name] == nil)
    }

    @Test func noServiceLearnsThePasswordOfAnother() throws {
        let services = try self.services()
        for name in ServicePrograms.names where name != "likes" {
            #expect(!services.program(name).environment.values.contains { $0.contains("secret@") })
        }
    }

    @Test func aSecretStaysTheSameAndIsReadableByItsOwnerOnly() throws {
        let folder = try self.services().folder
        let secret = try folder.secret("internal")
        #expect(secret.count == 64)
        #expect(try folder.secret("internal") == secret)
        #expect(try folder.secret("other") != secret)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.internalSecret)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func aSecondBoardCannotHaveTheSameFolder() throws {
        let folder = try self.services().folder
        #expect(throws: DataFolder.InUse.self) { try DataFolder(folder.path) }
        withExtendedLifetime(folder) {}
    }
}
