/// A source that plays a ``FrameReader`` on a thread of its own, each frame at its presentation time.
///
/// The reader is made, used and let go on that thread alone. When frames are made or decoded more slowly than they are
/// due, the clock is moved on after ``patience``: the file plays slower, and what is shown never lags behind.
public final class ReaderSource: VideoSource {
    /// How late a frame may be before the clock follows it.
    public static let patience = Duration.milliseconds(500)

    private enum Command { case idle, run, quit }
    private enum Opening {
        case pending
        case done
        case failed(StreamError)
    }
    private struct Control {
        var command = Command.idle
        var opening = Opening.pending
        var isDelivering = false
    }

    /// What people call it.
    public let name: String
    private let open: @Sendable () throws(StreamError) -> any FrameReader
    private let cancellation: ReadCancellation?
    private let control = Monitor(Control())
    private let life = Monitor(Life())

    private struct Life {
        var lifecycle = StreamLifecycle()
        var thread: SystemThread?
    }

    /// Creates a source; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - name: what people call it.
    ///   - cancellation: what the reader was given too, so that ``dispose()`` need not wait for a network or a pipe; `nil`
    ///     for readers that never wait long.
    ///   - open: makes the reader; called on the capture thread when the source is initialized.
    public init(
        name: String, cancellation: ReadCancellation? = nil,
        open: @escaping @Sendable () throws(StreamError) -> any FrameReader
    ) {
        self.name = name
        self.cancellation = cancellation
        self.open = open
    }

    deinit {
        // A source that is let go while it runs must not leave a thread behind.
        dispose()
    }

    /// Starts the thread and opens the reader there.
    ///
    /// - Throws: what opening throws, or ``StreamError/Code/wrongOrder``.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        try take(.initialize) { (thread) throws(StreamError) in
            control.change { $0 = Control() }
            let (control, open) = (control, open)
            let opening = try SystemThread(for: name) { Self.capture(open, consumer, control) }
            let failure = control.wait { control -> StreamError?? in
                switch control.opening {
                case .pending: nil
                case .done: .some(nil)
                case .failed(let error): error
                }
            }
            if case .some(.some(let error)) = failure {
                opening.join()
                throw error
            }
            thread = opening
        }
    }

    /// Plays from where it was stopped.
    ///
    /// - Throws: ``StreamError/Code/wrongOrder``.
    public func start() throws(StreamError) {
        try take(.start) { _ in control.change { $0.command = .run } }
    }

    /// Stops playing.
    ///
    /// When it returns, no call to the consumer is running and none will come. The consumer itself may call this: then
    /// its own call is the last.
    public func stop() {
        // Stopping is never illegal and its work does not throw, so there is no error to pass on.
        try? take(.stop) { _ in control.change { $0.command = .idle } }
        awaitConsumer()
    }

    /// Ends the thread, and with it the reader.
    public func dispose() {
        cancellation?.cancel()
        let thread = life.withLock { life in
            try? step(.stop, &life) { _ in }
            try? step(.dispose, &life) { _ in control.change { $0.command = .quit } }
            defer { life.thread = nil }
            return life.thread
        }
        // The consumer may hold the last reference to its source; a thread cannot wait for its own end.
        if thread?.isCurrent == true { thread?.detach() } else { thread?.join() }
    }

    /// Waits until the consumer has returned; without the lock, because the consumer may want it.
    private func awaitConsumer() {
        guard life.withLock({ $0.thread.map { !$0.isCurrent } ?? false }) else { return }
        _ = control.wait { $0.isDelivering ? nil : () }
    }

    private func take(
        _ step: StreamLifecycle.Step, _ work: (inout SystemThread?) throws(StreamError) -> Void
    ) throws(StreamError) {
        try life.withLock { (life) throws(StreamError) in try self.step(step, &life, work) }
    }

    private func step(
        _ step: StreamLifecycle.Step, _ life: inout Life, _ work: (inout SystemThread?) throws(StreamError) -> Void
    ) throws(StreamError) {
        var lifecycle = life.lifecycle
        try lifecycle.take(step, of: name) { () throws(StreamError) in try work(&life.thread) }
        life.lifecycle = lifecycle
    }

    private static func capture(
        _ open: () throws(StreamError) -> any FrameReader, _ consumer: any VideoFrameConsumer,
        _ control: Monitor<Control>
    ) {
        let reader: any FrameReader
        do throws(StreamError) {
            reader = try open()
        } catch {
            control.change { $0.opening = .failed(error) }
            return
        }
        control.change { $0.opening = .done }
        play(reader, consumer, control)
    }

    /// Reads ahead by one frame, waits for its time, hands it over.
    private static func play(
        _ reader: any FrameReader, _ consumer: any VideoFrameConsumer, _ control: Monitor<Control>
    ) {
        var pending: (frame: VideoFrame, time: Duration)?
        var times = FrameTimes(frameRate: reader.info.frameRate)
        while awaitRun(control) {
            // When the clock read this, the stream began.
            var origin: MonotonicTime?
            while control.withLock({ $0.command == .run }) {
                if pending == nil {
                    do throws(StreamError) {
                        pending = try reader.next().map { ($0, times.time(of: $0)) }
                    } catch {
                        report(.failed(error.description), consumer, control)
                        return awaitQuit(control)
                    }
                }
                guard let (frame, time) = pending else {
                    report(.ended, consumer, control)
                    return awaitQuit(control)
                }
                let now = MonotonicTime.now
                let start = origin ?? now - time
                let due = start + time
                origin = now - due > patience ? now - time : start
                if deliver(at: due, control, { consumer.consume(frame) }) { pending = nil }
            }
        }
    }

    /// Waits for the word to run; false when it is to end.
    private static func awaitRun(_ control: Monitor<Control>) -> Bool {
        control.wait { $0.command == .idle ? nil : $0.command == .run } ?? false
    }

    private static func awaitQuit(_ control: Monitor<Control>) {
        _ = control.wait { $0.command == .quit ? () : nil }
    }

    /// Calls the consumer at a time, unless told to stop before: then it returns false, and the consumer is left alone.
    private static func deliver(at time: MonotonicTime, _ control: Monitor<Control>, _ call: () -> Void) -> Bool {
        // The word to stop, the time and the beginning of the call are looked at under one lock: there is no moment
        // between them in which `stop()` could return.
        let mayDeliver = control.wait(until: time) { control -> Bool? in
            guard control.command == .run else { return false }
            guard MonotonicTime.now >= time else { return nil }
            control.isDelivering = true
            return true
        }
        guard mayDeliver == true else { return false }
        call()
        control.change { $0.isDelivering = false }
        return true
    }

    private static func report(
        _ condition: SourceCondition, _ consumer: any VideoFrameConsumer, _ control: Monitor<Control>
    ) {
        while !deliver(at: .now, control, { consumer.sourceDidChange(condition) }) {
            guard awaitRun(control) else { return }
        }
    }
}
