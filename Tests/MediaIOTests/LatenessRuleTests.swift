import Testing

@testable import MediaIO

/// When frames are left out, and when no more.
struct LatenessRuleTests {
    /// A rule, and the time of its last frame.
    private struct Play {
        var rule = LatenessRule()
        var now = MonotonicTime(sinceBoot: .seconds(100))

        /// Notes a frame each 40 ms, all as late.
        ///
        /// - Returns: the time until the rule changed, in milliseconds; `nil` if it did not.
        mutating func frames(_ milliseconds: Int, late: Int) -> Int? {
            for step in 0...(milliseconds / 40) {
                now = now + .milliseconds(40)
                if rule.note(.milliseconds(late), now: now) { return step * 40 }
            }
            return nil
        }
    }

    @Test func framesThatAreAlwaysLateAreLeftOut() {
        var play = Play()
        #expect(play.frames(10_000, late: 100) == nil)
        #expect(play.frames(10_000, late: 101) == 280)
        #expect(play.rule.isOmitting)
        #expect(play.frames(10_000, late: 500) == nil)
    }

    /// A slow disk, once.
    @Test func oneDelayIsNoReason() {
        var play = Play()
        for _ in 0..<20 {
            #expect(play.frames(200, late: 400) == nil)
            #expect(play.frames(40, late: 20) == nil)
        }
        #expect(!play.rule.isOmitting)
        #expect(play.frames(200, late: 400) == nil)
        play.rule.restart()
        #expect(play.frames(200, late: 400) == nil)
    }

    @Test func framesInTimeAreAllDecodedAgain() {
        var play = Play()
        _ = play.frames(1000, late: 200)
        #expect(play.frames(2000, late: -10) == 1000)
        #expect(!play.rule.isOmitting)
    }

    /// Otherwise it would change its mind each second while the processor is nearly quick enough.
    @Test func itWaitsLongerEachTime() {
        var play = Play()
        var waits: [Int?] = []
        for _ in 0..<7 {
            _ = play.frames(1000, late: 200)
            waits.append(play.frames(30_000, late: 0))
        }
        #expect(waits == [1000, 2000, 4000, 8000, 16_000, 16_000, 16_000])
        #expect(play.frames(100_000, late: 0) == nil)
        _ = play.frames(1000, late: 200)
        #expect(play.frames(30_000, late: 0) == 1000)
    }
}
