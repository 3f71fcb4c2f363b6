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

    /// What libvips said last, as an error of what was done with a picture that could be read.
    static func error() -> ImagingError {
        ImagingError(kind: .undecodable, message: Vips.takeError())
    }

    /// The same of a file that could not be read. Threads share the text, so what kind it is the file tells.
    static func error(of bytes: [UInt8], _ format: ImageFormat) -> ImagingError {
        ImagingError(kind: format.isCutOff(bytes) ? .truncated : .undecodable, message: Vips.takeError())
    }
}
