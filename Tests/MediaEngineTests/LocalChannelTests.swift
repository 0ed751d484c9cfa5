import Glibc
import MediaEngine
import MediaIO
import Testing

/// Preview and publishing share one source, which runs while either does.
@Suite(.timeLimit(.minutes(30))) struct LocalChannelTests {
    @Test(arguments: PublishChannel.allCases) func captureRunsWhileItIsNeeded(_ channel: PublishChannel) throws {
        let engine = VideoEngine()
        let handler = CaptureJournal()
        let (preview, published) = (RecordingSink(), RecordingSink())
        let local = engine.channel(channel)
        try local.add(preview, for: .preview)
        try local.add(published, for: .publishing)
        let capture = try local.enableCustomCapture(handler: handler)
        #expect(capture.push(try markedFrame(1)) == .notStarted)
        try local.startPreview()
        #expect(capture.push(try markedFrame(2)) == .delivered)
        try local.startPublishing()
        #expect(local.running == [.preview, .publishing])
        #expect(capture.push(try markedFrame(3)) == .delivered)
        local.stopPreview()
        #expect(capture.push(try markedFrame(4)) == .delivered)
        local.stopPublishing()
        let refused = capture.push(try markedFrame(5))
        #expect(refused == .notStarted && refused.description.contains("start"))
        #expect(preview.marks == [2, 3] && published.marks == [3, 4])
        #expect(preview.steps == ["initialize", "start", "stop", "dispose"])
        #expect(published.steps == preview.steps)
        // And once more.
        try local.startPreview()
        #expect(capture.push(try markedFrame(6)) == .delivered)
        handler.journal.await(3)
        engine.dispose()
        #expect(preview.marks == [2, 3, 6])
        #expect(handler.journal.entries.prefix(3) == ["start \(local.id)", "stop \(local.id)", "start \(local.id)"])
        #expect(capture.push(try markedFrame(7)) == .disposed)
    }

    @Test func wrongKindsAreRefused() throws {
        let engine = VideoEngine()
        let capture = try engine.channel().enableCustomCapture(.texture)
        try engine.startPreview()
        let result = capture.push(try markedFrame(1))
        #expect(result == .wrongKind(.texture) && result.description.contains("texture"))
        let bytes = [UInt8](repeating: 0, count: 12)
        let size = VideoSize(width: 4, height: 2)
        #expect(
            try bytes.withUnsafeBytes { try capture.push(copying: $0, format: .i420, size: size) }
                == .wrongKind(.texture))
        engine.dispose()
    }

    @Test(arguments: MirrorMode.allCases) func mirrorModes(_ mode: MirrorMode) throws {
        let engine = VideoEngine()
        let local = engine.channel()
        let (preview, published) = (RecordingSink(), RecordingSink())
        try local.add(preview, for: .preview)
        try local.add(published, for: .publishing)
        let capture = try local.enableCustomCapture()
        local.mirrorMode = mode
        try local.startPreview()
        try local.startPublishing()
        var frame = try markedFrame(1)
        capture.push(frame)
        frame.attributes.mirror = .both
        capture.push(frame)
        let mirrored = [VideoMirror.horizontal, .vertical]
        let same = [VideoMirror.unmirrored, .both]
        #expect(preview.frames.map(\.attributes.mirror) == (mode == .off ? same : mirrored))
        #expect(published.frames.map(\.attributes.mirror) == (mode == .all ? mirrored : same))
        engine.dispose()
    }

    /// The picture has another aspect ratio than the frames: 4:3 in 16:9, turned and not.
    @Test func fillModes() throws {
        let engine = VideoEngine()
        let local = engine.channel()
        let sink = RecordingSink()
        try local.add(sink, for: .publishing)
        let capture = try local.enableCustomCapture()
        try local.startPublishing()
        local.aspectRatio = Rational(16, 9)
        var frame = try markedFrame(1, size: VideoSize(width: 640, height: 480))
        for mode in ContentMode.allCases {
            local.fillMode = mode
            frame.attributes.rotation = .upright
            capture.push(frame)
            frame.attributes.rotation = .clockwise90
            capture.push(frame)
        }
        let shown = sink.frames.map { frame in
            let part = frame.visibleRectangle
            let ratio = Double(part.width) / Double(part.height) * frame.attributes.pixelAspectRatio.value
            return frame.attributes.rotation.isQuarterTurn ? 1 / ratio : ratio
        }
        let wanted = [4.0 / 3, 3.0 / 4, 16.0 / 9, 16.0 / 9, 16.0 / 9, 16.0 / 9]
        #expect(zip(shown, wanted).allSatisfy { abs($0 - $1) < 0.01 }, "\(shown)")
        #expect(
            sink.frames.map(\.visibleRectangle) == [
                Rectangle(x: 0, y: 0, width: 640, height: 480), Rectangle(x: 0, y: 0, width: 640, height: 480),
                Rectangle(x: 0, y: 60, width: 640, height: 360), Rectangle(x: 185, y: 0, width: 270, height: 480),
                Rectangle(x: 0, y: 0, width: 640, height: 480), Rectangle(x: 0, y: 0, width: 640, height: 480),
            ])
        engine.dispose()
    }

    /// Frames of extreme shapes, and pictures of extreme ratios, are distorted as far as numbers go.
    @Test func stretchingHasNoLimits() throws {
        let engine = VideoEngine()
        let local = engine.channel()
        let sink = RecordingSink()
        try local.add(sink, for: .publishing)
        let capture = try local.enableCustomCapture()
        try local.startPublishing()
        local.fillMode = .stretch
        let sizes = [VideoSize(width: 1, height: 40_000), VideoSize(width: 40_000, height: 1)]
        for ratio in [Rational(1), Rational(.init(Int32.max), 1), Rational(1, .init(Int32.max)), Rational(40_000)] {
            local.aspectRatio = ratio
            for size in sizes { #expect(capture.push(try markedFrame(1, size: size)) == .delivered) }
        }
        let ratios = sink.frames.map(\.attributes.pixelAspectRatio.value)
        #expect(ratios.count == 8)
        #expect(abs(ratios[0] / 40_000 - 1) < 0.01 && abs(ratios[1] * 40_000 - 1) < 0.01)
        #expect(abs(ratios[7] - 1) < 0.01)
        engine.dispose()
    }

    @Test func aSourceThatCannotBeOpenedLeavesTheOldOne() throws {
        let engine = VideoEngine()
        let sink = RecordingSink()
        try engine.setLocalVideoRenderer(sink)
        let source = PushSource(name: "camera")
        try engine.setVideoSource(source)
        try engine.startPreview()
        #expect(source.push(try markedFrame(1)) == .delivered)
        let error = #expect(throws: StreamError.self) { try engine.setVideoSource(BrokenSource()) }
        #expect(error?.description == "There is no camera.")
        #expect(source.push(try markedFrame(2)) == .delivered)
        try engine.setVideoSource(nil)
        #expect(source.push(try markedFrame(3)) == .disposed)
        // The renderer waits for the next source.
        let other = PushSource(name: "screen")
        try engine.setVideoSource(other)
        #expect(other.push(try markedFrame(4)) == .delivered)
        #expect(sink.marks == [1, 2, 4])
        #expect(sink.steps == ["initialize", "start"])
        engine.dispose()
        #expect(sink.steps == ["initialize", "start", "stop", "dispose"])
    }

    @Test func aSourceThatCannotBeOpenedPreventsThePreview() throws {
        let engine = VideoEngine()
        let sink = RecordingSink()
        try engine.setLocalVideoRenderer(sink)
        try engine.setVideoSource(BrokenSource())
        #expect(throws: StreamError.self) { try engine.startPreview() }
        #expect(engine.channel().running.isEmpty)
        #expect(sink.steps.last == "dispose")
        let source = PushSource(name: "camera")
        try engine.setVideoSource(source)
        try engine.startPreview()
        #expect(source.push(try markedFrame(1)) == .delivered)
        #expect(sink.marks == [1])
        engine.dispose()
    }

    @Test(arguments: ["initialize", "start"]) func aSinkThatThrowsPreventsThePreviewAlone(_ step: String) throws {
        let engine = VideoEngine()
        let local = engine.channel()
        let (good, bad, published) = (RecordingSink(), RecordingSink(failing: step), RecordingSink())
        try local.add(good, for: .preview)
        try local.add(bad, for: .preview)
        try local.add(published, for: .publishing)
        let capture = try local.enableCustomCapture()
        try local.startPublishing()
        let error = #expect(throws: StreamError.self) { try local.startPreview() }
        #expect(error?.description == "The renderer cannot \(step).")
        #expect(capture.push(try markedFrame(1)) == .delivered)
        local.remove(bad)
        try local.startPreview()
        #expect(capture.push(try markedFrame(2)) == .delivered)
        #expect(good.marks == [2] && published.marks == [1, 2] && bad.frames.isEmpty)
        engine.dispose()
    }

    @Test func sinksComeAndGoWhileItRuns() throws {
        let engine = VideoEngine()
        let local = engine.channel()
        let capture = try local.enableCustomCapture()
        let sinks = (0..<3).map { _ in RecordingSink() }
        try local.add(sinks[0], for: .preview)
        try local.startPreview()
        capture.push(try markedFrame(1))
        try local.add(sinks[1], for: .preview)
        #expect(throws: StreamError.self) { try local.add(sinks[1], for: .publishing) }
        capture.push(try markedFrame(2))
        local.remove(sinks[0])
        capture.push(try markedFrame(3))
        try engine.setLocalVideoRenderer(sinks[2])
        capture.push(try markedFrame(4))
        try engine.setLocalVideoRenderer(nil)
        capture.push(try markedFrame(5))
        #expect(sinks.map(\.marks) == [[1, 2], [2, 3, 4, 5], [4]])
        #expect(local.statistics(of: sinks[1])?.passed == 4)
        #expect(local.statistics(of: sinks[0]) == nil)
        engine.dispose()
    }

    /// What a sink does from within its own call must not wait for that call.
    @Test func aSinkMayEndThePreview() throws {
        let engine = VideoEngine()
        let local = engine.channel()
        let errors = Journal<String>()
        let sink = RecordingSink { [weak local] _ in
            do { try local?.startPublishing() } catch { errors.add("\(error)") }
            local?.stopPreview()
        }
        try local.add(sink, for: .preview)
        let handler = CaptureJournal()
        let capture = try local.enableCustomCapture(handler: handler)
        try local.startPreview()
        capture.push(try markedFrame(1))
        handler.journal.await(2)
        #expect(handler.journal.entries == ["start the channel main", "stop the channel main"])
        #expect(capture.push(try markedFrame(2)) == .notStarted)
        #expect(errors.entries.first?.contains("another thread") == true)
        engine.dispose()
    }

    @Test func theEndIsToldBeforeDisposeReturns() throws {
        for _ in 0..<100 {
            let engine = VideoEngine()
            let handler = CaptureJournal()
            _ = try engine.channel().enableCustomCapture(handler: handler)
            try engine.startPreview()
            engine.dispose()
            #expect(handler.journal.entries == ["start the channel main", "stop the channel main"])
        }
    }

    /// The same handler for the old capture and the new one is told to stop before it is told to start.
    @Test func captureIsEnabledAnewWhileItRuns() throws {
        let engine = VideoEngine()
        let handler = CaptureJournal()
        let sink = RecordingSink()
        try engine.setLocalVideoRenderer(sink)
        let first = try engine.channel().enableCustomCapture(handler: handler)
        try engine.startPreview()
        let second = try engine.channel().enableCustomCapture(.pixelBuffer, handler: handler)
        #expect(first.push(try markedFrame(1)) == .disposed)
        #expect(second.push(try markedFrame(2)) == .delivered)
        engine.dispose()
        #expect(
            handler.journal.entries == [
                "start the channel main", "stop the channel main", "start the channel main", "stop the channel main",
            ])
        #expect(sink.marks == [2])
    }

    /// A source that reports something while it starts, to a sink that then ends the preview.
    @Test func aSinkMayEndThePreviewWhileTheSourceChanges() throws {
        let engine = VideoEngine()
        let local = engine.channel()
        let sink = EndingSink { local.stopPreview() }
        try local.add(sink, for: .preview)
        try local.startPreview()
        let source = PushSource(name: "hasty")
        try local.setVideoSource(HastySource(source))
        let isOver: Void? = sink.ended.wait(until: .now + .seconds(60)) { $0 ? () : nil }
        #expect(isOver != nil)
        engine.dispose()
        #expect(local.running.isEmpty)
    }

    @Test func disposeWithinASinkTellsTheEnd() throws {
        let engine = VideoEngine()
        let handler = CaptureJournal()
        let sink = RecordingSink { _ in engine.dispose() }
        try engine.setLocalVideoRenderer(sink)
        let capture = try engine.channel().enableCustomCapture(handler: handler)
        try engine.startPreview()
        #expect(capture.push(try markedFrame(1)) == .delivered)
        handler.journal.await(2)
        #expect(handler.journal.entries == ["start the channel main", "stop the channel main"])
        // The source is disposed of on another thread.
        #expect([.notStarted, .disposed].contains(capture.push(try markedFrame(2))))
    }

    @Test func disposeInACallbackTellsTheEnd() throws {
        final class Handler: CustomCaptureHandler {
            let engine = VideoEngine()
            let journal = Journal<String>()
            func streamDidStart(_ stream: StreamID) {
                engine.dispose()
                journal.add("disposed")
            }
            func streamDidStop(_ stream: StreamID) { journal.add("stop") }
        }
        let handler = Handler()
        _ = try handler.engine.channel().enableCustomCapture(handler: handler)
        try handler.engine.startPreview()
        handler.journal.await(2)
        #expect(handler.journal.entries == ["stop", "disposed"])
    }

    @Test func afterTheEngineNothingBegins() throws {
        let engine = VideoEngine()
        let local = engine.channel()
        engine.dispose()
        for channel in [local, engine.channel(), engine.channel(.aux)] {
            #expect(throws: StreamError.self) { try channel.startPreview() }
            #expect(throws: StreamError.self) { try channel.setVideoSource(PushSource(name: "camera")) }
            channel.stopPreview()
        }
        #expect(throws: StreamError.self) { try engine.startPlayingStream("door", from: PushSource(name: "door")) }
    }

    /// The new source's first frame follows the old one's last, whoever pushes.
    @Test func everyFrameShownBelongsToTheSourceThatIsSet() throws {
        let engine = VideoEngine()
        let mailbox = FrameMailbox()
        let late = Journal<UInt8>()
        let isDone = Monitor(false)
        let sink = RecordingSink()
        try engine.setLocalVideoRenderer(mailbox)
        try engine.channel().add(sink, for: .preview)
        let sources = [PushSource(name: "source 1"), PushSource(name: "source 2")]
        try engine.setVideoSource(sources[0])
        try engine.startPreview()
        let pushing = Monitor(sources)
        let threads = try (0..<2).map { index in
            try SystemThread(for: "the test") {
                while !isDone.withLock({ $0 }) {
                    let source = pushing.withLock { $0[index] }
                    guard let frame = try? markedFrame(UInt8(source.name.suffix(1)) ?? 0) else { return }
                    source.push(frame)
                    usleep(200)
                }
            }
        }
        for round in 0..<1000 {
            let mark = UInt8(round % 2 + 1)
            let source = PushSource(name: "source \(mark)")
            try engine.setVideoSource(source)
            pushing.withLock { $0[Int(mark) - 1] = source }
            // Now and then the old source has delivered something.
            let count = sink.frames.count
            while round % 100 == 99, sink.frames.count == count { usleep(100) }
            // What a renderer takes from now on is of the new source.
            for _ in 0..<3 {
                if let frame = mailbox.take(), let found = try? frame.pixelBuffer.withRow(0, ofPlane: 0, { $0[0] }),
                    found != mark
                {
                    late.add(found)
                }
            }
        }
        isDone.withLock { $0 = true }
        for thread in threads { thread.join() }
        engine.dispose()
        #expect(late.entries.isEmpty)
        #expect(!sink.frames.isEmpty)
    }
}
