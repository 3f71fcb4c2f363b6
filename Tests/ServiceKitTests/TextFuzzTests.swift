import ServiceKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TextFuzzTests {
    @Test func aTraceParentThatIsTakenNamesTheSameTraceWhenItIsPassedOn() {
        let seeds = [
            TraceContext.new().traceparent, "00-\(String(repeating: "0", count: 32))-00f067aa0ba902b7-01",
            "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-09-later",
        ]
        Fuzzing.texts(seeds) { text in
            guard let context = TraceContext(traceparent: text) else { return }
            #expect(TraceContext(traceparent: context.traceparent) == context, "\(text.debugDescription)")
            #expect(
                text.hasPrefix("\(text.prefix(3))\(context.traceId)-\(context.spanId)-"),
                "\(text.debugDescription)"
            )
            #expect(TraceContext(traceparent: context.child().traceparent)?.traceId == context.traceId)
        }
    }

    @Test func aRequestIdIsHarmlessWhateverWasSent() {
        Fuzzing.texts(["4bf92f3577b34da6", "a.b-c_D9", String(repeating: "x", count: 64)]) { text in
            let id = RequestId.accepted(text)
            #expect((1...64).contains(id.utf8.count))
            #expect(
                id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            )
            #expect(RequestId.accepted(id) == id)
        }
    }

    @Test func aSettingIsWithinItsBoundsOrAFault() {
        let seeds = ["15-40", "7", "0.25", "true", "a, b ,c", "1-1", "86400", "-5"]
        Fuzzing.texts(seeds) { text in
            func read<Value>(_ value: (inout Settings) -> Value) -> (value: Value, isFault: Bool) {
                var settings = Settings(["KEIJIBAN_X": text])
                let found = value(&settings)
                return (found, (try? settings.finish()) == nil)
            }
            let number = read { $0.integer("KEIJIBAN_X", default: 3, in: 1...40) }
            #expect(number.isFault ? number.value == 3 : (1...40).contains(number.value))
            let range = read { $0.range("KEIJIBAN_X", default: 2...3, in: 1...50) }
            #expect(range.isFault ? range.value == 2...3 : (1...50).contains(range.value.upperBound))
            let time = read { $0.duration("KEIJIBAN_X", default: .seconds(1), in: .zero ... .seconds(60)) }
            #expect((Duration.zero ... .seconds(60)).contains(time.value))
            let list = read { $0.list("KEIJIBAN_X") }
            #expect(list.value.allSatisfy { !$0.isEmpty && !$0.contains(",") }, "\(text.debugDescription)")
        }
    }

    /// The password is never changed, all about it is.
    @Test func aPasswordInAnAddressIsNeverShown() {
        let ends = [
            ("postgres://keijiban:", "@db.example:5432/keijiban?sslmode=require"), ("http://user:", "@host/path/"),
            ("postgres:///board?host=%2Frun&password=", "&user=a"),
        ]
        for (before, after) in ends {
            Fuzzing.texts([before], rounds: Fuzzing.rounds / 2) { start in
                // What stands before a password must still say that it is one.
                guard let mark = before.split(separator: "/").last, start.hasSuffix(mark) else { return }
                var settings = Settings(["KEIJIBAN_X": start + "s3cr3t" + after])
                _ = settings.url("KEIJIBAN_X", schemes: ["http", "postgres"])
                #expect(
                    !settings.described.values.contains { $0.contains("s3cr3t") },
                    "\((start + after).debugDescription)"
                )
                do throws(ConfigurationError) {
                    try settings.finish()
                } catch {
                    #expect(!"\(error)".contains("s3cr3t"), "\((start + after).debugDescription)")
                }
            }
        }
    }
}
