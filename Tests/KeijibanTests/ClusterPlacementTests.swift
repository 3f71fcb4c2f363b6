import Testing

@testable import Keijiban

@Suite(.timeLimit(.minutes(1)))
struct ClusterPlacementTests {
    private let postgres = Account(name: "postgres", user: 101, group: 104)

    private func step(_ path: String, _ mode: UInt32, user: UInt32 = 0, group: UInt32 = 0) -> ClusterPlacement.Step {
        ClusterPlacement.Step(path: path, mode: mode, user: user, group: group)
    }

    @Test func withoutRootTheClusterIsOurs() {
        let way = [self.step("/", 0o755), self.step("/home/me", 0o700, user: 1_000)]
        #expect(ClusterPlacement.decide(account: nil, way: way) == .inside(owner: nil))
    }

    @Test func underRootItBelongsToTheUnprivilegedUser() {
        let way = [self.step("/", 0o755), self.step("/srv", 0o755), self.step("/srv/board", 0o711)]
        #expect(ClusterPlacement.decide(account: self.postgres, way: way) == .inside(owner: self.postgres))
    }

    @Test func aFolderThatTheUserMayNotPassSendsItElsewhere() {
        let way = [self.step("/", 0o755), self.step("/home/hana", 0o700), self.step("/home/hana/board", 0o755)]
        #expect(
            ClusterPlacement.decide(account: self.postgres, way: way)
                == .elsewhere(parent: "/var/lib/keijiban", owner: self.postgres, barrier: "/home/hana")
        )
    }

    @Test(arguments: [
        (0o100 as UInt32, 101 as UInt32, 0 as UInt32, true), (0o011, 101, 104, false),
        (0o010, 0, 104, true), (0o001, 0, 104, false), (0o001, 0, 0, true), (0o110, 0, 0, false),
    ])
    func theMostSpecificPermissionDecides(mode: UInt32, user: UInt32, group: UInt32, isOpen: Bool) {
        #expect(self.step("/x", mode, user: user, group: group).isOpen(to: self.postgres) == isOpen)
    }
}
