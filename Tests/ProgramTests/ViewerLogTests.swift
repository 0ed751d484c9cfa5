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
            log.note(.waiting("Not connected: nobody is there; trying again in \(wait) s."))
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
}
