import HTTP
import KeijibanAPI
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(1)))
struct ServingTests {
    @Test func everySizeIsServedForAYear() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: ID.random(), Samples.png)
            var tags: Set<String> = []
            for size in PictureSize.allCases {
                let response = try await media.send("GET", "/internal/media/\(image.id)?size=\(size)")
                #expect(response.status == 200)
                #expect(response.headers["Content-Type"] == "image/png")
                #expect(response.headers["Cache-Control"] == "public, max-age=31536000, immutable")
                #expect(response.headers["X-Content-Type-Options"] == "nosniff")
                #expect(response.headers["Content-Security-Policy"] == "default-src 'none'; sandbox")
                #expect(response.headers["Accept-Ranges"] == "bytes")
                // Whatever it was called when it was sent.
                let name = "inline; filename=\"\(image.id)-\(size).png\""
                #expect(response.headers["Content-Disposition"] == name)
                #expect(
                    Self.pixels(response.bytes)
                        == [.original: [800, 600], .display: [667, 500], .thumbnail: [120, 120]][size]
                )
                tags.insert(response.headers["ETag"] ?? "")
            }
            #expect(tags.count == 3)
            #expect(tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") && $0.utf8.count > 2 })
            let original = try await media.send("GET", "/internal/media/\(image.id)")
            #expect(original.bytes.count == image.byteCount)
        }
    }

    @Test func partsAreServed() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: ID.random())
            let whole = try await media.send("GET", "/internal/media/\(image.id)")
            let count = whole.bytes.count
            func get(_ range: String, _ other: Headers = [:]) async throws -> Response {
                var headers = other
                headers["Range"] = range
                return try await media.send("GET", "/internal/media/\(image.id)", headers: headers)
            }
            let part = try await get("bytes=10-19")
            #expect(part.status == 206)
            #expect(part.headers["Content-Range"] == "bytes 10-19/\(count)")
            #expect(part.bytes == Array(whole.bytes[10..<20]))
            #expect(part.headers["ETag"] == whole.headers["ETag"])
            #expect(try await get("bytes=-5").bytes == Array(whole.bytes.suffix(5)))
            #expect(try await get("bytes=\(count - 1)-").bytes == [0xD9])
            let beyond = try await get("bytes=\(count)-")
            #expect(beyond.status == 416)
            #expect(beyond.problem == "range-not-satisfiable")
            #expect(beyond.headers["Content-Range"] == "bytes */\(count)")
            let tag = try #require(whole.headers["ETag"])
            #expect(try await get("bytes=0-0", ["If-Range": tag]).status == 206)
            #expect(try await get("bytes=0-0", ["If-Range": "\"other\""]).status == 200)
        }
    }

    @Test func whoHasItGetsNothingAgain() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: ID.random())
            let target = "/internal/media/\(image.id)"
            let tag = try #require(try await media.send("GET", target).headers["ETag"])
            for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let response = try await media.send("GET", target, headers: ["If-None-Match": known])
                #expect(response.status == 304)
                #expect(response.bytes.isEmpty)
                #expect(response.headers["ETag"] == tag)
            }
            #expect(try await media.send("GET", target, headers: ["If-None-Match": "\"x\""]).status == 200)
            #expect(try await media.send("HEAD", target, headers: ["Range": "bytes=0-0"]).status == 200)
        }
    }

    @Test func whatIsNotThereIsNotFound() async throws {
        try await TestMedia.running { media in
            let image = try await media.picture(of: ID.random())
            #expect(try await media.send("GET", "/internal/media/\(ID.random())").status == 404)
            #expect(try await media.send("GET", "/internal/media/none").status == 404)
            #expect(try await media.send("GET", "/internal/media/\(image.id)?size=huge").status == 400)
        }
    }

    /// Width and height in the header of a PNG.
    private static func pixels(_ png: [UInt8]) -> [Int] {
        [16, 20].map { start in png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }
}
