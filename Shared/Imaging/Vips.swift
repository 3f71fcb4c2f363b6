import CVips

/// The library as a whole.
enum Vips {
    /// Starts it, once a process: nothing but its hardened loaders, no cache, no threads of its own beside ours.
    static func start() throws(ImagingError) {
        guard self.isStarted else {
            throw ImagingError(kind: .undecodable, message: "libvips does not start: \(self.takeError())")
        }
    }

    /// What it said last, as one short line. Threads share the text, so it is for people to read only.
    static func takeError() -> String {
        let text = unsafe String(cString: vips_error_buffer())
        vips_error_clear()
        return String(text.split(whereSeparator: \.isNewline).joined(separator: "; ").prefix(200))
    }

    private static let isStarted: Bool = {
        imaging_silence()
        guard unsafe vips_init("imaging") == 0 else { return false }
        vips_block_untrusted_set(1)
        vips_cache_set_max(0)
        vips_concurrency_set(1)
        return true
    }()
}
