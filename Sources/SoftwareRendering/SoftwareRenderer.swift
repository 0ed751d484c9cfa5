import CVitrailKernels
import FrameConversion
public import MediaIO
public import VideoWall
import VitrailSupport

/// Draws walls with the vector units of the CPU, on all cores.
///
/// It draws into pictures in memory (``makeOffscreenTarget(size:format:)``), and for windows (`WindowOutput`): the same
/// pixels as `GLRenderer` within one code value. It is 7 to 30 times as fast as software OpenGL (`make bench-peers`).
///
/// **Thread:** render thread; it starts threads of its own, which sleep while nothing is drawn.
public final class SoftwareRenderer: WallRenderer {
    /// Makes the renderer that draws effects, which are shaders.
    public typealias EffectRenderer = () throws -> any WallRenderer

    private let workers: Workers
    private let drawing: SceneDrawing
    private let measuring: BlockMeasuring
    /// The reduction above which ``ScalingFilter/automatic`` antialiases, in source pixels per pixel of the picture.
    var automaticReduction = ScalingMethod.automaticReduction(onCPU: true)
    /// Fewer pixels than this are drawn by the render thread alone.
    var fewPixels: Int {
        get { drawing.fewPixels }
        set { drawing.fewPixels = newValue }
    }
    private var painters: [WallTile.ID: TilePainter] = [:]
    /// The painters of the scene's tiles, in the scene's order.
    private var shown: [TilePainter] = []
    /// The rectangles to redraw, in reused memory.
    private var parts: [Rectangle] = []
    /// The wall without its own effects, where these are drawn at a pace of their own.
    private var whole: WholePicture?
    private let makeEffectRenderer: EffectRenderer?
    private var effects: EffectPicture?
    /// Why effects cannot be drawn.
    private var effectProblem: String?
    /// Why the effects of the whole wall cannot be drawn.
    private var wallFailure: (wall: Wall.ID, error: EffectError)?
    /// More threads than this wait for each other longer than they draw.
    private static let mostThreads = 16

    /// Creates a renderer.
    ///
    /// **Cost:** rare; less than a millisecond.
    /// - Parameters:
    ///   - threadCount: the number of threads that draw, including the render thread; by default one for each
    ///     processor, up to 16.
    ///   - effects: makes the renderer that draws effects that only OpenGL draws; called when the first one is drawn.
    ///     Without it, they are not applied, which ``report(on:)`` says.
    public init(threadCount: Int? = nil, effects: EffectRenderer? = nil) {
        workers = Workers(max(1, threadCount ?? min(Workers.processorCount, Self.mostThreads)))
        drawing = SceneDrawing(threadCount: workers.count)
        measuring = BlockMeasuring(drawing)
        makeEffectRenderer = effects
    }

    /// Draws tiles with effects at a pace of their own, when this renderer draws a wall.
    public var effectStage: (any EffectStage)?

    /// The number of threads and their instructions.
    public var name: String {
        let sets = vitrail_instruction_sets()
        // The lowest bit is the best set; Highway's AVX3 is the AVX-512 of Skylake and later.
        let best = String(cString: vitrail_instruction_set_name(sets & -sets))
        let name = best.hasPrefix("AVX3") ? "AVX-512" : best
        return "CPU, \(name), \(workers.count) thread\(workers.count == 1 ? "" : "s")"
    }

    /// 16,384, as of most GPUs, so that a picture fits into memory.
    public var maximumSide: Int { 16_384 }

    /// Allocates a picture.
    public func makeOffscreenTarget(
        size: VideoSize, format: PictureFormat
    ) throws(RenderingError) -> any OffscreenTarget {
        try makePicture(size: size, format: format)
    }

    /// Allocates a picture.
    package func makePicture(size: VideoSize, format: PictureFormat) throws(RenderingError) -> SoftwarePicture {
        guard (1...maximumSide).contains(size.width), (1...maximumSide).contains(size.height) else {
            throw RenderingError(
                .pixelBuffer, "A picture of \(size) cannot be made: each side must be 1 to \(maximumSide) pixels.")
        }
        guard let memory = PictureMemory(size, format) else { throw .noMemory(size) }
        return SoftwarePicture(memory, workers)
    }

    /// The counts for a tile so far.
    public func report(on tile: WallTile.ID) -> TileReport {
        var report = painters[tile]?.report ?? TileReport()
        if let wallFailure, wallFailure.wall == tile { report.effectFailure = wallFailure.error }
        guard painters[tile]?.needsShaders ?? true, let other = effects?.report(on: tile) else { return report }
        (report.effectFailure, report.effectTime) = (other.effectFailure, other.effectTime)
        report.effectTimes = other.effectTimes
        return report
    }

    /// Draws what the target does not show yet.
    @discardableResult
    public func render(_ scene: WallScene, into target: any RenderTarget) throws(RenderingError) -> Bool {
        guard let target = target as? any SoftwareTarget else {
            brokenRule("A renderer draws only into its own targets: make one with it.")
        }
        scene.check(target)
        guard scene.size.width > 0, scene.size.height > 0 else { return false }
        let picture = try target.picture()
        if scene.effects.isEmpty { whole = nil }
        try draw(scene, into: picture)
        do throws(RenderingError) {
            return try target.show(scene, drawn: parts)
        } catch {
            // What was drawn is not shown, and must be drawn again.
            picture.invalidate()
            throw error
        }
    }

    /// Draws what a picture does not show yet; ``parts`` are then what was drawn.
    private func draw(_ scene: WallScene, into target: SoftwarePicture) throws(RenderingError) {
        let extent = target.damage(of: scene, &parts)
        guard extent != .nothing else { return parts.removeAll(keepingCapacity: true) }
        if extent == .all || scene.isNearlyAll(parts) {
            parts.removeAll(keepingCapacity: true)
            parts.append(scene.bounds)
        }
        if !scene.effects.isEmpty, let effectStage {
            do throws(RenderingError) {
                return try drawWhole(scene, effectStage, into: target)
            } catch {
                target.invalidate()
                throw error
            }
        }
        updatePainters(scene, target.format)
        let effects: EffectPicture?
        do throws(RenderingError) {
            effects = try drawnEffects(of: scene, target.format)
        } catch {
            target.invalidate()
            // The next picture makes a renderer anew.
            self.effects = nil
            throw error
        }
        if let effects, !scene.effects.isEmpty {
            effects.copy(scene.bounds, to: target.memory)
            for index in shown.indices where scene.tiles[index].isVisible { shown[index].report.drawn += 1 }
            parts.removeAll(keepingCapacity: true)
            parts.append(scene.bounds)
            return
        }
        measureBlocks()
        drawing.plan(scene, parts, shown, target.memory, effects)
        workers.run(drawing, parts: drawing.stripCount)
        drawing.finish()
    }

    /// Draws the wall into a picture of its own first, which is then the frame of a tile with the wall's effects.
    private func drawWhole(
        _ scene: WallScene, _ stage: any EffectStage, into target: SoftwarePicture
    ) throws(RenderingError) {
        let whole = self.whole ?? WholePicture(scene.wall)
        self.whole = whole
        let picture = try whole.picture(scene.size, self)
        try draw(scene.withoutWhole, into: picture)
        try whole.update(hasChanged: !parts.isEmpty, scene.pictureColors)
        parts.removeAll(keepingCapacity: true)
        parts.append(scene.bounds)
        guard var tile = whole.tile(scene) else { return }
        if tile.needsShaders { tile = stage.tile(tile, of: scene.withoutWhole) }
        let shown = scene.showing(tile)
        let painter = whole.painter
        let drawing = painter.update(
            tile, shown, target.format, automaticReduction: automaticReduction)
        if let drawing {
            painter.use(TilePlan(drawing))
            self.drawing.reserve(painter)
        }
        measureBlocks(of: painter)
        self.drawing.plan(shown, parts, [painter], target.memory, nil)
        workers.run(self.drawing, parts: self.drawing.stripCount)
        self.drawing.finish()
    }

    /// Measures the blocks of effects in new frames, one effect after the other.
    private func measureBlocks() {
        // By index: in debug builds an array's iterator allocates.
        for index in shown.indices { measureBlocks(of: shown[index]) }
    }

    private func measureBlocks(of painter: TilePainter) {
        guard painter.hasOldBlocks, painter.hasFrame, let effects = painter.effects else { return }
        for number in effects.blocks.indices {
            measuring.begin(painter, effects.blocks[number])
            workers.run(measuring, parts: effects.blocks[number].rowCount)
        }
        painter.noteBlocks()
    }

    /// Draws what has effects; `nil` if nothing has, or if they cannot be drawn, which is then reported.
    private func drawnEffects(of scene: WallScene, _ format: PictureFormat) throws(RenderingError) -> EffectPicture? {
        wallFailure = nil
        guard scene.needsShaders else {
            effectProblem = nil
            return nil
        }
        if effects == nil, effectProblem == nil { makeEffects() }
        guard let effects else {
            noteEffectProblem(scene)
            return nil
        }
        try effects.draw(scene, format)
        return effects
    }

    private func makeEffects() {
        guard let makeEffectRenderer else {
            effectProblem = "effects need OpenGL, which this renderer was made without"
            return
        }
        do {
            effects = EffectPicture(try makeEffectRenderer())
        } catch {
            effectProblem = "effects need OpenGL, which cannot be used: \(error)"
        }
    }

    private func noteEffectProblem(_ scene: WallScene) {
        guard let effectProblem else { return }
        for index in scene.tiles.indices {
            guard scene.tiles[index].needsShaders, let step = scene.tiles[index].effects.steps.first else { continue }
            shown[index].report.effectFailure = EffectError(effectProblem, file: step.effect.name)
        }
        guard let step = scene.effects.steps.first else { return }
        wallFailure = (scene.wall, EffectError(effectProblem, file: step.effect.name))
    }

    /// Samples a pixel of a scene.
    public func sample(atX x: Int, y: Int, of scene: WallScene) throws(RenderingError) -> PixelSample? {
        guard let index = scene.tile(atX: Double(x), y: Double(y)) else { return nil }
        if let effects, !scene.effects.isEmpty || scene.tiles[index].needsShaders {
            return try effects.sample(atX: x, y: y, of: scene)
        }
        return PixelProbe.sample(scene, scene.tiles[index], x, y, automaticReduction: automaticReduction)
    }

    private func updatePainters(_ scene: WallScene, _ format: PictureFormat) {
        shown.removeAll(keepingCapacity: true)
        for index in scene.tiles.indices {
            let painter = painter(of: scene.tiles[index].id)
            let drawing = painter.update(
                scene.tiles[index], scene, format, automaticReduction: automaticReduction)
            if let drawing {
                painter.use(plan(drawing) ?? TilePlan(drawing))
                self.drawing.reserve(painter)
            }
            shown.append(painter)
        }
        guard painters.count > scene.tiles.count else { return }
        let ids = Set(scene.tiles.map(\.id))
        painters = painters.filter { ids.contains($0.key) }
    }

    private func painter(of id: WallTile.ID) -> TilePainter {
        if let made = painters[id] { return made }
        let painter = TilePainter(id)
        painters[id] = painter
        return painter
    }

    /// A plan for a drawing that another tile has.
    private func plan(_ drawing: TileDrawing) -> TilePlan? {
        for (_, painter) in painters { if let plan = painter.plan, plan.drawing == drawing { return plan } }
        return nil
    }
}
