import Foundation

/// Images to upload.
enum Pictures {
    /// 16×12 pixels of one colour.
    static let jpeg = Array(
        Data(
            base64Encoded: """
                /9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARES
                EhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAMABADASIAAhEB
                AxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKB
                kaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKT
                lJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEB
                AQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYk
                NOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmq
                srO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD0CiiigD//2Q==
                """,
            options: .ignoreUnknownCharacters
        ) ?? Data()
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
}
