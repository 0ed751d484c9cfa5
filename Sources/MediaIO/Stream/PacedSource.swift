/// A source that plays a ``FrameReader`` with stored media on its own thread, each frame at its presentation time.
///
/// The reader is made, used and released on that thread. If decoding is too slow, the clock is delayed once frames are
/// late by more than ``maximumLateness``: the file plays more slowly, and the lag does not grow. Times that are missing
/// or do not increase are derived from ``StreamInfo/frameRate``. The source does not wait where times jump by more than
/// ten seconds.
///
/// After the last frame the consumer gets ``SourceCondition/ended``. Stopped and started again, the source then
/// plays from the first frame if the reader can rewind, or else reports the end again.
public final class PacedSource: RewindableSource {
    /// The default of ``maximumLateness``, enough for a short delay of a disk.
    public static let defaultLateness = Duration.milliseconds(500)

    /// The name to display.
    public var name: String { life.name }
    /// ``VideoCaptureType/file``.
    public var captureType: VideoCaptureType { .file }
    /// How late a frame may be before the clock is delayed.
    public let maximumLateness: Duration
    /// Which clock says what is shown.
    public let timeline: PlaybackTimeline

    private let open: @Sendable () throws -> any FrameReader
    private let life: SourceLife
    private let past = Monitor(PacedPast())

    /// Creates a source; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - name: the name to display.
    ///   - maximumLateness: how late a frame may be before the clock is delayed.
    ///   - timeline: which clock says what is shown.
    ///   - cancellation: the reader's, so that ``dispose()`` need not wait for a network or a pipe; `nil` for
    ///     readers that never wait long.
    ///   - open: makes the reader; called on the capture thread when the source is initialized.
    public init(
        name: String, maximumLateness: Duration = defaultLateness, timeline: PlaybackTimeline = .own,
        cancellation: ReadCancellation? = nil, open: @escaping @Sendable () throws -> any FrameReader
    ) {
        (self.maximumLateness, self.timeline) = (maximumLateness, timeline)
        self.open = open
        life = SourceLife(name: name, cancellation: cancellation)
    }

    /// Starts the thread and opens the reader there.
    ///
    /// - Throws: what `open` throws, where an error of another type becomes a ``StreamError/Code/cannotOpen``, or
    ///   ``StreamError/Code/wrongOrder``.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        let (gate, maximumLateness, timeline, past) = (life.gate, maximumLateness, timeline, past)
        try life.initialize(consumer, open: open) { reader in
            _ = PacedPlayer(reader, gate, maximumLateness: maximumLateness, timeline: timeline, past: past).play()
        }
    }

    /// Resumes where it was stopped, or after the end from the first frame.
    ///
    /// - Throws: ``StreamError/Code/wrongOrder``.
    public func start() throws(StreamError) { try life.start() }

    /// Stops playing.
    ///
    /// When it returns, no call to the consumer is running and none will come. The consumer itself may call this: then
    /// its own call is the last.
    public func stop() { life.stop() }

    /// Delivers no more than is wanted, and adapts the reader.
    ///
    /// While no sink is visible, nothing is delivered and the stream's time continues: a reader that can skip pauses,
    /// any other is read and its frames discarded. When a sink becomes visible again, the frame of that moment is
    /// delivered immediately.
    public func adapt(to wants: VideoSinkWants) { life.adapt(to: wants) }

    /// From when the first frame was due until now; `nil` before it, after the end, and if the reader only goes forward.
    public var moments: ClosedRange<MonotonicTime>? {
        past.withLock { $0.begin }.map { begin in begin...max(begin, .now) }
    }

    /// When the frame that is shown was due; `nil` while the present is shown.
    public var shownMoment: MonotonicTime? { past.withLock { $0.shown } }

    /// Plays from the frame that was due at another moment, or from the one that is due now.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` if there are no ``moments``.
    public func show(_ playhead: Playhead?) throws(StreamError) {
        guard playhead == nil || moments != nil else {
            throw StreamError(.unsupported, "\(name) has nothing of the past: it has ended, or cannot be read again.")
        }
        life.gate.setTarget { $0.playhead = playhead }
    }

    /// A moment at which the frame after or before another one was due, by the frame rate.
    public func moment(ofPicture step: PictureStep, from moment: MonotonicTime) -> MonotonicTime? {
        let past = past.withLock(\.self)
        guard let begin = past.begin else { return nil }
        // In the middle of a frame: the times of frames are rounded.
        let shown = past.shown ?? moment
        let found = step == .next ? shown + past.frameDuration * 1.5 : shown - past.frameDuration * 0.5
        return found < begin ? nil : found
    }

    /// Ends the thread, and with it the reader.
    public func dispose() { life.dispose() }
}
