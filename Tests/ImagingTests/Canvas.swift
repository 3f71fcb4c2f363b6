import CVips

@testable import Imaging

/// A picture made or looked at by a test: red and green above, blue and white below, unless it is painted otherwise.
struct Canvas {
    let width: Int
    let height: Int
    private(set) var bands = 3
    private var samples: [UInt8]

    init(_ width: Int, _ height: Int, bands: Int = 3, paint: (_ x: Int, _ y: Int) -> [UInt8]) {
        self.width = width
        self.height = height
        self.bands = bands
        self.samples = (0..<height).flatMap { y in (0..<width).flatMap { x in paint(x, y) } }
    }

    static let red: [UInt8] = [230, 20, 20]
    static let green: [UInt8] = [20, 200, 20]
    static let blue: [UInt8] = [20, 20, 230]
    static let white: [UInt8] = [240, 240, 240]

    static func quarters(_ width: Int, _ height: Int) -> Canvas {
        Canvas(width, height) { x, y in
            y < height / 2
                ? (x < width / 2 ? self.red : self.green)
                : (x < width / 2 ? self.blue : self.white)
        }
    }

    /// Nothing that compresses.
    static func noise(_ width: Int, _ height: Int) -> Canvas {
        var state: UInt32 = 1
        return Canvas(width, height) { _, _ in
            (0..<3).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24)
            }
        }
    }

    /// The pixels of an encoded image, in whatever colours it has.
    init(decoding bytes: [UInt8]) throws {
        let source = try Source(bytes, pixelLimit: 100_000_000)
        let picture = try Picture.decode(bytes, source.header)
        self.width = picture.width
        self.height = picture.height * picture.pages
        self.bands = Int(unsafe vips_image_get_bands(picture.handle))
        var count = 0
        let pixels = unsafe vips_image_write_to_memory(picture.handle, &count)
        defer { unsafe g_free(pixels) }
        self.samples = unsafe Array(UnsafeRawBufferPointer(start: pixels, count: count))
    }

    subscript(x: Int, y: Int) -> [UInt8] {
        let index = (y * self.width + x) * self.bands
        return Array(self.samples[index..<index + self.bands])
    }

    /// The colours in the middle of the four quarters: above left and right, below left and right.
    var corners: [[UInt8]] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { self[self.width * $0.0 / 4, self.height * $0.1 / 4] }
    }

    /// - Parameter delays: how long each of the frames is shown that lie below each other, in milliseconds.
    func picture(delays: [Int32] = []) throws -> Picture {
        try Vips.start()
        let made = unsafe self.samples.withUnsafeBytes {
            unsafe vips_image_new_from_memory_copy(
                $0.baseAddress,
                $0.count,
                Int32(self.width),
                Int32(self.height),
                Int32(self.bands),
                VIPS_FORMAT_UCHAR
            )
        }
        guard let made = unsafe made else { throw Picture.error() }
        unsafe made.pointee.Type = VIPS_INTERPRETATION_sRGB
        if !delays.isEmpty {
            var delays = delays
            unsafe vips_image_set_int(made, "page-height", Int32(self.height / delays.count))
            unsafe vips_image_set_int(made, "loop", 3)
            unsafe vips_image_set_array_int(made, "delay", &delays, Int32(delays.count))
        }
        return try unsafe Picture(made).inStandardColours()
    }

    func encoded(_ encoding: Encoding) throws -> [UInt8] {
        try self.picture().encoded(encoding).bytes
    }
}

/// Whether two colours are the same but for what a lossy format changes.
func isNear(_ left: [UInt8], _ right: [UInt8], within limit: Int = 24) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { abs(Int($0) - Int($1)) <= limit }
}
