import Glibc
public import MediaIO

/// Reads the frames of a camera; `Camera` does so on a thread of its own, and finds the camera again.
///
/// While nothing comes in at the camera's socket, as far as its driver can tell, ``Camera`` waits
/// (``StreamError/Code/noSignal``) and shows nothing of what the driver may deliver instead. Read directly, frames of noise
/// are frames.
///
/// Presentation times are the driver's timestamps, counted from the first frame. If the wants have changed a lot and
/// then stay the same for a second, the camera is opened again in the mode nearest to them.
///
/// **Thread:** one.
public final class CameraReader: FrameReader, ExplainingReader {
    /// The time without a frame after which a camera is restarted: at least this, and ten frames.
    static let stallTime = Duration.seconds(2)
    /// The time that a camera may take for its first frame.
    static let startTime = Duration.seconds(5)
    /// How long the wants must stay the same before the camera is opened in another mode.
    static let settlingTime = Duration.seconds(1)

    /// The description of the stream.
    public private(set) var info: StreamInfo
    /// The camera, its mode and counts.
    public var report: CameraReport { session.counts }
    /// The frames that were damaged or too short.
    public var corruptCount: Int { session.counts.damaged }

    /// Told that there is no signal.
    package var explain: ((StreamError) -> Void)?

    private var session: CaptureSession
    private let request: CameraRequest
    private let isEncoded: Bool
    private let wanted = ReadingDemand()
    private var wantedVersion = 0
    private let system: any DeviceSystem
    private let cancellation: ReadCancellation
    private let wake: WakePipe
    private let didRead: @Sendable (CameraReport) -> Void
    private var origin: Duration?
    private var hasDelivered = false
    private var stallCount = 0
    /// When the last frame was delivered, or the camera was started.
    private var silentSince = MonotonicTime.now
    private var signal = SignalWatch(at: .now)
    private var wants: VideoSinkWants
    /// The wants that may need another mode, and since when.
    private var newRequest: (request: CameraRequest, since: MonotonicTime)?

    /// Opens a camera.
    ///
    /// - Parameters:
    ///   - selector: which one.
    ///   - request: what is asked of it.
    ///   - cancellation: ends the wait for a frame.
    ///   - isEncoded: whether frames may be encoded packets, for a `DecodingReader`; otherwise cameras that encode are
    ///     asked for other formats.
    /// - Throws: ``StreamError``: the camera, the cause and the next step.
    public convenience init(
        _ selector: CameraSelector, request: CameraRequest = CameraRequest(),
        cancellation: ReadCancellation = ReadCancellation(), isEncoded: Bool = false
    ) throws(StreamError) {
        let system = LinuxDevices()
        let wake = try WakePipe()
        cancellation.onCancel(wake: wake)
        try self.init(
            selector.find(among: CameraDevice.all(system)), request, .everything, cancellation, wake, isEncoded, system)
    }

    init(
        _ camera: CameraDevice, _ request: CameraRequest, _ wants: VideoSinkWants, counting report: CameraReport? = nil,
        _ cancellation: ReadCancellation, _ wake: WakePipe, _ isEncoded: Bool,
        _ system: any DeviceSystem, didRead: @escaping @Sendable (CameraReport) -> Void = { _ in }
    ) throws(StreamError) {
        (self.request, self.cancellation, self.wake, self.isEncoded) = (request, cancellation, wake, isEncoded)
        (self.system, self.didRead, self.wants) = (system, didRead, wants)
        session = try CaptureSession(camera, request.adapted(to: wants), counting: report, isEncoded, system)
        info = Self.info(session)
        didRead(session.counts)
    }

    private static func info(_ session: CaptureSession) -> StreamInfo {
        let mode = session.format.mode
        var info = StreamInfo(
            container: "v4l2", size: mode.size, frameRate: mode.frameRate, isLive: true,
            attributes: session.format.attributes)
        switch mode.handling {
        case .drawn(let format): info.format = format
        case .encoded(let codec): info.codec = codec.rawValue
        case .converted: (info.codec, info.format) = (CameraFormat.name(of: mode.fourCC), .rgb24)
        }
        return info
    }

    /// Waits for the next frame.
    ///
    /// - Throws: ``StreamError/Code/readFailed`` if the camera is lost or cancelled, ``StreamError/Code/noSignal`` if it
    ///   delivers nothing because nothing comes in.
    public func next() throws(StreamError) -> VideoFrame? {
        do throws(StreamError) {
            return try nextFrame()
        } catch {
            // To a driver, a lost signal may be an error of reading.
            if !cancellation.isCancelled, let problem = session.signalProblem { throw problem }
            throw error
        }
    }

    private func nextFrame() throws(StreamError) -> VideoFrame {
        var hasFailed = false
        while true {
            if wanted.hasChanged(since: &wantedVersion) { adapt(to: wanted.wants) }
            try changeMode()
            let damaged = session.counts.damaged
            if let (frame, time) = try session.next() {
                (stallCount, silentSince) = (0, .now)
                watchSignal(hasFrame: true)
                if signal.problem != nil { continue }
                hasDelivered = true
                return deliver(frame, time)
            }
            if session.counts.damaged != damaged { didRead(session.counts) }
            // Usually `session.next()` has already thrown the cause.
            if hasFailed { throw session.failure }
            hasFailed = try wait()
        }
    }

    private func deliver(_ frame: VideoFrame, _ time: Duration) -> VideoFrame {
        var frame = frame
        let start = origin ?? time
        origin = start
        frame.presentationTime = time - start
        frame.timing = FrameTiming(capture: MonotonicTime(sinceBoot: time), arrival: .now)
        var report = session.counts
        // Clamped, because some drivers stamp a frame with its end time but deliver it before that.
        report.latency = max(MonotonicTime.now.sinceBoot - time, .zero)
        didRead(report)
        return frame
    }

    /// Asks for the signal if it is time, and says if there is none.
    private func watchSignal(hasFrame: Bool = false) {
        guard let explain, signal.isDue(at: .now, hasFrame: hasFrame) else { return }
        signal.note(session.signalProblem, at: .now)
        guard let problem = signal.problem else { return }
        explain(problem)
        didRead(session.counts)
    }

    /// Waits until the camera has something, and restarts it after too long a time without a frame that can be shown.
    ///
    /// - Returns: whether the camera signals an error.
    private func wait() throws(StreamError) -> Bool {
        let least = hasDelivered ? Self.stallTime : Self.startTime
        let end = silentSince + max(least, info.frameRate?.time(ofFrame: 10) ?? .zero)
        let next = explain == nil ? end : min(end, signal.next)
        let ready = Readiness(of: session.descriptor, wake.descriptor, within: max(next - .now, .zero))
        if ready.isWoken { wake.clear() }
        guard !cancellation.isCancelled else {
            throw StreamError(.readFailed, "Reading \(session.name) was cancelled.")
        }
        watchSignal()
        // Without a signal, a camera that delivers nothing is not stalled.
        if signal.problem != nil { silentSince = .now }
        guard signal.problem == nil, MonotonicTime.now >= end else { return ready.hasFailed }
        (stallCount, silentSince) = (stallCount + 1, .now)
        guard stallCount == 1 else {
            throw StreamError(
                .readFailed, "\(session.name) delivers no frames: it is opened again.", underlying: ETIMEDOUT)
        }
        try session.restart()
        didRead(session.counts)
        return false
    }

    /// A camera cannot go back.
    public func rewind() throws(StreamError) {
        throw StreamError(.unsupported, "\(session.name) is a camera and cannot go back.")
    }

    // MARK: Wants

    /// What is wanted: if a much larger, smaller, faster or slower mode is, the camera is opened in it after a second.
    public var demand: ReadingDemand? { wanted }

    private func adapt(to wants: VideoSinkWants) {
        guard wants.isVisible else { return }
        self.wants = wants
        session.adapt(to: wants)
        newRequest = (request.adapted(to: wants), .now)
    }

    private func changeMode() throws(StreamError) {
        guard let (request, since) = newRequest, MonotonicTime.now - since >= Self.settlingTime else { return }
        newRequest = nil
        guard session.wouldChangeMuch(for: request) else { return }
        // The device must be closed before it can capture in another mode.
        let (camera, report) = (session.counts.device, session.counts)
        session.close()
        do throws(StreamError) {
            session = try CaptureSession(camera, request, counting: report, isEncoded, system)
        } catch {
            // Go back to the previous request, which the camera could fulfil.
            session = try CaptureSession(camera, report.asked, counting: report, isEncoded, system)
        }
        session.adapt(to: wants)
        info = Self.info(session)
        (hasDelivered, silentSince) = (false, .now)
        didRead(session.counts)
    }
}
