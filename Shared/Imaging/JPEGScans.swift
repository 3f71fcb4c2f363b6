/// The scans of a JPEG file (ITU-T T.81, annex B).
enum JPEGScans {
    /// A progressive picture is written in about ten. Each is a walk over all pixels, and costs only some bytes.
    static let limit = 100

    /// Whether there are more than `limit` of them. Within the data of a scan the marker cannot occur.
    static func areTooMany(in bytes: [UInt8]) -> Bool {
        var count = 0
        for index in bytes.indices.dropLast() where bytes[index] == 0xff && bytes[index + 1] == 0xda {
            count += 1
            if count > self.limit { return true }
        }
        return false
    }
}
