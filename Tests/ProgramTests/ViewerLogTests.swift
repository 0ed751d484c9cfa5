import Logging
import MediaIO
import Testing

@testable import vitrail

/// What the viewer logs of its inputs, and how often.
struct ViewerLogTests {
    private let lines = Monitor<[String]>([])

    @Test("Two tries that fail for the same reason are one line, with its time")
    func retries() throws {
        let lines = lines
        let logger = LineLogHandler.logger(isTimed: true) { line in lines.withLock { $0.append(line) } }
        let log = ConditionLog("door", logger, ReadCancellation())
        for wait in [1, 2] {
            log.note(.waiting("Not connected: nobody is there.", retry: .now + .seconds(wait)))
        }
        let logged = lines.withLock { $0 }
        #expect(logged.count == 1)
        let line = try #require(logged.first)
        let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d door: Not connected: nobody is there\./
        #expect(line.wholeMatch(of: form) != nil, "\(line)")
    }

    @Test("What is found out of an input is logged once, however often it is opened")
    func notes() throws {
        let lines = lines
        let log = OnceLog(LineLogHandler.logger { line in lines.withLock { $0.append(line) } })
        for _ in 0..<2 {
            let adjustment = InputAdjustment(InputOptions(), isGenerated: false, "door", limit: nil, log)
            var frame = VideoFrame(try PixelBuffer(format: .gray8, size: VideoSize(width: 2, height: 2)) { _ in })
            try adjustment.adjust(&frame)
            frame.attributes.isDamaged = true
            try adjustment.adjust(&frame)
        }
        log.log(.notice, "another")
        #expect(lines.withLock { $0 } == ["door is damaged: some of its frames are missing or broken.", "another"])
    }

    @Test("Pictures that were left out are said five seconds after the first, then once a minute at most")
    func omissions() {
        let begin = ContinuousClock.now
        var log = OmissionLog(known: 0)
        func note(_ total: Int, _ seconds: Int, isCounted: Bool = true) -> Int? {
            log.note(total, isCounted: isCounted, at: begin + .seconds(seconds))
        }
        // Before the first picture, nothing is drawn, so that nobody asks.
        #expect(note(3, 0, isCounted: false) == nil)
        #expect(note(40, 1) == nil)
        #expect(note(43, 10) == nil)
        #expect(note(50, 14) == nil)
        #expect(note(52, 15) == 12)
        #expect(note(52, 100) == nil)
        #expect(note(53, 101) == nil && note(54, 106) == 2)
        #expect(note(60, 120) == nil && note(70, 165) == nil && note(71, 166) == 17)
        // Another connection.
        #expect(note(90, 300, isCounted: false) == nil && note(95, 301) == nil && note(5, 400) == nil)
        #expect(note(6, 401) == nil && note(6, 406) == 1)
    }
}
