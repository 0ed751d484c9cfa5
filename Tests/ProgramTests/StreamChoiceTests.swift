import MediaIO
import Testing

@testable import vitrail

/// Which of two streams a tile plays.
struct StreamChoiceTests {
    private let start = ContinuousClock().now
    private static let small = 480.0 * 270
    private static let large = 1920.0 * 1080

    private func next(
        _ choice: inout StreamChoice, _ area: Double?, at second: Double, isFailing: Bool = false
    ) -> StreamChoice.Step {
        choice.next(area: area, isFailing: isFailing, now: start + .seconds(second))
    }

    @Test("A small tile plays the substream, a large one the main stream at once, a small one again after 2 s")
    func sizes() {
        var choice = StreamChoice()
        #expect(next(&choice, nil, at: 0) == .none && next(&choice, Self.small, at: 1) == .none)
        #expect(next(&choice, Self.large, at: 2) == .connect(.main))
        // It is asked for once.
        #expect(next(&choice, Self.large, at: 2.1) == .none && choice.playing == .substream)
        choice.takeOver()
        #expect(choice.playing == .main && choice.pending == nil && choice.due == nil)
        #expect(next(&choice, Self.small, at: 10) == .none && choice.due == start + .seconds(12))
        // The focus that comes and goes does not count, nor does the time for which a tile is hidden.
        #expect(next(&choice, Self.large, at: 11) == .none && choice.due == nil)
        #expect(next(&choice, Self.small, at: 12) == .none && choice.due == start + .seconds(14))
        #expect(next(&choice, nil, at: 13) == .none && choice.due == nil)
        #expect(next(&choice, Self.small, at: 20) == .none && next(&choice, Self.small, at: 21.9) == .none)
        #expect(next(&choice, Self.small, at: 22) == .connect(.substream))
        choice.takeOver()
        #expect(choice.playing == .substream)
    }

    @Test("A tile of about the size where it changes stays with its stream")
    func hysteresis() {
        var choice = StreamChoice()
        let limit = Double(StreamChoice.smallArea)
        #expect(next(&choice, limit * 1.1, at: 0) == .none)
        #expect(next(&choice, limit * 1.3, at: 1) == .connect(.main))
        choice.takeOver()
        for second in 2...9 { #expect(next(&choice, limit * 1.1, at: Double(second)) == .none) }
    }

    @Test("A tile that becomes small again before the main stream has come does without it")
    func cancelled() {
        var choice = StreamChoice()
        #expect(next(&choice, Self.large, at: 0) == .connect(.main))
        #expect(next(&choice, Self.small, at: 1) == .none)
        #expect(next(&choice, Self.small, at: 3) == .cancel && choice.pending == nil)
        #expect(next(&choice, Self.small, at: 4) == .none)
    }

    @Test("Of two streams of which one cannot be reached, the other one plays, and the wanted one is waited for")
    func failures() {
        var choice = StreamChoice()
        #expect(next(&choice, Self.small, at: 0, isFailing: true) == .connect(.main))
        #expect(next(&choice, Self.small, at: 1, isFailing: true) == .none)
        choice.takeOver()
        #expect(next(&choice, Self.small, at: 2) == .connect(.substream))
        #expect(next(&choice, Self.small, at: 60) == .none && choice.playing == .main)
        choice.takeOver()
        // One that comes back on its own is kept.
        #expect(next(&choice, Self.small, at: 61, isFailing: true) == .connect(.main))
        #expect(next(&choice, Self.small, at: 62) == .cancel)
    }

    @Test("The new stream is silent until its first picture, the old one from then on")
    func takingOver() throws {
        let mailbox = FrameMailbox()
        func adjustment(_ options: String = "") throws -> InputAdjustment {
            try InputSpecification("a.y4m\(options)").makeAdjustment(4096, nil)
        }
        let old = TileSink(mailbox, try adjustment())
        let new = TileSink(mailbox, try adjustment("?rotate=90"), insteadOf: old)
        let frame = VideoFrame(try PixelBuffer(format: .gray8, size: VideoSize(width: 16, height: 9)) { _ in })
        new.sourceDidChange(.failed("not there"))
        new.sourceDidOmit(3)
        new.sourceDidSwitch()
        old.consume(frame)
        #expect(mailbox.condition == .live && mailbox.statistics.omitted == 0 && mailbox.hasFrame && !new.isOpen)
        // What the old one has put in is not shown after a frame of the new one.
        new.consume(frame)
        #expect(new.isOpen && !old.isOpen && mailbox.take()?.attributes.rotation == .clockwise90)
        old.consume(frame)
        old.sourceDidChange(.failed("closed"))
        #expect(!mailbox.hasFrame && mailbox.condition == .live && mailbox.statistics.received == 2)
        new.sourceDidChange(.ended)
        #expect(mailbox.condition == .ended)
    }
}
