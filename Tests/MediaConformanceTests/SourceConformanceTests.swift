import MediaConformance
import MediaIO
import Testing
import VideoSources

@testable import MediaEngine

/// Right sources pass the kit, and wrong ones are caught by name.
@Suite(.timeLimit(.minutes(10))) struct SourceConformanceTests {
    static func frame() -> VideoFrame? {
        let pixels = try? PixelBuffer(format: .i420, size: VideoSize(width: 8, height: 8)) { _ in }
        return pixels.map { VideoFrame($0) }
    }

    static func reader() throws(StreamError) -> any FrameReader {
        try TestPatternReader(
            pattern: .gradient, size: VideoSize(width: 16, height: 16), frameRate: Rational(500), format: .i420)
    }

    @Test func ourSourcesPass() throws {
        let deliver: @Sendable (any VideoSource) -> Void = { source in
            if let frame = Self.frame() { (source as? PushSource)?.push(frame) }
        }
        try SourceConformance({ PushSource(name: "push") }, deliver: deliver).check()
        try SourceConformance(
            { PacedSource(name: "paced") { () throws(StreamError) in try Self.reader() } },
            broken: {
                PacedSource(name: "broken") { () throws(StreamError) in
                    throw StreamError(.cannotOpen, "There is no file.")
                }
            }
        ).check()
        try SourceConformance { LiveSource(name: "live") { () throws(StreamError) in try Self.reader() } }.check()
    }

    @Test func customCapturePasses() throws {
        try SourceConformance {
            CustomCapture(.main, PushSource(name: "push"), nil, Callbacks("the test")) { _ in }
        } deliver: { source in
            if let frame = Self.frame() { (source as? CustomCapture)?.push(frame) }
        }.check()
    }

    /// The kit itself is right: a plain source with a thread passes.
    @Test func aRightSourcePasses() throws {
        try SourceConformance({ ThreadedSource() }, broken: { BrokenSource(keeps: false) }).check()
    }

    @Test(arguments: ThreadedSource.Mistake.allCases) func wrongSourcesAreCaughtByName(
        _ mistake: ThreadedSource.Mistake
    ) throws {
        var kit = SourceConformance { ThreadedSource(mistake) }
        kit.patience = .seconds(3)
        if mistake == .deliversAfterDispose { kit.quiet = .milliseconds(300) }
        let violation = #expect(throws: ConformanceViolation.self) { try kit.check() }
        #expect(violation?.rule == mistake.rule, "\(violation.map(String.init(describing:)) ?? "nothing was found")")
        // Readable: the rule, what was tried, and the steps that led there.
        let text = violation?.description ?? ""
        #expect(text.hasPrefix(mistake.rule.rawValue) && text.contains("with the seed 1"))
        #expect(violation?.trace.isEmpty == false && text.contains("the kit: initialize()"), "\(text)")
    }

    @Test func aConsumerKeptAfterAFailureIsCaught() throws {
        let kit = SourceConformance({ ThreadedSource() }, broken: { BrokenSource(keeps: true) })
        let violation = #expect(throws: ConformanceViolation.self) { try kit.check() }
        #expect(violation?.rule == .consumerRetained && violation?.scenario == "initialize throws")
    }
}
