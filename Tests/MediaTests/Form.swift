import HTTP

/// An upload as a browser's form sends it.
enum Form {
    static let boundary = "----WebKitFormBoundary7MA4YWxkTrZu0gW"
    static let headers: Headers = ["Content-Type": "multipart/form-data; boundary=\(Self.boundary)"]

    static func body(
        _ bytes: [UInt8],
        name: String = "file",
        fileName: String = "a.jpg",
        boundary: String = Self.boundary
    ) -> [UInt8] {
        let head = """
            --\(boundary)\r
            Content-Disposition: form-data; name="\(name)"; filename="\(fileName)"\r
            Content-Type: image/jpeg\r
            \r

            """
        return Array(head.utf8) + bytes + Array("\r\n--\(boundary)--\r\n".utf8)
    }
}
