import CVips

extension Picture {
    func encoded(_ encoding: Encoding) throws(ImagingError) -> Rendition {
        let picture = try self.ready(for: encoding)
        var buffer: UnsafeMutableRawPointer?
        var count = 0
        let result =
            switch encoding {
            case .jpeg(let quality):
                unsafe imaging_jpegsave(picture.handle, &buffer, &count, Int32(quality))
            case .png(let palette):
                unsafe imaging_pngsave(picture.handle, &buffer, &count, palette ? 1 : 0)
            case .webp(let quality):
                unsafe imaging_webpsave(picture.handle, &buffer, &count, Int32(quality), 0)
            case .losslessWebp:
                unsafe imaging_webpsave(picture.handle, &buffer, &count, 75, 1)
            case .gif:
                unsafe imaging_gifsave(picture.handle, &buffer, &count)
            }
        defer { unsafe g_free(buffer) }
        guard result == 0 else { throw Self.error() }
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: buffer, count: count))
        return Rendition(
            bytes: encoding.contentType == ImageFormat.webp.contentType ? WebPChunks.withoutMetadata(bytes) : bytes,
            contentType: encoding.contentType,
            width: picture.width,
            height: picture.height
        )
    }

    /// JPEG knows no transparency; what shows through becomes white.
    private func ready(for encoding: Encoding) throws(ImagingError) -> Picture {
        guard case .jpeg = encoding, unsafe vips_image_hasalpha(self.handle) != 0 else { return self }
        return try unsafe self.applying(imaging_flatten_on_white)
    }
}
