import MediaIO
import TestSupport
import Testing

@testable import MediaEngine

/// Small frames whose first sample says where they come from.
func markedFrame(_ mark: UInt8, _ format: PixelFormat = .i420, size: VideoSize = VideoSize(width: 4, height: 2)) throws
    -> VideoFrame
{
    let bytes = [UInt8](repeating: mark, count: format.packedByteCount(size))
    return VideoFrame(try PixelBuffer(packed: bytes, format: format, size: size))
}

/// A sink that writes down what it gets.
final class RecordingSink: VideoSink {
    struct Content {
        var frames: [VideoFrame] = []
        var steps: [String] = []
        var conditions: [SourceCondition] = []
    }

    let bufferKind: BufferKind?
    let pixelFormats: [PixelFormat]
    private let content = Monitor(Content())
    private let failing: String?
    private let onFrame: @Sendable (VideoFrame) -> Void

    init(
        _ bufferKind: BufferKind? = nil, _ pixelFormats: [PixelFormat] = [], failing: String? = nil,
        onFrame: @escaping @Sendable (VideoFrame) -> Void = { _ in }
    ) {
        (self.bufferKind, self.pixelFormats, self.failing, self.onFrame) = (bufferKind, pixelFormats, failing, onFrame)
    }

    var frames: [VideoFrame] { content.withLock { $0.frames } }
    var steps: [String] { content.withLock { $0.steps } }
    var conditions: [SourceCondition] { content.withLock { $0.conditions } }
    var marks: [UInt8] { frames.map { (try? $0.pixelBuffer.withRow(0, ofPlane: 0) { $0[0] }) ?? 255 } }

    func initialize() throws(StreamError) { try step("initialize") }
    func start() throws(StreamError) { try step("start") }
    func stop() { content.withLock { $0.steps.append("stop") } }
    func dispose() { content.withLock { $0.steps.append("dispose") } }

    func consume(_ frame: VideoFrame) {
        content.withLock { $0.frames.append(frame) }
        onFrame(frame)
    }

    func sourceDidChange(_ condition: SourceCondition) { content.withLock { $0.conditions.append(condition) } }

    private func step(_ step: String) throws(StreamError) {
        if step == failing { throw StreamError(.cannotOpen, "The renderer cannot \(step).") }
        content.withLock { $0.steps.append(step) }
    }
}

/// A list that several threads append to and a test waits for.
final class Journal<Entry: Sendable & Equatable>: Sendable {
    private let content = Monitor<[Entry]>([])

    var entries: [Entry] { content.withLock { $0 } }

    func add(_ entry: Entry) { content.change { $0.append(entry) } }

    /// Waits until there are as many.
    func await(_ count: Int) {
        let isThere: Void? = content.wait(until: .now + .seconds(60)) { $0.count >= count ? () : nil }
        if isThere == nil { Issue.record("Only \(entries) came within a minute, not \(count).") }
    }
}

/// Writes down when frames are needed.
final class CaptureJournal: CustomCaptureHandler {
    let journal = Journal<String>()

    func streamDidStart(_ stream: StreamID) { journal.add("start \(stream)") }
    func streamDidStop(_ stream: StreamID) { journal.add("stop \(stream)") }
    func streamNeedsKeyFrame(_ stream: StreamID) { journal.add("key frame of \(stream)") }
}

/// A source that cannot be opened.
final class BrokenSource: VideoSource {
    let name = "broken"

    func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        throw StreamError(.cannotOpen, "There is no camera.")
    }
    func start() throws(StreamError) {}
    func stop() {}
    func dispose() {}
}

/// A sink that ends something when the source says that it waits.
final class EndingSink: VideoSink {
    let ended = Monitor(false)
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    func consume(_ frame: VideoFrame) {}
    func stop() { ended.change { $0 = true } }

    func sourceDidChange(_ condition: SourceCondition) {
        if case .waiting = condition { end() }
    }
}

/// A source that calls its consumer while it starts.
final class HastySource: VideoSource {
    private let source: PushSource
    var name: String { source.name }

    init(_ source: PushSource) { self.source = source }

    func initialize(consumer: any VideoFrameConsumer) throws(StreamError) { try source.initialize(consumer: consumer) }

    func start() throws(StreamError) {
        try source.start()
        source.report(.waiting("it warms up"))
    }

    func stop() { source.stop() }
    func dispose() { source.dispose() }
}
