import MediaIO
import Testing

@testable import MediaEngine

/// What is told follows what happened, whichever threads did it.
@Suite(.timeLimit(.minutes(30))) struct CallbackOrderTests {
    /// Runs `body` on several threads at once, each with its number.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
        let isOpen = Monitor(false)
        let threads = try (0..<count).map { number in
            try SystemThread(for: "the test") {
                _ = isOpen.wait { $0 ? () : nil }
                body(number)
            }
        }
        isOpen.change { $0 = true }
        for thread in threads { thread.join() }
    }

    /// Whether starts and stops alternate, from a start to a stop.
    private func alternate(_ entries: [String]) -> Bool {
        entries.count.isMultiple(of: 2)
            && entries.indices.allSatisfy { entries[$0].hasPrefix($0.isMultiple(of: 2) ? "start" : "stop") }
    }

    /// Eight threads start and stop the same capture, each on its own.
    @Test func startsAndStopsOfACaptureAlternate() throws {
        for _ in 0..<20 {
            let handler = CaptureJournal()
            let callbacks = Callbacks("the test")
            let capture = CustomCapture(.local(.main), PushSource(name: "camera"), handler, callbacks) { _ in }
            try capture.initialize(consumer: RecordingSink())
            try onThreads(8) { number in
                for _ in 0..<200 {
                    if number.isMultiple(of: 2) { try? capture.start() } else { capture.stop() }
                }
            }
            capture.stop()
            callbacks.close()
            let entries = handler.journal.entries
            #expect(alternate(entries), "\(entries.count) calls")
        }
    }

    /// Requests for key frames come only between a start and a stop, whoever starts and stops.
    @Test func keyFramesAreAskedForWhileTheCaptureRuns() throws {
        for _ in 0..<20 {
            let handler = CaptureJournal()
            let callbacks = Callbacks("the test")
            let capture = CustomCapture(.local(.main), PushSource(name: "camera"), handler, callbacks) { _ in }
            try capture.initialize(consumer: RecordingSink())
            try onThreads(4) { number in
                for _ in 0..<500 {
                    switch number {
                    case 0: try? capture.start()
                    case 1: capture.stop()
                    default: capture.requestKeyFrame()
                    }
                }
            }
            capture.stop()
            callbacks.close()
            let entries = handler.journal.entries
            #expect(alternate(entries.filter { !$0.hasPrefix("key") }))
            let late = entries.indices.dropFirst().filter {
                entries[$0].hasPrefix("key") && entries[$0 - 1].hasPrefix("stop")
            }
            #expect(late.isEmpty && entries.first?.hasPrefix("key") != true)
        }
    }

    /// A sink that joins while the capture is still taking its place asks for a key frame, which is not forgotten.
    @Test func aKeyFrameIsAskedForAfterTheStart() throws {
        let handler = CaptureJournal()
        let callbacks = Callbacks("the test")
        let capture = CustomCapture(.local(.main), PushSource(name: "camera"), handler, callbacks) { _ in }
        try capture.initialize(consumer: RecordingSink())
        capture.requestKeyFrame()
        try capture.replacing { () throws(StreamError) in
            try capture.start()
            capture.requestKeyFrame()
        }
        capture.stop()
        capture.requestKeyFrame()
        callbacks.close()
        #expect(
            handler.journal.entries == [
                "start the channel main", "key frame of the channel main", "stop the channel main",
            ])
    }

    /// Previews start and end while the capture is enabled anew, with the same handler.
    @Test func startsAndStopsOfAChannelAlternate() throws {
        for _ in 0..<20 {
            let engine = VideoEngine()
            let handler = CaptureJournal()
            let local = engine.channel()
            try onThreads(6) { number in
                for _ in 0..<100 {
                    switch number % 3 {
                    case 0: try? local.startPreview()
                    case 1: local.stopPreview()
                    default: _ = try? local.enableCustomCapture(handler: handler)
                    }
                }
            }
            engine.dispose()
            let entries = handler.journal.entries
            #expect(alternate(entries), "\(entries.count) calls")
        }
    }

    /// The last state that is told is the one that the device has.
    @Test func theLastDeviceStateIsToldLast() throws {
        for _ in 0..<100 {
            let events = Journal<DeviceState>()
            let engine = VideoEngine { event in
                if case .device(_, let state) = event { events.add(state) }
            }
            let sink = RecordingSink()
            try engine.setLocalVideoRenderer(sink)
            let capture = try engine.channel().enableCustomCapture()
            try engine.startPreview()
            try onThreads(4) { number in
                for round in 0..<50 {
                    capture.deviceState = DeviceState.allCases[(number + round) % DeviceState.allCases.count]
                }
            }
            let last = capture.deviceState
            engine.dispose()
            #expect(events.entries.count == 200 && events.entries.last == last)
            #expect(sink.conditions.last == last.condition)
        }
    }

    /// A sink that sets the state from within a frame is told of it after that call.
    @Test func aSinkMaySetTheDeviceState() throws {
        final class Sink: VideoSink {
            let capture = Monitor<CustomCapture?>(nil)
            let told = Journal<SourceCondition>()
            func consume(_ frame: VideoFrame) { capture.withLock { $0 }?.deviceState = .muted }
            func sourceDidChange(_ condition: SourceCondition) { told.add(condition) }
        }
        let engine = VideoEngine()
        let sink = Sink()
        try engine.setLocalVideoRenderer(sink)
        let capture = try engine.channel().enableCustomCapture()
        sink.capture.withLock { $0 = capture }
        try engine.startPreview()
        capture.push(try markedFrame(1))
        sink.told.await(1)
        #expect(sink.told.entries == [DeviceState.muted.condition])
        sink.capture.withLock { $0 = nil }
        engine.dispose()
    }

    /// Renderers are replaced by several threads: the last one alone gets frames, and all others have ended.
    @Test func oneRendererIsLeft() throws {
        for _ in 0..<50 {
            let engine = VideoEngine()
            let door = PushSource(name: "door")
            let stream = try engine.startPlayingStream("door", from: door)
            let sinks = (0..<40).map { _ in RecordingSink() }
            try onThreads(4) { number in
                for index in 0..<10 { try? stream.setVideoRenderer(sinks[number * 10 + index]) }
            }
            #expect(door.push(try markedFrame(1)) == .delivered)
            #expect(sinks.count { $0.marks == [1] } == 1)
            #expect(sinks.count { $0.steps.last == "dispose" } == 39)
            engine.dispose()
        }
    }

    /// A sink is added and removed by several threads: when it was removed last, it gets nothing.
    @Test func aSinkThatIsRemovedIsGone() throws {
        for _ in 0..<50 {
            let engine = VideoEngine()
            let door = PushSource(name: "door")
            let stream = try engine.startPlayingStream("door", from: door)
            let sink = RecordingSink()
            try onThreads(4) { number in
                for _ in 0..<20 {
                    if number.isMultiple(of: 2) { try? stream.add(sink) } else { stream.remove(sink) }
                }
            }
            stream.remove(sink)
            #expect(door.push(try markedFrame(1)) == .delivered)
            #expect(sink.frames.isEmpty && stream.statistics(of: sink) == nil)
            let steps = sink.steps
            #expect(steps.count.isMultiple(of: 4))
            #expect(steps.indices.allSatisfy { steps[$0] == ["initialize", "start", "stop", "dispose"][$0 % 4] })
            engine.dispose()
        }
    }

    /// A sink removes itself from within its own call, and another thread adds it again at once: its lives do not overlap.
    @Test func aSinkThatRemovesItselfMayBeAddedAgain() throws {
        for _ in 0..<50 {
            let engine = VideoEngine()
            let door = PushSource(name: "door")
            let stream = try engine.startPlayingStream("door", from: door)
            let own = Monitor<RecordingSink?>(nil)
            let isCalled = Monitor(false)
            let sink = RecordingSink { _ in
                isCalled.change { $0 = true }
                if let sink = own.withLock({ $0 }) { stream.remove(sink) }
            }
            own.withLock { $0 = sink }
            try stream.add(sink)
            let adding = try SystemThread(for: "the test") {
                _ = isCalled.wait { $0 ? () : nil }
                // Refused until it is removed.
                while (try? stream.add(sink)) == nil {}
            }
            #expect(door.push(try markedFrame(1)) == .delivered)
            adding.join()
            #expect(sink.steps == ["initialize", "start", "stop", "dispose", "initialize", "start"])
            own.withLock { $0 = nil }
            engine.dispose()
        }
    }

    /// A sink ends the preview from within its own call, and another thread begins it again: the preview runs.
    @Test func aPreviewThatBeginsAgainRuns() throws {
        for _ in 0..<50 {
            let engine = VideoEngine()
            let local = engine.channel()
            let camera = PushSource(name: "camera")
            try local.setVideoSource(camera)
            let (isAdding, isEnded) = (Monitor(false), Monitor(false))
            let sink = RecordingSink { _ in
                _ = isAdding.wait { $0 ? () : nil }
                local.stopPreview()
                isEnded.change { $0 = true }
            }
            try local.add(sink, for: .preview)
            try local.startPreview()
            // It takes its step until the end is asked for, and then takes the next one before the end has a turn.
            let slow = WaitingSink {
                isAdding.change { $0 = true }
                _ = isEnded.wait { $0 ? () : nil }
            }
            let starting = try SystemThread(for: "the test") {
                try? local.add(slow, for: .preview)
                try? local.startPreview()
            }
            #expect(camera.push(try markedFrame(1)) == .delivered)
            starting.join()
            #expect(local.running == [.preview])
            #expect(sink.steps == ["initialize", "start", "stop", "dispose", "initialize", "start"])
            engine.dispose()
        }
    }
}

/// A sink that waits when it is initialized for the first time.
private final class WaitingSink: VideoSink {
    private let wait: Monitor<(@Sendable () -> Void)?>

    init(_ wait: @escaping @Sendable () -> Void) { self.wait = Monitor(wait) }

    func initialize() throws(StreamError) {
        let wait = wait.withLock { wait in
            defer { wait = nil }
            return wait
        }
        wait?()
    }

    func consume(_ frame: VideoFrame) {}
}
