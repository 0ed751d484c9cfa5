import Testing

@testable import MediaIO

/// What happened, in order.
final class Journal: Sendable {
    private let content = Monitor<[String]>([])

    var entries: [String] { content.withLock { $0 } }

    func add(_ entry: String) { content.withLock { $0.append(entry) } }

    func clear() { content.withLock { $0.removeAll() } }
}

/// Fails at the steps that are named, once each.
final class Failures: Sendable {
    private let steps: Monitor<Set<String>>

    init(_ steps: Set<String> = []) { self.steps = Monitor(steps) }

    func check(_ step: String) throws(StreamError) {
        if steps.withLock({ $0.remove(step) }) != nil { throw StreamError(.cannotOpen, "\(step) failed") }
    }
}

/// A source that delivers a frame on demand.
final class RecordingSource: VideoSource {
    let name = "source"
    private let journal: Journal
    private let failures: Failures
    private let consumer = Monitor<(any VideoFrameConsumer)?>(nil)

    init(_ journal: Journal, _ failures: Failures = Failures()) {
        self.journal = journal
        self.failures = failures
    }

    var holdsConsumer: Bool { consumer.withLock { $0 != nil } }

    func deliver(_ frame: VideoFrame) { consumer.withLock { $0 }?.consume(frame) }

    func tell(_ condition: SourceCondition) { consumer.withLock { $0 }?.sourceDidChange(condition) }

    func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        journal.add("source initialize")
        try failures.check("source initialize")
        self.consumer.withLock { $0 = consumer }
    }

    func start() throws(StreamError) {
        journal.add("source start")
        try failures.check("source start")
    }

    func stop() { journal.add("source stop") }

    func dispose() {
        journal.add("source dispose")
        consumer.withLock { $0 = nil }
    }
}

/// A sink that writes down what is done to it.
final class RecordingSink: VideoSink {
    private let name: String
    private let journal: Journal
    private let failures: Failures

    init(_ name: String, _ journal: Journal, _ failures: Failures = Failures()) {
        self.name = name
        self.journal = journal
        self.failures = failures
    }

    func initialize() throws(StreamError) { try step("initialize") }
    func start() throws(StreamError) { try step("start") }
    func stop() { journal.add("\(name) stop") }
    func dispose() { journal.add("\(name) dispose") }
    func consume(_ frame: VideoFrame) { journal.add("\(name) consume \(frame.presentationTime ?? .seconds(-1))") }
    func sourceDidChange(_ condition: SourceCondition) { journal.add("\(name) \(condition)") }

    private func step(_ step: String) throws(StreamError) {
        journal.add("\(name) \(step)")
        try failures.check("\(name) \(step)")
    }
}

/// A reader with frames at the given times, then an end or an error.
final class ListReader: FrameReader {
    let info: StreamInfo
    private let times: [Duration?]
    private let error: StreamError?
    private let repeats: Bool
    private let cannotRewind: StreamError?
    private let onDeinit: @Sendable () -> Void
    private let skips: Bool
    private var index = 0
    /// The number of frames that were read.
    private(set) var count = 0
    private let pool = PixelBufferPool()

    init(
        _ times: [Duration?], rate: Rational? = nil, duration: Duration? = .seconds(9), error: StreamError? = nil,
        repeats: Bool = false,
        cannotRewind: StreamError? = nil, skips: Bool = false, onDeinit: @escaping @Sendable () -> Void = {}
    ) {
        info = StreamInfo(
            container: "list", size: VideoSize(width: 2, height: 2), frameRate: rate, duration: duration)
        (self.times, self.error, self.repeats, self.onDeinit) = (times, error, repeats, onDeinit)
        (self.cannotRewind, self.skips) = (cannotRewind, skips)
    }

    deinit { onDeinit() }

    func next() throws(StreamError) -> VideoFrame? {
        if index == times.count {
            if let error { throw error }
            guard repeats else { return nil }
            index = 0
        }
        defer { (index, count) = (index + 1, count + 1) }
        let buffer = try pool.makeBuffer(format: .i420, size: info.size) { _ in }
        return VideoFrame(buffer, presentationTime: times[index])
    }

    func rewind() throws(StreamError) {
        if let cannotRewind { throw cannotRewind }
        index = 0
    }

    func skip(to time: Duration) -> Bool {
        guard skips else { return false }
        let last = times.lastIndex { $0.map { $0 <= time } ?? false }
        index = max(index, last ?? 0)
        return true
    }
}

/// A consumer that a test can wait for.
final class WaitingConsumer: VideoFrameConsumer {
    struct Content {
        var times: [Duration] = []
        var conditions: [SourceCondition] = []
        var threads: Set<UInt> = []
    }

    private let content = Monitor(Content())
    private let onFrame: @Sendable (VideoFrame) -> Void

    init(onFrame: @escaping @Sendable (VideoFrame) -> Void = { _ in }) { self.onFrame = onFrame }

    var times: [Duration] { content.withLock { $0.times } }
    var conditions: [SourceCondition] { content.withLock { $0.conditions } }

    func consume(_ frame: VideoFrame) {
        onFrame(frame)
        content.change { $0.times.append(frame.presentationTime ?? .seconds(-1)) }
    }

    func sourceDidChange(_ condition: SourceCondition) {
        content.change { $0.conditions.append(condition) }
    }

    func awaitFrames(_ count: Int) { wait(for: "\(count) frames") { $0.times.count >= count } }

    func awaitConditions(_ count: Int) { wait(for: "\(count) conditions") { $0.conditions.count >= count } }

    /// A fault fails the test instead of holding up the run.
    private func wait(for what: String, _ isThere: (Content) -> Bool) {
        let found = content.wait(until: .now + .seconds(60)) { isThere($0) ? true : nil }
        if found != true { Issue.record("\(what) have not come within a minute.") }
    }
}
