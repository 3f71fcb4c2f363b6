import Foundation

@testable import Imaging

/// Files that cannot be painted.
enum Samples {
    /// `Canvas.quarters(96, 64)` as libheif encodes it.
    static let heic = Array(
        Data(
            base64Encoded: """
                AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA
                AA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAAArgAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEA
                AGh2YzEAAAAAwmlwcnAAAACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMA
                AAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoDCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAAABRpc3Bl
                AAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAC2bWRhdAAAAKooAa8TgHnCk1RH//6e
                0r/3T8n/xTMlgqgv399/8Fhv/hPPOBIUsnBJs8fx+RAfM9BoZh5Pbf0fFnYMfD80mBLglaHk9t/R8WZTn2acsR//H1WD9fMP/6Bi
                q6P5EcINfwaKlA74b/0edaRvWtc+nRJRLyC/0A4XNcWHd1tB5PAiKCP+DAM1baeZ/qdkfnFP7f0BUZuWAijdIejO11GST5gpW4sv
                fzLFUyI9VA==
                """,
            options: .ignoreUnknownCharacters
        ) ?? Data()
    )

    /// A profile of the colours that phones use, Display P3.
    static let displayP3 = Array(
        Data(
            base64Encoded: """
                AAAC4GxjbXMCEAAAbW50clJHQiBYWVogB+IAAwAUAAkADgAdYWNzcE1TRlQAAAAAc2F3c2N0cmwAAAAAAAAAAAAAAAAAAPbWAAEA
                AAAA0y1oYW5ke28Py+BFQTY/T0Q1yxqGGQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJZGVzYwAAAPAAAABeY3BydAAA
                AQwAAAAMd3RwdAAAARgAAAAUclhZWgAAASwAAAAUZ1hZWgAAAUAAAAAUYlhZWgAAAVQAAAAUclRSQwAAAWgAAAF4Z1RSQwAAAWgA
                AAF4YlRSQwAAAWgAAAF4ZGVzYwAAAAAAAAAFc1AzQwAAAAAAAAAAAAAAAHRleHQAAAAAQ0MwAFhZWiAAAAAAAADzUQABAAAAARbM
                WFlaIAAAAAAAAIPfAAA9vwAAAABYWVogAAAAAAAASr8AALE3AAAKtVhZWiAAAAAAAAAoOAAAEQoAAMh4Y3VydgAAAAAAAAC2AAAA
                HAA4AFQAcACMAKgAxADhAQABIgFGAW0BlQHBAfACIAJVAosCxAMBAz8DggPGBA4EWQSnBPkFTAWkBf4GXAa+ByEHigf0CGMI1QlJ
                CcMKPwq/C0ILyQxUDOENdA4JDqIPQA/gEIURLRHaEooTPhP2FLIVcRY2Fv0XyhiZGW4aRhsiHAMc5x3QHr0friCkIZ4inCOfJKUl
                sSbAJ9Uo7SoKKyssUS18Lqov3jEWMlIzlDTZNiQ3czjGOiA7fDzfPkU/sEEhQpZEEEWPRxJIm0ooS7tNUU7uUI9SNVPgVZBXRVkA
                Wr5chF5MYBth72PHZaZniWlxa19tUW9KcUZzSnVRd155cXuIfaZ/yIHwhB6GUIiJisWNCY9RkZ+T85ZLmKubDp14n+eiW6TWp1ap
                26xnrvexj7Qqtsy5dLwhvtXBjcRMxxDJ2syrz3/SXNU92CTbEt4E4P7j/OcB6gztHPA081D2c/mb/Mr//w==
                """,
            options: .ignoreUnknownCharacters
        ) ?? Data()
    )

    /// Three frames of one colour each: red, green, blue.
    static func movingGif(_ width: Int, _ height: Int) throws -> [UInt8] {
        let frames = [Canvas.red, Canvas.green, Canvas.blue]
        let strip = Canvas(width, height * frames.count) { _, y in frames[y / height] }
        return try strip.picture(delays: [70, 80, 90]).encoded(.gif).bytes
    }

    /// 65 bytes that say they are as large as this.
    static func emptyPng(_ width: Int, _ height: Int) -> [UInt8] {
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + pngChunk("IHDR", Metadata.long(width) + Metadata.long(height) + [8, 2, 0, 0, 0])
            + pngChunk("IDAT", [0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01]) + pngChunk("IEND", [])
    }

    /// A JPEG that says in its frame header that it is as large as this.
    static func jpegClaiming(_ width: Int, _ height: Int) throws -> [UInt8] {
        var bytes = try Canvas.quarters(16, 16).encoded(.jpeg(quality: 80))
        if let frame = bytes.firstRange(of: [0xff, 0xc0]) {
            let place = frame.lowerBound + 5
            bytes.replaceSubrange(place..<place + 4, with: Metadata.short(height) + Metadata.short(width))
        }
        return bytes
    }
}
