import MediaConformance
import MediaIO
import TestSupport
import Testing
import VideoSources

@testable import MediaEngine

/// Right sources pass the kit, and wrong ones are caught by name.
@Suite(.timeLimit(.minutes(30))) struct SourceConformanceTests {
    static func frame() -> VideoFrame? {
        let pixels = try? PixelBuffer(format: .i420, size: VideoSize(width: 8, height: 8)) { _ in }
        return pixels.map { VideoFrame($0) }
    }

    static func reader() throws(StreamError) -> any FrameReader {
        try TestPatternReader(
            pattern: .gradient, size: VideoSize(width: 16, height: 16), frameRate: Rational(500), format: .i420)
    }

    @Test func ourSourcesPass() async throws {
        let deliver: @Sendable (any VideoSource) -> Void = { source in
            if let frame = Self.frame() { (source as? PushSource)?.push(frame) }
        }
        let kits = [
            SourceConformance({ PushSource(name: "push") }, deliver: deliver),
            SourceConformance(
                { PacedSource(name: "paced") { () throws(StreamError) in try Self.reader() } },
                broken: {
                    PacedSource(name: "broken") { () throws(StreamError) in
                        throw StreamError(.cannotOpen, "There is no file.")
                    }
                }),
            SourceConformance { LiveSource(name: "live") { () throws(StreamError) in try Self.reader() } },
        ]
        for kit in kits { #expect(try await failure(onOwnThread: kit.check) == nil) }
    }

    @Test func customCapturePasses() async throws {
        let kit = SourceConformance {
            CustomCapture(.local(.main), PushSource(name: "push"), nil, Callbacks("the test")) { _ in }
        } deliver: { source in
            if let frame = Self.frame() { (source as? CustomCapture)?.push(frame) }
        }
        #expect(try await failure(onOwnThread: kit.check) == nil)
    }

    /// The kit itself is right: a plain source with a thread passes.
    @Test func aRightSourcePasses() async throws {
        let kit = SourceConformance({ ThreadedSource() }, broken: { BrokenSource(keeps: false) })
        #expect(try await failure(onOwnThread: kit.check) == nil)
    }

    @Test(arguments: ThreadedSource.Mistake.allCases) func wrongSourcesAreCaughtByName(
        _ mistake: ThreadedSource.Mistake
    ) async throws {
        var kit = SourceConformance { ThreadedSource(mistake) }
        kit.patience = .seconds(3)
        if mistake == .deliversAfterDispose { kit.quiet = .milliseconds(300) }
        let violation = try #require(await failure(onOwnThread: kit.check), "nothing was found")
        let text = violation.description
        #expect(mistake.rules.contains(violation.rule), "\(text)")
        // Readable: the rule, what was tried, and the steps that led there.
        #expect(text.hasPrefix(violation.rule.rawValue) && text.contains("with the seed 1"), "\(text)")
        #expect(!violation.trace.isEmpty && text.contains("the kit: initialize()"), "\(text)")
    }

    /// A source that is declared to be broken, but opens without an error, is reported.
    @Test func aBrokenSourceThatOpensIsCaught() async throws {
        let kit = SourceConformance({ ThreadedSource() }, broken: { ThreadedSource(.keepsConsumer) })
        let violation = try await failure(onOwnThread: kit.check)
        #expect(violation?.rule == .failureMissing && violation?.scenario == "initialize throws")
        let text = violation?.description ?? ""
        #expect(text.contains("did not throw") && !text.contains("threw"), "\(text)")
    }

    @Test func aConsumerKeptAfterAFailureIsCaught() async throws {
        let kit = SourceConformance({ ThreadedSource() }, broken: { BrokenSource(keeps: true) })
        let violation = try await failure(onOwnThread: kit.check)
        #expect(violation?.rule == .consumerRetained && violation?.scenario == "initialize throws")
    }
}
