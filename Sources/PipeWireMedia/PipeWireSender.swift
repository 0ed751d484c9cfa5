public import MediaIO

/// Shows pictures to the programs of a desktop, as a camera of PipeWire: meetings, browsers and recorders.
///
///     let sender = try PipeWireSender(as: "wall", size: size, frameRate: 25)
///     while isRunning {
///         try renderer.render(wall, into: target)
///         try sender.send(try target.readI420(colorSpace: sender.colorSpace, pool: pool))
///     }
///
/// Programs get I420, as many of them as look, each when it likes; while nobody does, pictures are neither copied nor counted.
/// Where PipeWire does not run, or has ended, it is tried again after 1, 2, 4, 8, 10, 10 … seconds. So is a camera whose
/// memory programs have kept, as those that were killed do: all that look have to open it again. PipeWire is the work of a
/// thread of its own, so that nothing in it delays the one that sends.
///
/// **Thread:** any. **Cost:** every frame; copies the picture once, on the other thread, and in steady state allocates nothing.
public final class PipeWireSender: PictureSender, Sendable {
    /// The colour space that pictures must have: BT.709 in limited range.
    public let colorSpace = ColorSpace(matrix: .bt709, range: .limited, primaries: .bt709, transfer: .bt709)
    /// The name of the camera.
    public let name: String

    private struct Shared {
        /// What was not handed over yet.
        var picture: (image: PixelBuffer, number: Int64)?
        var nextNumber: Int64 = 0
        var condition = SenderCondition.connecting
        var counts = SenderCounts()
        /// Whether there is a camera at which nobody looks.
        var isUnwatched = false
        var hasEnded = false
    }

    /// What its thread needs to know.
    private struct Work {
        let name: String
        let size: VideoSize
        let frameRate: Rational
        let socket: String?
        let onChange: @Sendable (SenderCondition) -> Void
        let shared = Monitor(Shared())
        let cancellation = ReadCancellation()
        let wake: WakePipe
    }

    private let work: Work
    private let thread: SystemThread

    /// Makes a camera, in the background.
    ///
    /// - Parameters:
    ///   - name: its name, for people and programs.
    ///   - size: the size of the pictures, each side 1…``PixelBuffer/maximumSide``.
    ///   - frameRate: the pictures per second.
    ///   - retries: the waits after a failure.
    ///   - onChange: called when the condition changes, on the thread that sends.
    /// - Throws: ``StreamError/Code/sizeOutOfRange``; ``StreamError/Code/cannotOpen`` if no thread can be started, or too many files are open.
    public convenience init(
        as name: String, size: VideoSize, frameRate: Rational, retries: RetrySchedule = RetrySchedule(),
        onChange: @escaping @Sendable (SenderCondition) -> Void = { _ in }
    ) throws(StreamError) {
        try self.init(as: name, size: size, frameRate: frameRate, retries: retries, socket: nil, onChange: onChange)
    }

    /// Makes a camera in the PipeWire of a socket.
    init(
        as name: String, size: VideoSize, frameRate: Rational, retries: RetrySchedule, socket: String?,
        onChange: @escaping @Sendable (SenderCondition) -> Void = { _ in }
    ) throws(StreamError) {
        try PixelBuffer.validate(size)
        let work = Work(
            name: name, size: size, frameRate: frameRate, socket: socket, onChange: onChange, wake: try WakePipe())
        (self.name, self.work) = (name, work)
        thread = try SystemThread(for: "pipewire:\(name)") { Self.run(work, retries) }
    }

    deinit { end() }

    /// How the camera is.
    public var condition: SenderCondition { work.shared.withLock { $0.condition } }

    /// How many pictures those who looked were given, and how many they were too slow for.
    public var counts: SenderCounts { work.shared.withLock { $0.counts } }

    /// Hands a picture over; does not wait.
    ///
    /// - Parameters:
    ///   - picture: a picture in I420, of the size that the sender was made with.
    ///   - number: its number at the frame rate, from 0 and greater than that of the picture before it; `nil` for one
    ///     more.
    /// - Throws: ``StreamError/Code/unsupported`` for another format or size.
    public func send(_ picture: PixelBuffer, at number: Int64? = nil) throws(StreamError) {
        guard picture.format == .i420, picture.size == work.size else {
            throw StreamError(
                .unsupported,
                "pipewire:\(name) takes pictures in i420 of \(work.size), not \(picture.format) of \(picture.size).")
        }
        work.shared.withLock { shared in
            if shared.picture != nil, !shared.isUnwatched { shared.counts.omitted += 1 }
            let number = number ?? shared.nextNumber
            shared.picture = (picture, number)
            shared.nextNumber = number + 1
        }
        work.wake.wake()
    }

    package func finish() { end() }

    /// Takes the camera from the desktop; nothing may be sent afterwards.
    public func end() {
        guard
            work.shared.change({ shared in
                defer { shared.hasEnded = true }
                return !shared.hasEnded
            })
        else { return }
        work.cancellation.cancel()
        work.wake.wake()
        thread.finish()
    }

    // MARK: Its thread

    private static func run(_ work: Work, _ schedule: RetrySchedule) {
        var retries = SenderRetries(schedule)
        work.cancellation.onCancel(wake: work.wake)
        while !work.shared.withLock({ $0.hasEnded }) {
            let begin = MonotonicTime.now
            do throws(StreamError) {
                try show(work)
            } catch {
                if work.shared.withLock({ $0.hasEnded }) { return }
                change(work, to: retries.lose(error, after: .now - begin))
                guard let next = retries.next else { return }
                _ = work.shared.wait(until: next) { $0.hasEnded ? true : nil }
            }
        }
    }

    /// Has a node until it fails, or the sender ends.
    private static func show(_ work: Work) throws(StreamError) {
        let connection = try PipeWireConnection("pipewire:\(work.name)", socket: work.socket)
        connection.watch(work.wake)
        try connection.update(work.cancellation)
        let output = try PipeWireOutput(work.name, work.size, work.frameRate, connection)
        var (origin, isThere) = (MonotonicTime?.none, false)
        defer { work.shared.withLock { $0.isUnwatched = false } }
        while true {
            try connection.wait(until: nil)
            let (picture, hasEnded) = work.shared.withLock { shared in
                defer { shared.picture = nil }
                shared.counts.sent += output.counts.sent
                shared.counts.omitted += output.counts.omitted
                shared.isUnwatched = output.isThere && !output.isWatched
                return (shared.picture, shared.hasEnded)
            }
            output.counts = SenderCounts()
            if let failure = output.failure { throw failure }
            if output.isThere, !isThere {
                isThere = true
                change(work, to: .sending)
            }
            guard !hasEnded else { return }
            guard let picture else { continue }
            // The times are those of the rate, which does not vary as the pictures' arrival does.
            let time = work.frameRate.time(ofFrame: Int(picture.number))
            let start = origin ?? .now - time
            origin = start
            output.show(picture.image, at: (start + time).sinceBoot)
        }
    }

    private static func change(_ work: Work, to condition: SenderCondition) {
        let isNew = work.shared.withLock { shared in
            defer { shared.condition = condition }
            guard shared.condition != condition else { return false }
            if condition == .sending { shared.counts.connections += 1 }
            return true
        }
        if isNew { work.onChange(condition) }
    }
}
