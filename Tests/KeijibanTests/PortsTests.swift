import Testing

@testable import Keijiban

@Suite(.timeLimit(.minutes(1)))
struct PortsTests {
    @Test(arguments: [
        (32_768...60_999, 10_000...32_767), (1_024...40_000, 40_001...65_535), (1_024...65_535, 10_000...65_535),
        (10_000...65_000, 10_000...65_535),
    ])
    func portsLieBesideThoseOfOutgoingConnections(ephemeral: ClosedRange<Int>, expected: ClosedRange<Int>) {
        #expect(Ports.range(ephemeral: ephemeral) == expected)
    }

    @Test func noTwoAreTheSame() {
        #expect(Set(Ports.free(20)).count == 20)
    }
}
