import CVips

extension Picture {
    /// Turned as its orientation says. One that moves stays as it is, since its frames lie below each other.
    func upright() throws(ImagingError) -> Picture {
        self.pages > 1 ? self : try unsafe self.applying(imaging_autorot)
    }

    /// In sRGB or grey, 8 bits each; from its own colour profile where it has one.
    func inStandardColours() throws(ImagingError) -> Picture {
        if self.hasProfile, let transformed = try? unsafe self.applying(imaging_icc_to_srgb) { return transformed }
        // No profile, or one that is broken or for other colours.
        let space = unsafe vips_image_get_interpretation(self.handle)
        let isGrey = space == VIPS_INTERPRETATION_B_W || space == VIPS_INTERPRETATION_GREY16
        return try unsafe self.applying {
            unsafe imaging_colourspace($0, $1, isGrey ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB)
        }
    }

    /// Without any field but those that frames and palettes need.
    func bare() throws(ImagingError) -> Picture {
        let kept: Set = [
            "page-height", "n-pages", "delay", "loop", "gif-delay", "gif-loop", "gif-palette", "palette-bit-depth",
            "background",
        ]
        let copy = try unsafe self.applying(imaging_copy)
        let fields = unsafe vips_image_get_fields(copy.handle)
        defer { unsafe g_strfreev(fields) }
        var next = unsafe fields
        while let field = unsafe next?.pointee {
            let name = unsafe String(cString: field)
            if !kept.contains(name) { unsafe vips_image_remove(copy.handle, name) }
            unsafe next = unsafe next?.successor()
        }
        return copy
    }

    func firstFrame() throws(ImagingError) -> Picture {
        guard self.pages > 1 else { return self }
        let frame = try unsafe self.applying { unsafe imaging_crop($0, $1, Int32(self.width), Int32(self.height)) }
        let copy = try unsafe frame.applying(imaging_copy)
        for field in ["page-height", "n-pages", "delay", "loop", "gif-delay", "gif-loop"] {
            unsafe vips_image_remove(copy.handle, field)
        }
        return copy
    }

    /// Within a frame, its proportions kept.
    func fitted(width: Int32, height: Int32) throws(ImagingError) -> Picture {
        try unsafe self.applying { unsafe imaging_thumbnail($0, $1, width, height, VIPS_INTERESTING_NONE) }
    }

    /// A whole frame, what is outside of it cut off.
    func filled(width: Int32, height: Int32) throws(ImagingError) -> Picture {
        try unsafe self.applying { unsafe imaging_thumbnail($0, $1, width, height, VIPS_INTERESTING_CENTRE) }
    }
}
