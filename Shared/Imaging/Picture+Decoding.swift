import CVips

extension Picture {
    /// What the header says, without decoding pixels.
    static func header(of bytes: [UInt8], _ format: ImageFormat) throws(ImagingError) -> DecodedHeader {
        try self.load(bytes, format) { (picture) throws(ImagingError) in
            // A picture on its side is turned by 90°.
            let isTurned = unsafe (5...8).contains(vips_image_get_orientation(picture.handle))
            return DecodedHeader(
                format: format,
                width: isTurned ? picture.height : picture.width,
                height: isTurned ? picture.width : picture.height,
                pages: max(picture.pages, 1)
            )
        }
    }

    /// All pixels, in memory of its own.
    static func decode(_ bytes: [UInt8], _ header: DecodedHeader) throws(ImagingError) -> Picture {
        try self.load(bytes, header.format) { (picture) throws(ImagingError) in
            guard let copy = unsafe vips_image_copy_memory(picture.handle) else {
                throw Self.error(of: bytes, header.format)
            }
            return unsafe Picture(copy)
        }
    }

    /// - Parameter body: the picture reads from `bytes` and must not outlive it.
    private static func load<Value>(
        _ bytes: [UInt8],
        _ format: ImageFormat,
        _ body: (Picture) throws(ImagingError) -> Value
    ) throws(ImagingError) -> Value {
        try Vips.start()
        let load: imaging_load =
            switch format {
            case .jpeg: unsafe imaging_jpegload
            case .png: unsafe imaging_pngload
            case .webp: unsafe imaging_webpload
            case .gif: unsafe imaging_gifload
            case .heic: unsafe imaging_heifload
            }
        return try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(ImagingError) in
            var out: Handle?
            let input = unsafe UnsafeMutableRawPointer(mutating: buffer.baseAddress)
            guard unsafe load(input, buffer.count, &out) == 0, let out = unsafe out else {
                throw Self.error(of: bytes, format)
            }
            return try body(unsafe Picture(out))
        }
    }
}
