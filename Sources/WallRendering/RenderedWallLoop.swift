import MediaIO
import VideoWall

/// What the thread of a ``RenderedWall`` is to do.
struct RenderedWallControl {
    var isRunning = false
    var hasEnded = false
    var wants = VideoSinkWants.everything
    var changes: [@Sendable (Wall) -> Void] = []

    /// Whether pictures are wanted.
    var isActive: Bool { isRunning && wants.isVisible }
}

/// The work of the thread of a ``RenderedWall``, which owns the wall and its renderer.
struct RenderedWallLoop {
    let frames: PushSource
    let control: Monitor<RenderedWallControl>
    let size: VideoSize
    let rate: Rational
    let format: PixelFormat
    let choice: RendererChoice
    let makeWall: @Sendable () -> Wall

    private let pool = PixelBufferPool()
    private var wall = Wall()
    private var renderer: (any WallRenderer)?
    private var picture: (any OffscreenTarget)?
    /// What was drawn last.
    private var last: VideoFrame?
    /// When the next picture is due, and the time of the first one.
    private var due: MonotonicTime?
    private var begin: MonotonicTime?
    private var isWaiting = false

    init(
        frames: PushSource, control: Monitor<RenderedWallControl>, size: VideoSize, rate: Rational, format: PixelFormat,
        choice: RendererChoice, makeWall: @escaping @Sendable () -> Wall
    ) {
        (self.frames, self.control, self.size, self.rate) = (frames, control, size, rate)
        (self.format, self.choice, self.makeWall) = (format, choice, makeWall)
    }

    /// Makes the renderer and the wall.
    mutating func open() throws(StreamError) {
        guard [.rgba32, .bgra32, .i420, .i010].contains(format) else {
            throw StreamError(
                .unsupported,
                "A wall cannot be rendered in \(format): choose rgba32, bgra32, i420 or i010, and convert that.")
        }
        do throws(RenderingError) {
            try makeRenderer()
        } catch {
            throw StreamError(.cannotOpen, error.description)
        }
        wall = makeWall()
    }

    private mutating func makeRenderer() throws(RenderingError) {
        let made = try ChosenRenderer(choice).renderer
        let drawn: PictureFormat = format == .bgra32 ? .bgra8 : format == .i010 ? .rgb10a2 : .rgba8
        picture = try made.makeOffscreenTarget(size: size, format: drawn)
        renderer = made
    }

    /// Draws until the source is disposed of.
    mutating func run() {
        while true {
            let (now, changes) = control.withLock { control in
                defer { control.changes.removeAll() }
                return (control, control.changes)
            }
            if now.hasEnded { return }
            for change in changes { change(wall) }
            if wall.isVisible != now.isActive { wall.isVisible = now.isActive }
            guard now.isActive else {
                due = nil
                control.wait { $0.hasEnded || $0.isActive || !$0.changes.isEmpty ? () : nil }
                continue
            }
            if let due, .now < due {
                _ = control.wait(until: due) { $0.hasEnded || !$0.isActive || !$0.changes.isEmpty ? () : nil }
                continue
            }
            deliver(at: nextTick(now.wants))
        }
    }

    /// Moves on by one tick.
    ///
    /// - Returns: the time of the present one, from the first.
    private mutating func nextTick(_ wants: VideoSinkWants) -> Duration {
        let perSecond = min(rate.value, wants.maximumFrameRate?.value ?? rate.value)
        let interval = Duration.seconds(1 / max(perSecond, 1e-6))
        let now = MonotonicTime.now
        // Ticks that were missed are left out.
        let tick = due.map { now - $0 > interval ? now : $0 } ?? now
        due = tick + interval
        let first = begin ?? tick
        begin = first
        return tick - first
    }

    private mutating func deliver(at time: Duration) {
        do {
            if renderer == nil { try makeRenderer() }
            guard let renderer, let picture else { return }
            if try renderer.render(wall, into: picture) || last == nil { last = try read(picture) }
            if isWaiting, frames.report(.live) == .delivered { isWaiting = false }
        } catch {
            return fail(error)
        }
        guard var frame = last else { return }
        frame.presentationTime = time
        frames.push(frame)
    }

    /// Gives the renderer up, and tries again in a second.
    private mutating func fail(_ error: any Error) {
        (renderer, picture, last) = (nil, nil, nil)
        due = .now + .seconds(1)
        if !isWaiting {
            isWaiting = frames.report(.waiting("the wall cannot be drawn: \(error)")) == .delivered
        }
    }

    private func read(_ picture: any OffscreenTarget) throws -> VideoFrame {
        let target = wall.colorTarget
        guard format == .i420 || format == .i010 else {
            let buffer = try pool.makeBuffer(format: format, size: size) { planes in
                try planes.withPlaneBytes(0) { bytes in
                    try picture.readPixels(into: bytes, bytesPerRow: planes.bytesPerRow(0))
                }
            }
            let tags = ColorTags(range: .full, primaries: target.primaries, transfer: target.transfer)
            return VideoFrame(buffer, attributes: FrameAttributes(colorTags: tags))
        }
        var space = ColorTags().colorSpace(of: format, size: size)
        (space.primaries, space.transfer) = (target.primaries, target.transfer)
        let buffer = try picture.readPlanes(as: format, colorSpace: space, pool: pool)
        return VideoFrame(buffer, attributes: FrameAttributes(colorSpace: space, chromaLocation: .center))
    }
}
