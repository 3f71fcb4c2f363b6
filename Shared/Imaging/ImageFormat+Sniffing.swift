extension ImageFormat {
    /// The kind of image that the bytes themselves say they are; nil where they are none of these.
    ///
    /// Neither a name nor a declared type counts, and nothing is searched for beyond the beginning.
    public static func sniff(_ bytes: some Collection<UInt8>) -> ImageFormat? {
        let head = Array(bytes.prefix(64))
        return Self.allCases.first { $0.signatures.contains { Self.begins(head, with: $0) } && $0.hasBrand(head) }
    }

    /// Whether so few bytes are there that they may be the beginning of an image.
    static func isBeginning(_ bytes: [UInt8]) -> Bool {
        Self.allCases.flatMap(\.signatures).contains { signature in
            bytes.count < signature.count && Self.begins(bytes, with: Array(signature.prefix(bytes.count)))
        }
    }

    /// What an image of this kind begins with. Nil stands for any byte.
    private var signatures: [[UInt8?]] {
        switch self {
        case .jpeg: [[0xff, 0xd8, 0xff]]
        // With the first chunk, so that a signature before something else is not enough.
        case .png: [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Self.ascii("IHDR")]
        case .webp: [Self.ascii("RIFF") + [nil, nil, nil, nil] + Self.ascii("WEBPVP8")]
        case .gif: [Self.ascii("GIF87a"), Self.ascii("GIF89a")]
        case .heic: [[0, 0, nil, nil] + Self.ascii("ftyp")]
        }
    }

    /// Containers of the HEIC kind say which codec they hold by four letters (ISO/IEC 23008-12, annex B), as the
    /// major brand or among those after it; AVIF is the same container with another codec.
    private func hasBrand(_ head: [UInt8]) -> Bool {
        guard self == .heic else { return true }
        let count = min(Int(head[2]) << 8 | Int(head[3]), head.count)
        let brands = stride(from: 8, through: count - 4, by: 4).filter { $0 != 12 }.map {
            String(decoding: head[$0..<$0 + 4], as: UTF8.self)
        }
        return brands.contains { ["heic", "heix", "heim", "heis"].contains($0) } && !brands.contains("avif")
    }

    private static func begins(_ bytes: [UInt8], with signature: [UInt8?]) -> Bool {
        bytes.count >= signature.count && zip(bytes, signature).allSatisfy { $1 == nil || $0 == $1 }
    }

    private static func ascii(_ text: StaticString) -> [UInt8?] {
        Array("\(text)".utf8)
    }
}
