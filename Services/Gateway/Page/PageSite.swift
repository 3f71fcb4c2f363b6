import HTTP

/// Where the page is, as its readers know it. Links, cookies, and whose requests are the page's own: all of it is decided here.
struct PageSite: Sendable {
    /// `KEIJIBAN_PUBLIC_URL`, where it is set.
    let publicOrigin: WebOrigin?
    let proxies: TrustedProxies

    /// What stands before the path in links that leave the page. Without a public address it is that of the request; one whose
    /// `Host` is none gets `http://localhost`.
    func origin(of head: RequestHead) -> WebOrigin {
        self.publicOrigin ?? Self.host(of: head, isSecure: self.isSecure(head)) ?? .local
    }

    /// Whether the browser came over TLS: by the public address, else by what a trusted proxy says.
    func isSecure(_ head: RequestHead) -> Bool {
        self.publicOrigin?.isSecure == true || self.proxies.cameOverTLS(head)
    }

    /// Whether a page from `origin`, as the browser wrote it, is one of the board's own. A proxy that is not trusted may have ended
    /// TLS, so both schemes of the same host are, unless it is known to be TLS.
    func isOwn(_ origin: String, _ head: RequestHead) -> Bool {
        guard let origin = WebOrigin(origin) else { return false }
        if origin == self.publicOrigin { return true }
        return (origin.isSecure || !self.isSecure(head)) && origin == Self.host(of: head, isSecure: origin.isSecure)
    }

    private static func host(of head: RequestHead, isSecure: Bool) -> WebOrigin? {
        head.headers["Host"].flatMap { WebOrigin(isSecure: isSecure, host: $0) }
    }
}
