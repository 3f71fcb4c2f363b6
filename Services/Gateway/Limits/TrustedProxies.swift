import HTTP
import ServiceKit

/// The proxies before the gateway, whose word on whom a request comes from, and how, counts.
struct TrustedProxies: Sendable, Hashable {
    private let ranges: [NetworkRange]

    init(_ ranges: [NetworkRange] = []) {
        self.ranges = ranges
    }

    /// Reads `KEIJIBAN_TRUSTED_PROXIES`, addresses and ranges in CIDR form.
    static func read(_ settings: inout Settings) -> TrustedProxies {
        TrustedProxies(
            settings.list("KEIJIBAN_TRUSTED_PROXIES").compactMap { text in
                if let range = NetworkRange(text) { return range }
                settings.fault("KEIJIBAN_TRUSTED_PROXIES: \(text) is no address and no range such as 10.0.0.0/8")
                return nil
            }
        )
    }

    /// Whom a request comes from: the peer, or, where that is a proxy of ours, the last address before it that is none. Nil where
    /// the peer's address cannot be read.
    ///
    /// `X-Forwarded-For` counts before `Forwarded`: a proxy must set or remove both.
    func client(of head: RequestHead) -> NetworkAddress? {
        guard var client = NetworkAddress(head.remoteAddress) else { return nil }
        for hop in self.hops(head.headers).reversed() {
            guard self.isTrusted(client), let before = NetworkAddress(hop) else { break }
            client = before
        }
        return client
    }

    /// Whether one of our proxies says that the browser came to it over TLS. `X-Forwarded-Proto` counts before `Forwarded`; of
    /// several words the first, which is of whom the browser reached.
    func cameOverTLS(_ head: RequestHead) -> Bool {
        guard let peer = NetworkAddress(head.remoteAddress), self.isTrusted(peer) else { return false }
        let forwarded = head.headers["Forwarded"]?.split(separator: ",").first
        let said = head.headers["X-Forwarded-Proto"] ?? forwarded.flatMap { Self.element($0)["proto"] } ?? ""
        return ParameterizedValue(String(said.prefix { $0 != "," })).value.lowercased() == "https"
    }

    private func isTrusted(_ address: NetworkAddress) -> Bool { self.ranges.contains { $0.contains(address) } }

    private func hops(_ headers: Headers) -> [String] {
        guard !self.ranges.isEmpty else { return [] }
        let forwardedFor = headers.all("X-Forwarded-For")
        if !forwardedFor.isEmpty { return forwardedFor.joined(separator: ",").split(separator: ",").map(String.init) }
        return headers.all("Forwarded").joined(separator: ",").split(separator: ",").map { element in
            Self.element(element)["for"] ?? ""
        }
    }

    /// The parts of one element of `Forwarded`, by lower-case name.
    private static func element(_ text: Substring) -> [String: String] {
        ParameterizedValue(";" + String(text)).parameters
    }
}
