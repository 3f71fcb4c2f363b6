import HTTP
import ServiceKit
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct ClientAddressTests {
    private func client(_ peer: String, _ headers: Headers, trusted: [String] = ["10.0.0.0/8", "::1"]) throws
        -> NetworkAddress?
    {
        let head = try RequestHead(method: "GET", target: "/", headers: headers, remoteAddress: peer)
        return TrustedProxies(trusted.compactMap { NetworkRange($0) }).client(of: head)
    }

    @Test func onlyTrustedProxiesAreBelieved() throws {
        let claim: Headers = ["X-Forwarded-For": "203.0.113.9"]
        #expect(try self.client("198.51.100.1", claim) == NetworkAddress("198.51.100.1"))
        #expect(try self.client("10.1.2.3", claim) == NetworkAddress("203.0.113.9"))
        #expect(try self.client("::ffff:10.1.2.3", claim) == NetworkAddress("203.0.113.9"))
        #expect(try self.client("10.1.2.3", claim, trusted: []) == NetworkAddress("10.1.2.3"))
        #expect(
            try self.client("::1", ["Forwarded": "for=\"[2001:db8::7]:4711\";proto=https"])
                == NetworkAddress("2001:db8::7")
        )
    }

    @Test func theRightmostAddressThatIsNoProxyOfOursCounts() throws {
        let chain: Headers = ["X-Forwarded-For": "1.1.1.1, 203.0.113.9", "X-Forwarded-For": "10.9.9.9"]
        #expect(try self.client("10.1.2.3", chain) == NetworkAddress("203.0.113.9"))
        #expect(try self.client("10.1.2.3", ["X-Forwarded-For": "1.1.1.1, nonsense"]) == NetworkAddress("10.1.2.3"))
        #expect(try self.client("10.1.2.3", ["X-Forwarded-For": "1.1.1.1:80"]) == NetworkAddress("1.1.1.1"))
        let forwarded: Headers = ["Forwarded": "for=1.1.1.1, for=unknown, for=10.0.0.7"]
        #expect(try self.client("10.1.2.3", forwarded) == NetworkAddress("10.0.0.7"))
        #expect(try self.client("10.1.2.3", ["X-Forwarded-For": ""]) == NetworkAddress("10.1.2.3"))
    }

    @Test func oneHouseholdIsOneInBothVersions() throws {
        #expect(try #require(NetworkAddress("192.0.2.1")).group != #require(NetworkAddress("192.0.2.2")).group)
        #expect(
            try #require(NetworkAddress("2001:db8:1:2::1")).group
                == #require(NetworkAddress("2001:db8:1:2:ffff::9")).group
        )
        #expect(
            try #require(NetworkAddress("2001:db8:1:2::1")).group != #require(NetworkAddress("2001:db8:1:3::1")).group
        )
    }

    @Test func rangesAreReadStrictly() throws {
        for text in ["10.0.0.0/33", "10.0.0/8", "::/129", "example.org", "10.0.0.0/x", "10.0.0.0/-1", ""] {
            #expect(NetworkRange(text) == nil, "\(text)")
        }
        let range = try #require(NetworkRange("192.0.2.128/25"))
        #expect(try range.contains(#require(NetworkAddress("192.0.2.200"))))
        #expect(try !range.contains(#require(NetworkAddress("192.0.2.100"))))
        #expect(try #require(NetworkRange("0.0.0.0/0")).contains(#require(NetworkAddress("8.8.8.8"))))
        #expect(try !#require(NetworkRange("0.0.0.0/0")).contains(#require(NetworkAddress("::2"))))
    }

    @Test func wrongSettingsAreNamed() {
        var settings = Settings([
            "KEIJIBAN_TRUSTED_PROXIES": "10.0.0.0/8, proxy", "KEIJIBAN_RATE_QUOTAS": "likes=1/60, like=2/60",
            "KEIJIBAN_CORS_ORIGINS": "https://app.example, https://app.example/", "KEIJIBAN_RATE_LIMITS": "perhaps",
        ])
        _ = GatewaySettings(&settings)
        let faults = #expect(throws: ConfigurationError.self) { try settings.finish() }
        #expect(faults?.faults.count == 4)
    }
}
