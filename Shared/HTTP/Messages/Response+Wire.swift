extension Response {
    /// The bytes of a last answer on a connection, for where libmicrohttpd cannot be asked to write it.
    var serialized: [UInt8] {
        let body = self.bytes
        var head = "HTTP/1.1 \(self.status) \(Self.reason(self.status))\r\n"
        for field in self.headers where !field.isServers { head += "\(field.name): \(field.value)\r\n" }
        head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + body
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 431: "Request Header Fields Too Large"
        case 408: "Request Timeout"
        case 413: "Content Too Large"
        case 503: "Service Unavailable"
        default: "Refused"
        }
    }
}
