import CVips

/// libvips' image: pixels in memory, or how to compute them from such.
@safe
final class Picture {
    typealias Handle = UnsafeMutablePointer<VipsImage>
    typealias Operation = (Handle, UnsafeMutablePointer<Handle?>) -> Int32

    let handle: Handle

    /// Takes the handle over.
    init(_ handle: Handle) {
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe imaging_unref(self.handle)
    }

    var width: Int { Int(unsafe vips_image_get_width(self.handle)) }

    /// Of one frame.
    var height: Int { Int(unsafe vips_image_get_page_height(self.handle)) }

    var pages: Int { Int(unsafe vips_image_get_n_pages(self.handle)) }

    var hasProfile: Bool { self.has(VIPS_META_ICC_NAME) }

    /// Whether it came from at most 256 colours.
    var hasPalette: Bool { self.has("palette-bit-depth") }

    func has(_ field: String) -> Bool {
        unsafe vips_image_get_typeof(self.handle, field) != 0
    }

    func applying(_ operation: Operation) throws(ImagingError) -> Picture {
        var out: Handle?
        guard unsafe operation(self.handle, &out) == 0, let out = unsafe out else { throw Self.error() }
        return unsafe Picture(out)
    }

    /// What libvips said last, as an error of the image.
    static func error() -> ImagingError {
        let message = Vips.takeError()
        func says(_ words: String...) -> Bool { words.contains { message.contains($0) } }
        if says("image dimension") { return ImagingError(kind: .tooManyPixels, message: message) }
        let isTruncated = says("remature", "runcated", "nd of", "ot enough", "EOF", "ncomplete")
        return ImagingError(kind: isTruncated ? .truncated : .undecodable, message: message)
    }
}
