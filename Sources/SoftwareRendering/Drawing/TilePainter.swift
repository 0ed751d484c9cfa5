import CVitrailKernels
import FrameConversion
import MediaIO
import VideoWall

/// What a renderer keeps for one tile.
final class TilePainter {
    /// The tile; retaining its identity keeps it unique.
    let id: WallTile.ID
    var report = TileReport()
    /// How frames are drawn; `nil` before the first one.
    private(set) var plan: TilePlan?
    /// The effects that are applied to them; `nil` if there are none, or only OpenGL draws them.
    private(set) var effects: PixelEffects?
    /// Whether it has effects that only OpenGL draws.
    private(set) var needsShaders = false
    private var steps: KernelSteps?
    /// What ``steps`` were made for.
    private var effectKey: EffectPlan.Key?
    /// Whether the blocks of ``effects`` are not those of the newest frame.
    private(set) var hasOldBlocks = false
    /// The samples of the newest frame, while a picture is drawn.
    let samples = UnsafeMutablePointer<VitrailSamples>.allocate(capacity: 4)
    private var frameNumber = -1
    /// The newest frame that was counted.
    private var countedNumber = -1
    private var buffer: PixelBuffer?

    init(_ id: WallTile.ID) {
        self.id = id
        samples.initialize(repeating: VitrailSamples(), count: 4)
    }

    deinit { samples.deallocate() }

    /// Reads the tile's newest frame.
    ///
    /// - Parameters:
    ///   - tile: the tile.
    ///   - scene: the scene that it is in.
    ///   - picture: the format of the target.
    ///   - automaticReduction: the reduction above which the automatic filter antialiases.
    /// - Returns: how it is drawn, if that needs a new plan; `nil` if the present plan is right, or if there is nothing
    ///   to draw.
    func update(
        _ tile: WallScene.Tile, _ scene: WallScene, _ picture: PictureFormat, automaticReduction: Float
    ) -> TileDrawing? {
        needsShaders = tile.needsShaders
        if !needsShaders { report.effectFailure = tile.effectPlan.failure }
        guard tile.isVisible, let frame = tile.frame else {
            // A tile that is hidden keeps no frame of its source.
            (buffer, frameNumber, report.failure) = (nil, -1, nil)
            return nil
        }
        if frameNumber != tile.frameNumber {
            frameNumber = tile.frameNumber
            read(frame)
        }
        guard let buffer else { return nil }
        updateSteps(tile)
        let drawing = TileDrawing(
            frame, buffer.format, tile, scene, picture, automaticReduction: automaticReduction, effects: steps)
        updateEffects(ditherDepth: drawing.ditherDepth)
        if plan?.drawing != drawing { return drawing }
        plan?.locate(FramePlanes(buffer), samples)
        return nil
    }

    private func updateSteps(_ tile: WallScene.Tile) {
        guard effectKey != tile.effectPlan.key else { return }
        effectKey = tile.effectPlan.key
        steps = KernelSteps(tile.effectPlan)
    }

    private func updateEffects(ditherDepth: Int) {
        guard let steps else { return effects = nil }
        if let effects, effects.steps == steps, effects.ditherDepth == ditherDepth { return }
        let made = PixelEffects(steps, ditherDepth: ditherDepth)
        effects = made
        hasOldBlocks = !made.blocks.isEmpty
    }

    /// Draws by a plan from now on.
    func use(_ plan: TilePlan) {
        self.plan = plan
        hasOldBlocks = effects?.blocks.isEmpty == false
        if let buffer { plan.locate(FramePlanes(buffer), samples) }
    }

    private func read(_ frame: VideoFrame) {
        // A frame that is shown again is read again, but counted once.
        let isNew = countedNumber != frameNumber
        countedNumber = frameNumber
        (buffer, report.failure) = (nil, nil)
        hasOldBlocks = effects?.blocks.isEmpty == false
        do {
            buffer = try frame.pixelBuffer
            if isNew { report.uploaded += 1 }
        } catch {
            if isNew { report.failed += 1 }
            report.failure = "\(error)"
        }
    }

    /// Whether a frame can be drawn.
    var hasFrame: Bool { buffer != nil && plan != nil }

    /// Notes that all blocks are measured.
    func noteBlocks() { hasOldBlocks = false }

    /// Ends a picture: the frame's memory may be written once the frame is released.
    func finish() { buffer?.noteReads() }

    func fail(_ reason: String) {
        report.failed += 1
        report.failure = reason
    }
}
