import Testing

@testable import Keijiban

@Suite(.timeLimit(.minutes(1)))
struct RestartScheduleTests {
    @Test func theFirstRestartIsAtOnce() {
        var schedule = RestartSchedule()
        #expect(schedule.ended(after: .zero) == .zero)
    }

    @Test func pausesDoubleUpToASecond() {
        var schedule = RestartSchedule()
        let pauses = (0..<8).map { _ in schedule.ended(after: .milliseconds(10)) }
        #expect(pauses == [0, 50, 100, 200, 400, 800, 1_000, 1_000].map { .milliseconds($0) })
    }

    @Test func aProgramThatRanForAWhileBeginsAnew() {
        var schedule = RestartSchedule()
        for _ in 0..<8 { _ = schedule.ended(after: .zero) }
        #expect(schedule.ended(after: RestartSchedule.provenAfter) == .zero)
        #expect(schedule.ended(after: .zero) == RestartSchedule.firstPause)
    }

    @Test func aProgramThatKeepsEndingIsNewsLessAndLessOften() {
        var schedule = RestartSchedule()
        let news = (1...1_000).filter { _ in
            _ = schedule.ended(after: .zero)
            return schedule.isNews
        }
        #expect(news == [1, 2, 3, 10, 100, 1_000])
        _ = schedule.ended(after: .seconds(60))
        #expect(schedule.isNews)
    }

    @Test func noPauseIsEverLongerThanASecond() {
        var schedule = RestartSchedule()
        for round in 0..<1_000 {
            #expect(schedule.ended(after: .milliseconds(round * 7 % 6_000)) <= .seconds(1))
        }
    }
}
