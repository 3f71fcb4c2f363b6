import Testing

@testable import Keijiban

@Suite(.timeLimit(.minutes(1)))
struct BoardSettingsTests {
    @Test func nothingNeedsToBeSet() throws {
        let settings = try BoardSettings([:], workingFolder: "/srv/board")
        #expect(settings.port == 8080)
        #expect(settings.folder == "/srv/board/.keijiban")
        #expect(settings.broker == .embedded)
        #expect(settings.shards == 12)
    }

    @Test func anEmptyValueIsNoValue() throws {
        let empty = ["KEIJIBAN_PORT": "", "KEIJIBAN_DATA": "", "KAFKA_HOME": "", "KAFKA_BOOTSTRAP_SERVERS": ""]
        let settings = try BoardSettings(empty, workingFolder: "/srv")
        #expect(settings.port == 8080)
        #expect(settings.broker == .embedded)
    }

    @Test func aGivenBrokerGoesBeforeOneThatCouldBeStarted() throws {
        let settings = try BoardSettings(["KAFKA_BOOTSTRAP_SERVERS": "k1:9092,k2:9092", "KAFKA_HOME": "/opt/kafka"])
        #expect(settings.broker == .given("k1:9092,k2:9092"))
    }

    @Test func allFaultsAreNamedAtOnce() {
        let error = #expect(throws: SettingsError.self) {
            try BoardSettings(["KEIJIBAN_PORT": "eighty", "EVENT_SHARDS": "0", "KAFKA_HOME": "/nowhere"])
        }
        let text = error?.faults.joined(separator: "\n") ?? ""
        for name in ["KEIJIBAN_PORT=eighty", "EVENT_SHARDS=0", "KAFKA_HOME=/nowhere"] { #expect(text.contains(name)) }
    }

    @Test func servicesSeeTheRestOfTheEnvironmentButNotWhatTheLauncherDecides() throws {
        let settings = try BoardSettings([
            "POST_TITLE_LENGTH": "1-60", "LANG": "ja_JP.UTF-8", "PORT": "1", "DATABASE_URL_FILE": "/x",
            "KEIJIBAN_DATA": "/d", "KEIJIBAN_PORT": "0", "KEIJIBAN_INTERNAL_SECRET": "s", "KEIJIBAN_LOG_LEVEL": "debug",
        ])
        #expect(
            settings.passedOn == [
                "POST_TITLE_LENGTH": "1-60", "LANG": "ja_JP.UTF-8", "KEIJIBAN_LOG_LEVEL": "debug",
            ]
        )
    }
}
