import MediaIO
import Testing
import VideoWall

/// How much of its effects a tile has time for.
@Suite struct EffectPacerTests {
    private static let budget = Duration.milliseconds(33)

    /// Twenty-five pictures a second, whose time depends on the pace.
    private static func paces(
        seconds: Int, _ time: (_ pace: EffectPace, _ second: Int) -> Int
    ) -> [EffectPace] {
        var pacer = EffectPacer()
        return (0..<seconds * 25).map { picture in
            let now = MonotonicTime(sinceBoot: .milliseconds(40 * picture + 1000))
            guard pacer.begin(at: now) else { return pacer.pace }
            _ = pacer.note(.milliseconds(time(pacer.pace, picture / 25)), of: budget, at: now)
            return pacer.pace
        }
    }

    @Test func fastEffectsStayAsTheyAre() {
        #expect(Self.paces(seconds: 20) { _, _ in 33 }.allSatisfy { $0 == .full })
    }

    /// A single slow picture may have waited for something else.
    @Test func onlyThreeInARowCount() {
        var pacer = EffectPacer()
        for (index, time) in [40, 40, 30, 40, 40, 33, 330].enumerated() {
            let now = MonotonicTime(sinceBoot: .milliseconds(40 * index))
            let hasChanged = pacer.note(.milliseconds(time), of: Self.budget, at: now)
            #expect(!hasChanged)
        }
        _ = pacer.note(.milliseconds(331), of: Self.budget, at: MonotonicTime(sinceBoot: .seconds(1)))
        #expect(pacer.pace == .half && pacer.slowest == .milliseconds(331))
    }

    /// Smaller first, then less often, then not at all.
    @Test(arguments: [
        (60, EffectPace.half), (200, .quarter), (1000, .slow), (10_000, .muted),
    ]) func eachStepIsTakenInTurn(_ full: Int, _ last: EffectPace) {
        let paces = Self.paces(seconds: 4) { pace, _ in
            switch pace {
            case .full: full
            case .half: full / 4
            default: full / 16
            }
        }
        var steps: [EffectPace] = []
        for pace in paces where steps.last != pace { steps.append(pace) }
        if steps.first == .full { steps.removeFirst() }
        #expect(steps.prefix(last.rawValue) == EffectPace.allCases.dropFirst().prefix(last.rawValue))
        #expect(steps.contains(last))
    }

    /// At the lowest rate there are five pictures a second.
    @Test func aSlowEffectIsDrawnFiveTimesASecond() {
        var pacer = EffectPacer()
        var begun = 0
        for picture in 0..<250 {
            let now = MonotonicTime(sinceBoot: .milliseconds(40 * picture))
            guard pacer.begin(at: now) else { continue }
            if pacer.pace == .slow, picture >= 125 { begun += 1 }
            _ = pacer.note(.milliseconds(150), of: Self.budget, at: now)
        }
        #expect(pacer.pace == .slow && (24...26).contains(begun))
    }

    /// When there is time again, all of it comes back within some seconds, step by step.
    @Test func itComesBackWhenThereIsRoom() {
        let paces = Self.paces(seconds: 60) { _, second in second < 5 ? 400 : 3 }
        #expect(paces[..<125].contains(.muted))
        #expect(paces.last == .full)
        #expect(paces.firstIndex(of: .full).map { $0 > 0 } != true || paces[125...].contains(.half))
    }

    /// A step up that fails is tried ever more rarely.
    @Test func itDoesNotTryAgainAndAgain() {
        // There is room for the next step by the sizes, but not in truth.
        let paces = Self.paces(seconds: 600) { pace, _ in pace == .full ? 50 : 5 }
        let tries = zip(paces, paces.dropFirst()).count { $0 == .half && $1 == .full }
        #expect((4...12).contains(tries), "\(tries)")
        #expect(paces.count { $0 == .full } < paces.count / 20)
    }

    @Test func itSaysWhenToAskAgain() {
        var pacer = EffectPacer()
        var now = MonotonicTime(sinceBoot: .seconds(1))
        while pacer.pace != .muted {
            now = now + .milliseconds(300)
            if pacer.begin(at: now) { _ = pacer.note(.seconds(1), of: Self.budget, at: now) }
        }
        let (isEarly, next) = (!pacer.begin(at: now), pacer.nextBegin)
        #expect(isEarly && next == now + .seconds(2))
        let begins = pacer.begin(at: now + .seconds(2))
        #expect(begins && pacer.pace == .slow)
    }
}
