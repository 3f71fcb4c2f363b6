import Foundation
import ServiceKit
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SettingsTests {
    enum Colour: String, CaseIterable { case red, green }

    @Test func everySettingHasItsKindAndItsDefault() throws {
        var settings = Settings([
            "NAME": "board", "PORT": "8080", "WATCH": "true", "WAIT": "0.25", "COLOUR": "green", "HOSTS": "a, b,,c ",
            "PLACE": "https://example.org/", "EMPTY": "",
        ])
        #expect(settings.string("NAME") == "board")
        #expect(settings.integer("PORT", in: 0...65_535) == 8080)
        #expect(settings.boolean("WATCH") == true)
        #expect(settings.duration("WAIT") == .milliseconds(250))
        #expect(settings.choice("COLOUR", default: Colour.red) == .green)
        #expect(settings.list("HOSTS") == ["a", "b", "c"])
        #expect(settings.url("PLACE") == "https://example.org")
        #expect(settings.optionalString("EMPTY") == nil)
        #expect(settings.integer("OTHER", default: 3) == 3)
        #expect(settings.duration("PAUSE", default: .seconds(2)) == .seconds(2))
        #expect(settings.choice("SHADE", default: Colour.red) == .red)
        try settings.finish()
        #expect(settings.described["PAUSE"] == "2")
        #expect(settings.described["SHADE"] == "red")
    }

    @Test func allFaultsComeAtOnceAndEachNamesItsSetting() {
        var settings = Settings(["PORT": "abc", "WATCH": "yes", "WAIT": "-1", "COLOUR": "blue", "KEIJIBAN_PROT": "1"])
        _ = settings.integer("PORT", in: 1...65_535)
        _ = settings.boolean("WATCH")
        _ = settings.duration("WAIT")
        _ = settings.choice("COLOUR", default: Colour.red)
        _ = settings.url("DATABASE_URL", schemes: ["postgres"])
        _ = settings.integer("KEIJIBAN_PORT", default: 1)
        settings.fault("A and B exclude each other")
        let error = #expect(throws: ConfigurationError.self) { try settings.finish() }
        #expect(
            error?.faults == [
                "PORT must be a whole number from 1 to 65535, not \"abc\"", "WATCH must be true or false, not \"yes\"",
                "WAIT must be a number of seconds from 0 to 31536000, not \"-1\"",
                "COLOUR must be one of red, green, not \"blue\"",
                "DATABASE_URL must be set (or DATABASE_URL_FILE, the path of a file with it)",
                "A and B exclude each other",
                "KEIJIBAN_PROT is no setting of this program; is KEIJIBAN_PORT meant?",
            ]
        )
    }

    @Test func namesOfOtherProcessesAreAllowed() throws {
        var settings = Settings(
            ["KEIJIBAN_OTHER": "1", "KEIJIBAN_SECRET_FILE": "/x", "PATH": "/bin"],
            allowed: ["KEIJIBAN_OTHER", "KEIJIBAN_SECRET"]
        )
        try settings.finish()
    }

    @Test func aSettingMayStandInAFile() throws {
        let path = try Self.file("hunter2\n")
        var settings = Settings(["SECRET_FILE": path])
        #expect(settings.string("SECRET", secret: true) == "hunter2")
        try settings.finish()
    }

    @Test func aFileThatIsNoGoodIsAFault() throws {
        var settings = Settings([
            "A": "1", "A_FILE": try Self.file("2"), "B_FILE": "/nowhere/at/all", "C_FILE": try Self.file("\n"),
        ])
        _ = settings.string("A")
        _ = settings.string("B")
        _ = settings.string("C")
        let faults = #expect(throws: ConfigurationError.self) { try settings.finish() }?.faults ?? []
        #expect(faults.count == 3)
        #expect(faults.first == "A and A_FILE are both set")
        #expect(faults.dropFirst().first?.contains("/nowhere/at/all") == true)
    }

    @Test func secretsAreNeverShown() throws {
        var settings = Settings([
            "SECRET": "hunter2", "DATABASE_URL": "postgres://board:hunter2@localhost/db?password=hunter2&a=b",
            "BROKEN_URL": "ht tp://me:hunter2@x",
        ])
        _ = settings.string("SECRET", secret: true)
        _ = settings.string("OTHER", default: "hunter2", secret: true)
        _ = settings.url("DATABASE_URL", schemes: ["postgres"])
        _ = settings.url("BROKEN_URL")
        let error = #expect(throws: ConfigurationError.self) { try settings.finish() }
        #expect(error?.faults.count == 1)
        #expect("\(settings.described)\(String(describing: error))".contains("hunter2") == false)
        #expect(settings.described["DATABASE_URL"]?.hasPrefix("postgres://board:") == true)
    }

    private static func file(_ content: String) throws -> String {
        let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(content.utf8).write(to: place)
        return place.path()
    }
}
