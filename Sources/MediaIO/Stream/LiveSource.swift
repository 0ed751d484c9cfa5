/// A source that delivers the frames of a ``FrameReader`` on arrival, and reconnects when the connection is lost.
///
/// * Frames are read as fast as they arrive and not held until their times: after a stall, or with frames buffered
///   during probing, the source catches up with the newest frame, so that latency never accumulates.
/// * ``initialize(consumer:)`` neither waits for the reader nor fails because of it. While it cannot be opened, after
///   its end and after a failure the consumer is told ``SourceCondition/waiting(_:)`` with the reason, and the source
///   retries after the waits of a ``RetrySchedule``. Only a permanent error, ``StreamError/Code/unsupported``, ends it
///   with ``SourceCondition/failed(_:)``.
/// * While stopped, it reads and discards frames: started again, it shows the present.
/// * If the opened stream is stored media (``StreamInfo/isLive`` is false), it plays as from a ``PacedSource``.
///
/// The reader is made, used and released on the source's own thread.
public final class LiveSource: VideoSource {
    /// The name to display.
    public var name: String { life.name }

    private let open: @Sendable () throws(StreamError) -> any FrameReader
    private let schedule: RetrySchedule
    private let clock: RetryClock
    private let life: SourceLife

    /// Creates a source; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - name: the name to display.
    ///   - retries: the waits before each retry.
    ///   - cancellation: that of the reader, so that ``dispose()`` need not wait for a network; `nil` for readers that
    ///     never wait long.
    ///   - open: makes a reader for each try; called on the capture thread.
    public convenience init(
        name: String, retries: RetrySchedule = RetrySchedule(), cancellation: ReadCancellation? = nil,
        open: @escaping @Sendable () throws(StreamError) -> any FrameReader
    ) {
        self.init(name: name, retries: retries, cancellation: cancellation, clock: RetryClock(), open: open)
    }

    init(
        name: String, retries: RetrySchedule, cancellation: ReadCancellation?, clock: RetryClock,
        open: @escaping @Sendable () throws(StreamError) -> any FrameReader
    ) {
        (self.open, self.clock, schedule) = (open, clock, retries)
        life = SourceLife(name: name, cancellation: cancellation)
    }

    /// Starts the thread that opens the reader; does not wait for it.
    ///
    /// - Throws: ``StreamError/Code/wrongOrder``, or ``StreamError/Code/cannotOpen`` if no thread can be started.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        let (open, schedule, clock, gate) = (open, schedule, clock, life.gate)
        try life.initialize(open: { () throws(StreamError) in }) {
            LivePlayer(open, schedule, clock, consumer, gate).play()
        }
    }

    /// Delivers frames from now on; while waiting for the next try, tries immediately.
    ///
    /// - Throws: ``StreamError/Code/wrongOrder``.
    public func start() throws(StreamError) { try life.start() }

    /// Discards frames from now on.
    ///
    /// When it returns, no call to the consumer is running and none will come. The consumer itself may call this: then
    /// its own call is the last.
    public func stop() { life.stop() }

    /// Ends the thread, and with it the reader.
    public func dispose() { life.dispose() }
}

/// The clock for retries, which tests replace.
struct RetryClock: Sendable {
    var now: @Sendable () -> MonotonicTime = { .now }
    /// Waits for a duration, or until the gate has ended or was opened after the opening with this number.
    var wait: @Sendable (DeliveryGate, Duration, _ opening: Int) -> Void = { $0.wait(for: $1, orOpeningAfter: $2) }
}
