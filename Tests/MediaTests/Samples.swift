import Foundation

/// Images to upload.
enum Samples {
    /// 90×60 pixels of one colour.
    static let jpeg = Self.decode(
        """
        /9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8a
        Gi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAA8AFoDASIAAhEBAxEB/8QAHwAAAQUB
        AQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkK
        FhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5
        usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQD
        BAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpj
        ZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3
        +Pn6/9oADAMBAAIRAxEAPwCtRRRXmHvBRRRQAUUUUAFFFFABRRRQAUUUUAFFFFABRRRQAUUUUAFFFFABRRRQAUUUUAFFFFABRRRQAUUUUAFFFFAB
        RRRQAUUUUAFFFFABRRRQAUUUUAFFFFABRRRQAUUUUAf/2Q==
        """
    )

    /// 800×600 pixels in stripes of black and white.
    static let png = Self.decode(
        """
        iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYAQAAAACyDb/dAAAA6UlEQVR42u3NMQEAAAwCIPuX3jJ4+UABcrX0JBKJRCKRSCQSiUQikUgkEolEIpFI
        JBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFI
        JBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFI
        JBKJRCKRSCQSiUQikUgkkm3ykSjBncqvAfEAAAAASUVORK5CYII=
        """
    )

    /// A JPEG of exactly `count` bytes, its comments filling it up.
    static func jpeg(count: Int) -> [UInt8] {
        var missing = count - self.jpeg.count
        var comments: [UInt8] = []
        while missing > 0 {
            // A comment takes 4 bytes at least, so the last but one leaves room for that.
            let size = missing <= 65_537 ? missing : min(65_537, missing - 4)
            comments += [0xFF, 0xFE, UInt8((size - 2) >> 8), UInt8((size - 2) & 255)]
            comments += [UInt8](repeating: 0x20, count: size - 4)
            missing -= size
        }
        return self.jpeg.prefix(2) + comments + self.jpeg.dropFirst(2)
    }

    private static func decode(_ base64: String) -> [UInt8] {
        Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
    }
}
