import HTTP
import ServiceKit

/// The proxies before the gateway, whose word on whom a request comes from counts.
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

    private func isTrusted(_ address: NetworkAddress) -> Bool { self.ranges.contains { $0.contains(address) } }

    private func hops(_ headers: Headers) -> [String] {
        guard !self.ranges.isEmpty else { return [] }
        let forwardedFor = headers.all("X-Forwarded-For")
        if !forwardedFor.isEmpty { return forwardedFor.joined(separator: ",").split(separator: ",").map(String.init) }
        return headers.all("Forwarded").joined(separator: ",").split(separator: ",").map { element in
            ParameterizedValue(";" + String(element)).parameters["for"] ?? ""
        }
    }
}
