/// The name of one request, from the client's answer to every log line it caused.
public enum RequestId {
    /// The request that the current task serves.
    @TaskLocal public static var current: String?

    /// The id that came with a request where it is harmless (up to 64 letters, digits, `-`, `_`, `.`), else a new one.
    public static func accepted(_ given: String?) -> String {
        guard let given, !given.isEmpty, given.utf8.count <= 64, given.utf8.allSatisfy(self.isHarmless) else {
            return self.new()
        }
        return given
    }

    public static func new() -> String {
        TraceContext.randomHex(bytes: 8)
    }

    private static func isHarmless(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
