import Foundation
import TestSupport
import Testing

@testable import KeijibanAPI

@Suite(.timeLimit(.minutes(1)))
struct JSONSyntaxTests {
    private func isTaken(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try JSONSyntax.read(bytes)
            return true
        } catch {
            return false
        }
    }

    private func isTaken(_ text: String) -> Bool { self.isTaken(Array(text.utf8)) }

    @Test(arguments: [
        "{}", "[]", " \t\r\n{ \"a\" : [ 1 , -0.5e+10 , true , false , null , \"x\" ] } ",
        "\"\\u3042\\n\\/\\ud83d\\ude00\"", "0",
        "-0", "1E5", "\"\u{7F}\u{2028}\"", "{\"a\":{\"a\":1},\"b\":[{\"a\":1},{\"a\":2}]}", "{\"\":1}", "[[[[]]]]",
    ])
    func jsonIsTaken(_ text: String) {
        #expect(self.isTaken(text))
    }

    @Test(arguments: [
        "", " ", "{", "[", "{\"a\":1,}", "[1,]", "[,1]", "{,}", "{\"a\":1,,\"b\":2}", "[1 2]", "{\"a\" 1}", "{\"a\":}",
        "{a:1}",
        "{'a':1}", "[1]]", "{} {}", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity", "-Infinity",
        "nul",
        "True", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800x\"", "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "\"\\ud800\\ud800\"", "\"\t\"", "\"\n\"", "\"\u{0}\"", "\u{FEFF}{}", "// x\n{}", "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"\\u0061\":2}", "{\"a\":{\"b\":1,\"b\":1}}", "{\"é\":1,\"e\u{301}\":2}", "\u{A0}{}", "[1}",
        "{\"a\":1]",
    ])
    func whatIsNoJSONIsRefused(_ text: String) {
        #expect(!self.isTaken(text))
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0xFF, 0xFE, 0x7B, 0, 0x7D, 0],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
        ] as [[UInt8]]
    )
    func whatIsNoUTF8IsRefused(_ bytes: [UInt8]) {
        #expect(!self.isTaken(bytes))
    }

    @Test(arguments: [1, 2, JSONSyntax.depthLimit, JSONSyntax.depthLimit + 1, 100_000]) func depthIsNoFault(
        _ depth: Int
    ) {
        for (open, inner, close) in [("[", "", "]"), ("{\"a\":", "1", "}")] {
            let (opening, closing) = (String(repeating: open, count: depth), String(repeating: close, count: depth))
            #expect(self.isTaken(opening + inner + closing))
            #expect(!self.isTaken(opening + inner + closing + close))
            #expect(!self.isTaken(opening + inner + closing.dropLast()))
            #expect(self.isTaken("{\"b\":\(opening + inner + closing),\"c\":1}"))
            #expect(!self.isTaken("{\"b\":\(opening + inner + closing),\"b\":1}"))
        }
        #expect(!self.isTaken(String(repeating: "[", count: depth) + String(repeating: "}", count: depth)))
    }

    @Test func membersBecomeValuesAndArraysAreEmpty() throws {
        let text =
            #"{"a":{"b":{"c":[1,{"d":2}]},"e":"\u3042"},"n":[[[]]],"i":-0,"j":2.0,"k":1e400,"l":-1e400,"t":true,"z":null}"#
        let expected: [String: JSONValue] = [
            "a": .object(["b": .object(["c": .array([])]), "e": .string("あ")]), "n": .array([]), "i": .integer(0),
            "j": .integer(2), "k": .number(.infinity), "l": .number(-.infinity), "t": .boolean(true), "z": .null,
        ]
        #expect(try JSONValue(strictly: Array(text.utf8)) == .object(expected))
        #expect(try JSONValue(strictly: Array("9223372036854775808".utf8)) == .number(9_223_372_036_854_775_808))
        #expect(throws: ObjectReader.Malformed.self) { _ = try JSONValue(strictly: Array("{".utf8)) }
    }

    /// What is written and read again is the same, but for what is in arrays.
    @Test(arguments: [5, 6] as [UInt64]) func whatIsWrittenIsReadAgain(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let value = Self.value(&generator, depth: 4)
            #expect(try JSONSyntax.read(try JSON.encode(value)) == Self.withoutElements(value))
        }
    }

    private static func withoutElements(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array: .array([])
        case .object(let members): .object(members.mapValues { self.withoutElements($0) })
        case .number(let number): Int64(exactly: number).map { .integer($0) } ?? value
        default: value
        }
    }

    /// Whatever the encoder writes is taken, and what the check takes the decoder can read, but for numbers that are too large.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func theCheckAgreesWithFoundation(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let value = Self.value(&generator, depth: 4)
            var bytes = try JSON.encode(value)
            #expect(self.isTaken(bytes), "\(String(decoding: bytes, as: UTF8.self))")
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let alphabet = Array("{}[],:\"\\u0123456789-.tfn \t\nd8\u{1}".utf8) + [0xC3, 0xFF]
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = alphabet.randomElement(using: &generator) ?? 0
            }
            guard self.isTaken(bytes) else { continue }
            #expect(
                throws: Never.self,
                "\(String(decoding: bytes, as: UTF8.self))",
                performing: { _ = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) }
            )
        }
    }

    private static func value(_ generator: inout SeededGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
        case 0: return .null
        case 1: return .boolean(Bool.random(using: &generator))
        case 2: return .integer(Int64.random(in: -1_000_000...1_000_000, using: &generator))
        case 3: return .number(Double(Int.random(in: -9_999...9_999, using: &generator)) / 8)
        case 4: return .string(self.text(&generator))
        case 5:
            return .array(
                (0..<Int.random(in: 0..<4, using: &generator)).map { _ in self.value(&generator, depth: depth - 1) }
            )
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                members[self.text(&generator)] = self.value(&generator, depth: depth - 1)
            }
            return .object(members)
        }
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let letters = Array("ab\"\\/\n\t\u{1}é掲示板👨‍👩‍👧\u{7F}{}[]:,")
        return String(
            (0..<Int.random(in: 0..<8, using: &generator)).compactMap { _ in letters.randomElement(using: &generator) }
        )
    }
}
