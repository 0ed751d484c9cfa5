import FFmpegMedia
import Logging
import MediaIO

/// What is recorded of a wall.
///
/// **Thread:** main.
final class Recordings {
    /// The recording of a stream.
    private struct Entry {
        let stream: ViewerStream
        let recorder: PacketRecorder
        var settings: RecordingSettings { recorder.settings }
        /// The packets that it had no time for, and until when that is told.
        var lost = 0
        var isSlowUntil: ContinuousClock.Instant?

        var packets: PacketOutlet? { (stream.source as? any PacketSource)?.packets }
    }

    /// How often the recordings are looked at.
    private static let interval = Duration.milliseconds(500)

    /// What somebody at the wall wants, instead of what its document says.
    private var choices: [WallInput.ID: Bool] = [:]
    private var entries: [Entry] = []
    /// Those whose last file may not be complete.
    private var ending: [PacketRecorder] = []
    /// The streams that cannot be recorded, as was said.
    private var refused: Set<ObjectIdentifier> = []
    private let indexer = RecordingIndexer()
    /// Whether a recording has another condition.
    private let hasNews = Monitor(false)
    /// When to look at the recordings again; `nil` if nothing is to be recorded.
    private(set) var due: ContinuousClock.Instant?
    private let logger: Logger
    private let wake: @Sendable () -> Void

    /// Records nothing yet.
    ///
    /// - Parameters:
    ///   - logger: where files, pauses and failures are logged.
    ///   - wake: called when a recording has another condition.
    init(_ logger: Logger, wake: @escaping @Sendable () -> Void) { (self.logger, self.wake) = (logger, wake) }

    /// Whether an input is to be recorded.
    func isWanted(_ input: WallInput, _ plan: RecordingPlan) -> Bool {
        choices[input.id] ?? input.settings[.record].map { $0 == "yes" } ?? plan.isOfAll
    }

    /// Has an input recorded or not, whatever the document says.
    func choose(_ isOn: Bool, _ input: WallInput.ID) {
        choices[input] = isOn
        due = nil
    }

    /// Whether it is time to look at the recordings, which is then noted.
    func isDue(_ now: ContinuousClock.Instant) -> Bool {
        let hasNews = hasNews.withLock { hasNews in
            defer { hasNews = false }
            return hasNews
        }
        guard hasNews || due.map({ now >= $0 }) ?? true else { return false }
        due = now + Self.interval
        return true
    }

    /// Whether there is anything that ``update(_:)`` may have to end.
    var isIdle: Bool { entries.isEmpty && choices.isEmpty }

    /// Whether a stream has packets that can be recorded.
    static func canRecord(_ stream: ViewerStream) -> Bool { stream.source is any PacketSource }

    /// Begins and ends recordings, so that they are those of these streams.
    ///
    /// - Parameters:
    ///   - wanted: the streams, the names of their files, and how each is recorded.
    ///   - before: how long before a new recording goes back.
    /// - Returns: whether one has begun.
    @discardableResult
    func update(
        _ wanted: [(stream: ViewerStream, name: String, settings: RecordingSettings)], before: Duration = .zero
    ) -> Bool {
        var continued: [ViewerStream] = []
        for index in entries.indices.reversed() {
            let entry = entries[index]
            let wish = wanted.first { $0.stream === entry.stream }
            if let wish, wish.settings.hasSound == entry.settings.hasSound {
                // Those of the file that it is writing end with it, at the next key frame: nothing is lost.
                if wish.settings != entry.settings { entry.recorder.settings = wish.settings }
                continue
            }
            entries.remove(at: index)
            continued.append(entry.stream)
            end(entry)
        }
        for index in entries.indices { noteLoss(&entries[index]) }
        let count = entries.count
        for wish in wanted where !entries.contains(where: { $0.stream === wish.stream }) {
            // What is recorded in another way from now on is not recorded twice.
            begin(wish, before: continued.contains { $0 === wish.stream } ? .zero : before)
        }
        ending.removeAll { $0.condition == .ended }
        return entries.count > count
    }

    /// How the recording of a stream is; `nil` if it is not recorded.
    func condition(of stream: ViewerStream) -> (condition: RecorderCondition, counts: RecorderCounts)? {
        guard let entry = entries.first(where: { $0.stream === stream }) else { return nil }
        let isSlow = entry.isSlowUntil.map { $0 > .now } ?? false
        return (isSlow ? .paused("The disk is too slow.") : entry.recorder.condition, entry.recorder.counts)
    }

    /// Tells of packets that wait for the disk for too long.
    private func noteLoss(_ entry: inout Entry) {
        let lost = entry.packets?.lostCount(of: entry.recorder) ?? 0
        guard lost > entry.lost else { return }
        if entry.isSlowUntil.map({ $0 < .now }) ?? true {
            logger.error(
                "\(entry.recorder.name) is not recorded for now: the disk of \(entry.settings.folder) is too slow.")
        }
        (entry.lost, entry.isSlowUntil) = (lost, .now + .seconds(5))
    }

    /// Ends all, and waits until the files are complete.
    ///
    /// - Parameter deadline: how long at most.
    /// - Returns: whether they are; those that are not can be played all the same.
    func end(until deadline: MonotonicTime) -> Bool {
        update([])
        let isComplete = ending.allSatisfy { $0.waitForEnd(until: deadline) }
        return indexer.wait(until: deadline) && isComplete
    }

    private func begin(
        _ wish: (stream: ViewerStream, name: String, settings: RecordingSettings), before: Duration
    ) {
        guard let source = wish.stream.source as? any PacketSource else {
            guard refused.insert(ObjectIdentifier(wish.stream)).inserted else { return }
            return logger.notice(
                "\(wish.name) is not recorded: files, test patterns, GStreamer, PipeWire and the screen are not.")
        }
        let recorder = PacketRecorder(wish.settings, name: wish.name, indexer: indexer) {
            [logger, hasNews, wake] condition in
            switch condition {
            case .recording(let path, let omission):
                logger.info("\(wish.name) is recorded: \(path)")
                if let omission { logger.warning("\(wish.name) is recorded without its sound: \(omission)") }
            case .paused(let reason): logger.error("\(wish.name) is not recorded for now: \(reason)")
            case .failed(let reason): logger.error("\(wish.name) is not recorded: \(reason)")
            case .waiting, .ended: break
            }
            hasNews.withLock { $0 = true }
            wake()
        }
        do throws(StreamError) {
            try source.packets.attach(recorder, before: before)
            entries.append(Entry(stream: wish.stream, recorder: recorder))
        } catch {
            // It is being closed.
            logger.info("\(error.description)")
        }
    }

    private func end(_ entry: Entry) {
        entry.packets?.detach(entry.recorder)
        ending.append(entry.recorder)
    }
}
