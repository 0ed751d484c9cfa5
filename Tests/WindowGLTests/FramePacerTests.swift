import MediaIO
import Testing

@testable import WindowGL

@Suite struct FramePacerTests {
    private let start = MonotonicTime(sinceBoot: .seconds(7))

    @Test func presentsAreAPeriodApart() {
        var pacer = FramePacer(refreshRate: 50, presentsWait: false)
        #expect(pacer.slot(now: start) == start)
        #expect(pacer.slot(now: start) == start + .milliseconds(20))
        #expect(pacer.slot(now: start + .milliseconds(25)) == start + .milliseconds(40))
    }

    @Test func timeThatWasMissedIsNotMadeUpFor() {
        var pacer = FramePacer(refreshRate: 50, presentsWait: false)
        _ = pacer.slot(now: start - .seconds(2))
        #expect(pacer.slot(now: start) == start)
        #expect(pacer.slot(now: start) == start + .milliseconds(20))
    }

    @Test(arguments: [0, -1])
    func anUnknownRateIsSixtyAndHasNoRefreshes(_ rate: Int32) {
        let pacer = FramePacer(refreshRate: rate, presentsWait: false)
        #expect(pacer.period == .seconds(1) / 60)
        #expect(pacer.clock == nil)
    }

    @Test func presentsThatWaitAreNotDelayedUntilRefreshesAreKnown() {
        var pacer = FramePacer(refreshRate: 50, presentsWait: true)
        #expect(pacer.slot(now: start) == start)
        #expect(pacer.slot(now: start) == start)
    }

    /// A screen of 50 Hz, and a program that always has something new to show.
    private struct Screen {
        static let period = Duration.milliseconds(20)
        var pacer: FramePacer
        let presentsWait: Bool
        /// How long the program draws, and then the GPU.
        let (drawing, gpu): (Duration, Duration)
        var now = MonotonicTime(sinceBoot: .seconds(7))
        var shown = MonotonicTime(sinceBoot: .zero)

        init(presentsWait: Bool, drawing: Duration, gpu: Duration = .zero) {
            pacer = FramePacer(refreshRate: 50, presentsWait: presentsWait)
            (self.presentsWait, self.drawing, self.gpu) = (presentsWait, drawing, gpu)
        }

        /// The refresh at a time or the first one after it.
        private func refresh(from time: MonotonicTime) -> MonotonicTime {
            let refreshes = (time.sinceBoot / Self.period - 1e-6).rounded(.up)
            return MonotonicTime(sinceBoot: Self.period * Int(refreshes))
        }

        /// Makes a picture.
        ///
        /// - Returns: the refreshes from the last picture to this one, and how old its frames are then.
        mutating func show() -> (refreshes: Double, age: Duration) {
            let taken = pacer.slot(now: now)
            let drawn = taken + drawing
            // There are two buffers: the last picture must be on the screen before the next one can be presented.
            let presented = presentsWait ? max(drawn, shown) : drawn
            let last = shown
            shown = refresh(from: max(presented + gpu, last + .microseconds(1)))
            pacer.notePicture(drawing: drawing, presenting: presented - drawn)
            now = presented
            pacer.note(refresh: shown)
            return ((shown - last) / Self.period, shown - taken)
        }
    }

    @Test(arguments: [false, true])
    func framesAreTakenJustBeforeTheRefresh(_ presentsWait: Bool) {
        var screen = Screen(presentsWait: presentsWait, drawing: .milliseconds(3))
        for _ in 0..<100 { _ = screen.show() }
        for _ in 0..<1000 {
            let (refreshes, age) = screen.show()
            #expect(refreshes.rounded() == 1 && age < .milliseconds(6))
        }
    }

    @Test(arguments: [9, 15, 19, 25])
    func theGPUIsGivenItsTime(_ milliseconds: Int) {
        let gpu = Duration.milliseconds(milliseconds)
        var screen = Screen(presentsWait: true, drawing: .milliseconds(1), gpu: gpu)
        for _ in 0..<200 { _ = screen.show() }
        let pictures = (0..<1000).map { _ in screen.show() }
        // A picture that takes longer than one refresh period gets two.
        let most: Double = gpu < Screen.period ? 1.02 : 2
        #expect(pictures.map(\.refreshes).reduce(0, +) < most * 1000 + 1)
        if gpu < .milliseconds(16) {
            let ages = pictures.map(\.age).sorted()
            #expect(ages[500] < gpu + .milliseconds(5))
        }
    }

    @Test func slowDrawingIsNotMadeSlower() {
        var screen = Screen(presentsWait: false, drawing: .milliseconds(23))
        let begin = screen.now
        for _ in 0..<1000 { _ = screen.show() }
        #expect(screen.now - begin < .milliseconds(23) * 1010)
    }
}
