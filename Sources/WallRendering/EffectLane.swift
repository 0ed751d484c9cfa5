import GLRendering
import HeadlessGL
import MediaIO
import VideoWall
import VitrailGL
import VitrailSupport

/// A thread that draws tiles with effects, with an OpenGL context of its own; of each tile, the newest picture only.
///
/// **Thread:** any.
final class EffectLane: Sendable {
    /// What a picture is to show; it keeps no frame in memory.
    struct Subject: Sendable {
        /// The tile.
        let id: WallTile.ID
        /// Its effects, for its full size.
        let chain: EffectChain
        /// The tiles that are in its picture, besides itself.
        let others: [WallScene.Tile]
        /// Whether the time counts: the first picture of an effect or a size takes longer than others.
        let isMeasured: Bool
        /// When it was wanted.
        let begin = MonotonicTime.now

        init(_ tile: WallScene.Tile, others: [WallScene.Tile] = [], isMeasured: Bool = true) {
            (id, chain, self.isMeasured) = (tile.id, tile.effects, isMeasured)
            self.others = others.map(\.withoutFrame)
        }
    }

    /// A picture to draw.
    struct Job: Sendable {
        let subject: Subject
        /// The tile, with its effects, as large as it is drawn.
        let tile: WallScene.Tile
        /// The tile alone.
        let scene: WallScene
    }

    /// What became of a job.
    struct Result: Sendable {
        /// What was drawn.
        let subject: Subject
        /// The picture with the effects; `nil` if it could not be drawn.
        var frame: VideoFrame?
        /// Whether there is no OpenGL for the lane.
        var hasNoContext = false
        /// The number of the picture.
        var number = 0
        /// Why an effect is left out, or replaced by an earlier version.
        var failure: EffectError?
        /// How long it took to draw and to read back, and to compile what was new.
        var duration = Duration.zero

        /// How long a picture takes; `nil` if it was not measured.
        var time: Duration? { subject.isMeasured ? duration : nil }
    }

    private struct State {
        /// The newest job of each tile.
        var jobs: [WallTile.ID: Job] = [:]
        /// The tiles with jobs, the one that has waited for longest first.
        var order: [WallTile.ID] = []
        /// What is being drawn.
        var present: Job?
        var isEnded = false
        /// Whether the thread has returned.
        var isGone = false
        /// Its turn on a display that it shares.
        var turn: SoftwareTurn?
    }

    private let state = Monitor(State())
    /// The signal of a crash, in memory that a thread that has stopped keeps.
    private nonisolated(unsafe) let crash: UnsafeMutablePointer<Int32>

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - softwareDisplay: the display to use if there is no GPU: only that of ``SoftwareTurn`` may be used by others.
    ///   - deliver: takes results, on the lane's thread.
    /// - Throws: `StreamError` if there can be no more threads.
    init(softwareDisplay: Int, deliver: @escaping @Sendable (Result) -> Void) throws(StreamError) {
        let state = state
        crash = .allocate(capacity: 1)
        crash.initialize(to: 0)
        nonisolated(unsafe) let crash = crash
        // It compiles, too: not before the threads that make frames, but also if others are always busy.
        try SystemThread(for: "effects", niceness: 19) {
            DriverGuard.run {
                var drawer: LaneDrawer? = LaneDrawer(softwareDisplay: softwareDisplay)
                while let job = Self.next(state) {
                    if drawer?.needsTurn == true { Self.takeTurn(state) }
                    DriverGuard.begin(crash)
                    let result = drawer?.draw(job)
                    DriverGuard.end()
                    Self.endTurn(state)
                    if let result { deliver(result) }
                }
                if drawer?.needsTurn == true { Self.takeTurn(state) }
                drawer = nil
                Self.endTurn(state)
            }
            state.change { state in
                state.isGone = true
                crash.deallocate()
            }
        }.detach()
    }

    /// Draws a tile, instead of an earlier picture of it that was not begun.
    func submit(_ job: Job) {
        state.change { state in
            if state.jobs.updateValue(job, forKey: job.tile.id) == nil { state.order.append(job.tile.id) }
        }
    }

    /// Forgets a tile that was not begun.
    func forget(_ tile: WallTile.ID) {
        state.withLock { state in
            state.jobs[tile] = nil
            state.order.removeAll { $0 == tile }
        }
    }

    /// Ends the thread after its present job, and waits for that for a while.
    ///
    /// - Returns: whether it has ended.
    @discardableResult
    func end(within time: Duration) -> Bool {
        state.change { state in
            state.isEnded = true
            (state.jobs, state.order) = ([:], [])
        }
        return state.wait(until: .now + time) { $0.isGone ? true : nil } ?? false
    }

    /// Ends the thread that has crashed.
    func abandon() {
        end(within: .zero)
        Self.endTurn(state)
    }

    private static func takeTurn(_ state: Monitor<State>) {
        let turn = SoftwareTurn.take()
        state.withLock { $0.turn = turn }
    }

    private static func endTurn(_ state: Monitor<State>) {
        state.withLock { state in
            state.turn?.end()
            state.turn = nil
        }
    }

    /// Whether it has something to draw.
    var isBusy: Bool { state.withLock { $0.present != nil || !$0.order.isEmpty } }

    /// What it was drawing when it crashed; `nil` if it has not.
    var crashed: Job? { state.withLock { $0.isGone || crash.pointee == 0 ? nil : $0.present } }

    private static func next(_ state: Monitor<State>) -> Job? {
        state.withLock { $0.present = nil }
        let job: Job?? = state.wait { state -> Job?? in
            if state.isEnded { return .some(nil) }
            guard !state.order.isEmpty else { return nil }
            state.present = state.jobs.removeValue(forKey: state.order.removeFirst())
            return .some(state.present)
        }
        return job.flatMap(\.self)
    }
}

/// What a lane's thread draws with.
private struct LaneDrawer {
    private let softwareDisplay: Int
    private var renderer: GLRenderer?
    /// Whether the display may be used by others, too.
    private(set) var needsTurn: Bool
    private var problem: String?
    private var pictures: [WallTile.ID: Picture] = [:]

    /// Where a tile is drawn, and where it is read back to.
    private struct Picture {
        let target: any OffscreenTarget
        let pool = PixelBufferPool()
    }

    init(softwareDisplay: Int) {
        self.softwareDisplay = softwareDisplay
        needsTurn = softwareDisplay == SoftwareTurn.display
    }

    mutating func draw(_ job: EffectLane.Job) -> EffectLane.Result {
        var result = EffectLane.Result(subject: job.subject)
        let begin = MonotonicTime.now
        do throws(RenderingError) {
            let renderer = try currentRenderer()
            let picture = try picture(of: job, renderer)
            picture.target.invalidate()
            try renderer.render(job.scene, into: picture.target)
            let report = renderer.report(on: job.tile.id)
            result.failure = report.effectFailure
            if report.failure == nil { result.frame = try frame(of: picture, job) }
        } catch {
            // The next job makes a renderer anew, unless there is no OpenGL.
            (renderer, pictures) = (nil, [:])
            if error.code == .unavailable { problem = error.description }
            result.hasNoContext = error.code == .unavailable
            result.failure = EffectError(
                "effects need OpenGL, which cannot be used: \(error.description)",
                file: job.tile.effects.steps.first?.effect.name ?? "effects")
        }
        result.duration = .now - begin
        return result
    }

    private mutating func currentRenderer() throws(RenderingError) -> GLRenderer {
        if let renderer { return renderer }
        if let problem { throw RenderingError(.unavailable, problem) }
        let context: GLContext
        do throws(EGLError) {
            context = try HeadlessContext.make(softwareDisplay: softwareDisplay)
        } catch {
            throw RenderingError(.unavailable, error.description)
        }
        if !context.information.isSoftware { needsTurn = false }
        // Those of a software driver. With the lowest ordinary priority, so many of them still take a third of two
        // processors from decoders.
        SystemThread.letRunWhenIdle(named: "llvmpipe-")
        let made = try GLRenderer(context: context)
        renderer = made
        return made
    }

    private mutating func picture(of job: EffectLane.Job, _ renderer: GLRenderer) throws(RenderingError) -> Picture {
        if pictures.count > job.scene.tiles.count {
            let ids = Set(job.scene.tiles.map(\.id))
            pictures = pictures.filter { ids.contains($0.key) }
        }
        if let picture = pictures[job.tile.id], picture.target.size == job.scene.size { return picture }
        let made = Picture(target: try renderer.makeOffscreenTarget(size: job.scene.size, format: .rgba8))
        pictures[job.tile.id] = made
        return made
    }

    private func frame(of picture: Picture, _ job: EffectLane.Job) throws(RenderingError) -> VideoFrame {
        do throws(StreamError) {
            let target = picture.target
            let buffer = try picture.pool.makeBuffer(format: .rgbx32, size: target.size) { planes in
                try planes.withPlaneBytes(0) { bytes in
                    try target.readPixels(into: bytes, bytesPerRow: planes.bytesPerRow(0))
                }
            }
            return VideoFrame(buffer, attributes: FrameAttributes(colorSpace: job.scene.pictureColors))
        } catch {
            throw RenderingError(error)
        }
    }
}
