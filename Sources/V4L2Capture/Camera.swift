import Glibc
public import MediaIO

/// A camera as a source: it delivers frames on arrival, and resumes when it is plugged in again, whatever its new
/// number.
///
/// * ``initialize(consumer:)`` does not wait for the camera. While it is not connected, in use by another program or
///   not permitted, the consumer gets ``SourceCondition/waiting(_:retry:code:)`` with the reason. The camera is tried again
///   whenever a video node appears or its permissions change; one that another program uses is tried every second.
/// * Once found, the camera is recognized by its ``CameraDevice/identity``, not by its node.
/// * A camera that delivers no frame that can be shown for two seconds (or ten frames, if that is longer; five seconds
///   for the first one) is restarted, and opened again if that does not help.
/// * While nothing comes in at the camera's socket, as far as its driver can tell, the consumer gets
///   ``SourceCondition/waiting(_:retry:code:)`` with ``StreamError/Code/noSignal``, and no frames of noise.
/// * A camera that can never be shown ends with ``SourceCondition/failed(_:code:)``.
///
///     let camera = Camera(CameraSelector("C920"), request: CameraRequest(size: VideoSize(width: 1280, height: 720)))
///     let stream = VideoStream(source: camera, sinks: [tile.mailbox])
public final class Camera: PacketSource, RewindableSource {
    private struct State {
        /// The camera that was found.
        var known: CameraDevice?
        var report: CameraReport?
        var wants = VideoSinkWants.everything
    }

    /// The name to display.
    public var name: String { live.name }
    /// ``VideoCaptureType/camera``.
    public var captureType: VideoCaptureType { .camera }

    /// Where others get the packets of a camera that encodes.
    public var packets: PacketOutlet { live.packets }

    private let live: LiveSource
    private let wake: WakePipe?
    private let state: Monitor<State>

    /// Creates a source; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - selector: which camera.
    ///   - request: what is asked of it.
    ///   - name: the name to display; by default that of the selector.
    ///   - cancellation: triggered by ``dispose()``.
    ///   - decoder: makes decoders for cameras that encode; without it, they are asked for other formats.
    ///   - alignment: other streams with which pictures are shown at the same instant; `nil` for none.
    ///   - onOpen: called on the capture thread each time the camera is opened.
    public convenience init(
        _ selector: CameraSelector, request: CameraRequest = CameraRequest(), name: String? = nil,
        cancellation: ReadCancellation = ReadCancellation(),
        decoder: PacketDecoderMaker? = nil, alignment: PlayoutAlignment? = nil,
        onOpen: @escaping @Sendable (CameraReport) -> Void = { _ in }
    ) {
        self.init(
            selector, request, name: name, cancellation, decoder, alignment, system: LinuxDevices(), onOpen)
    }

    init(
        _ selector: CameraSelector, _ request: CameraRequest = CameraRequest(), name: String? = nil,
        _ cancellation: ReadCancellation = ReadCancellation(), _ decoder: PacketDecoderMaker? = nil,
        _ alignment: PlayoutAlignment? = nil, system: any DeviceSystem,
        _ onOpen: @escaping @Sendable (CameraReport) -> Void = { _ in }
    ) {
        // Creating these fails only if the system is out of descriptors or watches. The camera is then retried every
        // second instead of at each event.
        let wake = try? WakePipe()
        let watch = system.watchNodes()
        let state = Monitor(State())
        if let wake { cancellation.onCancel(wake: wake) }
        (self.wake, self.state) = (wake, state)
        live = LiveSource(
            name: name ?? selector.description, cancellation: cancellation,
            awaitChance: { Self.awaitChance($0, watch, wake, cancellation, system) }, decoder: decoder,
            alignment: alignment,
            open: {
                // Forget earlier events: only what happens from here on is a reason to try again.
                _ = watch?.take()
                let (known, report, wants) = state.withLock { ($0.known, $0.report, $0.wants) }
                let camera = try Self.find(selector, known, system)
                // Stay with this camera from now on, even if capturing fails below. A node that could not be opened at
                // all has no identity yet.
                if camera.problem == nil { state.withLock { $0.known = camera } }
                let reader = try CameraReader(
                    camera, request, wants, counting: report, cancellation, try wake ?? WakePipe(), decoder != nil,
                    system
                ) { report in
                    state.withLock { $0.report = report }
                }
                onOpen(reader.report)
                return reader
            })
    }

    /// What the camera was asked for, what it gave, and counts; `nil` before it was opened.
    public var report: CameraReport? { state.withLock { $0.report } }

    private static func find(
        _ selector: CameraSelector, _ known: CameraDevice?, _ system: any DeviceSystem
    ) throws(StreamError) -> CameraDevice {
        let cameras = CameraDevice.all(system)
        guard let known else { return try selector.find(among: cameras) }
        // Some makers give all their cameras the same serial number. When a second such camera comes or goes, the
        // identities of both change, but not their bus positions. So a camera at another position is recognized only if
        // its serial number was unique.
        let alike = cameras.filter {
            $0.name == known.name && $0.serial == known.serial && $0.number == known.number
        }
        let same =
            alike.first { $0.identity == known.identity } ?? alike.first { $0.bus == known.bus }
            ?? (known.hasOwnSerial ? alike.first : nil)
        if let same { return same }
        throw StreamError(
            .cannotOpen, "\(known.name) is not connected: connect it again.",
            underlying: ENODEV)
    }

    /// Waits until a node appears or changes, or the source is started or disposed of.
    ///
    /// Waits at most a second if the camera is connected but could not be used, or if a node may become a camera
    /// without an event.
    private static func awaitChance(
        _ error: StreamError, _ watch: DeviceWatch?, _ wake: WakePipe?, _ cancellation: ReadCancellation,
        _ system: any DeviceSystem
    ) {
        let isAbsent = [ENOENT, ENODEV, ENXIO, EACCES, EPERM].contains(error.underlying)
        let isEvent = isAbsent && watch != nil && wake != nil && !CameraDevice.canAppear(system)
        let end = isEvent ? nil : MonotonicTime.now + .seconds(1)
        while !cancellation.isCancelled {
            let rest = end.map { $0 - .now }
            if let rest, rest <= .zero { return }
            let ready = Readiness(of: watch?.descriptor ?? -1, wake?.descriptor ?? -1, within: rest)
            if ready.isWoken {
                wake?.clear()
                return
            }
            if watch?.take() == true { return }
        }
    }

    /// Starts the thread that opens the camera; does not wait for it.
    ///
    /// - Throws: ``StreamError/Code/wrongOrder``, or ``StreamError/Code/cannotOpen`` if no thread can be started.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        try live.initialize(consumer: consumer)
    }

    /// Delivers frames from now on; while the camera is not there, tries immediately.
    public func start() throws(StreamError) {
        try live.start()
        wake?.wake()
    }

    /// Discards frames from now on.
    ///
    /// When it returns, no call to the consumer is running and none will come. The consumer itself may call this: then
    /// its own call is the last.
    public func stop() { live.stop() }

    /// How long pictures are held at present, to be shown with those of other streams.
    public var playoutDelay: Duration { live.playoutDelay }
    /// What is known of the driver's clock, which is that of this machine.
    public var captureReport: CaptureReport { live.captureReport }

    /// The moments that the ring of its ``packets`` has.
    public var moments: ClosedRange<MonotonicTime>? { live.moments }
    /// The moment of the picture of the past that is shown.
    public var shownMoment: MonotonicTime? { live.shownMoment }

    /// Shows what the ring of its ``packets`` has of another moment, or the present.
    public func show(_ playhead: Playhead?) throws(StreamError) { try live.show(playhead) }

    /// A moment at which the picture after or before another one of the ring is shown.
    public func moment(ofPicture step: PictureStep, from moment: MonotonicTime) -> MonotonicTime? {
        live.moment(ofPicture: step, from: moment)
    }

    /// Closes the camera.
    public func dispose() { live.dispose() }

    /// Delivers no more than is wanted; if much more or less is wanted than before, the camera is opened in another
    /// mode.
    public func adapt(to wants: VideoSinkWants) {
        state.withLock { $0.wants = wants }
        live.adapt(to: wants)
    }
}
