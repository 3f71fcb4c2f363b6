import KeijibanAPI
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(1)))
struct UseLedgerTests {
    private let owner = ID.random()
    private let first = ID.random()
    private let second = ID.random()

    private func change(_ picture: ID?, _ version: Int) -> UseChange {
        UseChange(owner: self.owner, version: version, picture: picture, traceparent: "t\(version)")
    }

    @Test func aPictureMadeAndLeftInOneRunIsLeft() {
        var ledger = UseLedger([:])
        ledger.apply(self.change(self.first, 1))
        ledger.apply(self.change(nil, 2))
        #expect(ledger.uses.isEmpty)
        #expect(ledger.begun == [self.first])
        #expect(ledger.left == [self.first: "t2"])
        #expect(ledger.changed == [self.owner])
    }

    @Test func anEditReleasesAPictureAndAnEndDoesNot() {
        var ledger = UseLedger([:])
        ledger.apply(self.change(self.first, 1))
        ledger.apply(self.change(self.first, 2))
        #expect(ledger.released.isEmpty)
        ledger.apply(self.change(self.second, 3))
        ledger.apply(UseChange(owner: self.owner, version: 4, picture: nil, isEnd: true))
        #expect(ledger.released == [self.first] && Set(ledger.left.keys) == [self.first, self.second])
    }

    @Test func whatIsOlderDoesNotCount() {
        var ledger = UseLedger([self.owner: UseLedger.Use(picture: self.second, version: 3)])
        ledger.apply(self.change(self.first, 2))
        #expect(ledger.changed.isEmpty)
        #expect(ledger.uses[self.owner]?.picture == self.second)
    }

    @Test func anOlderEditRestoresNoPictureThatWasTakenAway() {
        var ledger = UseLedger([self.owner: UseLedger.Use(picture: self.first, version: 1)])
        ledger.apply(self.change(nil, 3))
        ledger.apply(self.change(self.second, 2))
        #expect(ledger.uses.isEmpty && ledger.begun.isEmpty)
        #expect(ledger.left == [self.first: "t3"])
    }

    @Test func anEditThatKeepsThePictureRedeemsNoClaim() {
        var ledger = UseLedger([self.owner: UseLedger.Use(picture: self.first, version: 1)])
        ledger.apply(self.change(self.first, 2))
        #expect(ledger.begun.isEmpty && ledger.left.isEmpty)
        #expect(ledger.uses[self.owner]?.version == 2)
        #expect(ledger.pictures == [self.first])
    }

    @Test func aClaimEndsAlsoWhereThePictureIsNoLongerTold() {
        var ledger = UseLedger([:])
        let claim = ID.random()
        ledger.apply(UseChange(owner: self.owner, version: 1, picture: nil, claim: claim))
        #expect(ledger.claims == [claim])
        #expect(ledger.changed.isEmpty)
    }

    @Test func aSnapshotCountsWhateverItsVersions() {
        let gone = ID.random()
        var ledger = UseLedger([
            self.owner: UseLedger.Use(picture: self.first, version: 5),
            gone: UseLedger.Use(picture: self.second, version: 1),
        ])
        ledger.replace(by: [self.change(self.first, 2)])
        #expect(ledger.uses == [self.owner: UseLedger.Use(picture: self.first, version: 2)])
        #expect(ledger.begun.isEmpty)
        #expect(Set(ledger.left.keys) == [self.second])
        #expect(ledger.changed == [self.owner, gone])
    }
}
