public import MediaIO
public import VideoWall
public import VitrailGL
import VitrailSupport

/// Draws walls with OpenGL.
///
/// It draws into windows (``GLWindowTarget``), pictures that are read back (``makeOffscreenTarget(size:format:)``), and
/// framebuffers of a host (``GLFramebufferTarget``).
///
/// **Thread:** render thread.
public final class GLRenderer: WallRenderer {
    /// The context that it draws with.
    public let context: GLContext
    /// Whether every call of the renderer and of its offscreen targets restores the context's state.
    public let restoresState: Bool
    private let shared: SharedResources
    private let overlays: OverlayDrawer
    /// The reduction above which ``ScalingFilter/automatic`` antialiases, in source pixels per target pixel.
    var automaticReduction: Float
    /// Created at first use.
    private var probe: GLPixelProbe?
    /// The resources of each tile, by its identity.
    private var tiles: [WallTile.ID: TileTextures] = [:]
    /// The effects of the whole wall; created at first use.
    private var wallEffects: (wall: Wall.ID, effects: WallEffects)?
    /// Draws tiles with effects at a pace of their own, when this renderer draws a wall.
    public var effectStage: (any EffectStage)?
    /// Measures the passes; `nil` for software drivers, where queries tell little.
    var passTimer: PassTimer?
    /// The rectangles to redraw, in reused memory.
    private var parts: [Rectangle] = []

    /// Creates a renderer and the resources that all tiles share.
    ///
    /// **Cost:** rare; 10 to 50 ms.
    /// - Parameters:
    ///   - context: the context to draw with.
    ///   - upload: how frames reach the GPU.
    ///   - restoresState: whether every call of the renderer and of its offscreen targets restores the context's state,
    ///     for a host that draws with it, too; the host's pending errors are cleared.
    /// - Throws: ``RenderingError`` if the driver rejects the shaders.
    public init(
        context: GLContext, upload: UploadMethod = .auto, restoresState: Bool = false
    ) throws(RenderingError) {
        let state = try context.prepare(savesState: restoresState)
        defer { state?.restore() }
        do throws(GLError) {
            shared = try SharedResources(context, upload)
            overlays = try OverlayDrawer(context)
        } catch {
            throw RenderingError(error)
        }
        self.context = context
        self.restoresState = restoresState
        automaticReduction = ScalingMethod.automaticReduction(onCPU: context.information.isSoftware)
        let hasTimes = !context.information.isSoftware && context.information.hasTimestamps
        passTimer = hasTimes ? PassTimer(context) : nil
    }

    deinit {
        // The tiles return textures and memory of others when they are released; first, the GPU must have read them.
        guard tiles.values.contains(where: { $0.planes?.isImported == true }) else { return }
        let previous = CurrentContext()
        if (try? context.use()) != nil { context.finish() }
        previous.restore()
    }

    /// How long the GPU has worked so far; `nil` for software drivers.
    public var passTimes: PassTimes? { passTimer?.times }

    /// How frames reach the GPU, never ``UploadMethod/auto``.
    public var uploadMethod: UploadMethod { shared.uploader.method }

    var imports: DMABufferImports { shared.imports }

    /// Why ``uploadMethod`` was chosen; without a full stop.
    public var uploadReason: String { shared.uploader.reason }

    /// ``uploadMethod`` and ``uploadReason``, for people.
    public var uploadDescription: (method: String, reason: String)? { (uploadMethod.rawValue, uploadReason) }

    /// Memory that the GPU reads by itself, for ``UploadMethod/mapped``.
    public var frameMemory: (any FrameMemory)? { shared.uploader.memory }

    /// Makes room in ``frameMemory`` before it is needed; later it grows by itself.
    ///
    /// Memory that stays empty for 300 pictures is freed. At most 1 GiB is kept; further frames are in ordinary memory.
    ///
    /// **Cost:** rare.
    public func reserveFrameMemory(byteCount: Int) throws(RenderingError) {
        let state = try context.prepare(savesState: restoresState)
        defer { state?.restore() }
        shared.uploader.memory?.reserve(byteCount)
    }

    /// The name of the GPU or of the software rasterizer.
    public var name: String { context.information.renderer }

    /// The driver's `GL_MAX_TEXTURE_SIZE`.
    public var maximumSide: Int { context.information.maximumTextureSize }

    /// Allocates a picture in GPU memory.
    ///
    /// - Throws: ``RenderingError`` if the size exceeds `GL_MAX_TEXTURE_SIZE`, with that number.
    public func makeOffscreenTarget(
        size: VideoSize, format: PictureFormat
    ) throws(RenderingError) -> any OffscreenTarget { try makeTextureTarget(size: size, format: format) }

    /// Allocates a picture in a texture, which the host can draw with, or which other renderers can show.
    ///
    /// - Throws: ``RenderingError`` if the size exceeds `GL_MAX_TEXTURE_SIZE`, with that number.
    public func makeTextureTarget(
        size: VideoSize, format: PictureFormat = .rgba8
    ) throws(RenderingError) -> GLOffscreenTarget {
        let state = try context.prepare(savesState: restoresState)
        defer { state?.restore() }
        do throws(GLError) {
            return try GLOffscreenTarget(context, size: size, format: format, restoresState: restoresState)
        } catch {
            throw RenderingError(error)
        }
    }

    /// The counts for a tile so far.
    public func report(on tile: WallTile.ID) -> TileReport {
        if let report = tiles[tile]?.report { return report }
        var report = TileReport()
        report.failure = overlays.failure(on: tile)
        guard let wallEffects, wallEffects.wall == tile else { return report }
        report.effectFailure = wallEffects.effects.failure
        if let timer = wallEffects.effects.timer, timer.count > 0 {
            (report.effectTime, report.effectTimes) = (timer.time, timer.count)
        }
        return report
    }

    /// Draws what the target does not show yet.
    ///
    /// Uploads, then draws each changed rectangle once, with all tiles that intersect it. Does not wait for the GPU.
    @discardableResult
    public func render(_ scene: WallScene, into target: any RenderTarget) throws(RenderingError) -> Bool {
        guard let target = target as? any GLTarget, target.context === context else {
            brokenRule("A renderer draws only into targets of its own context: make one with it.")
        }
        scene.check(target)
        guard scene.size.width > 0, scene.size.height > 0 else { return false }
        // First, because the target records the scene as drawn in the next call.
        let previous = restoresState || target.restoresState ? CurrentContext() : nil
        defer { previous?.restore() }
        do throws(GLError) { try context.use() } catch { throw RenderingError(error) }
        if context.isLost { throw lossError }
        let extent = target.damage(of: scene, &parts)
        guard extent != .nothing else { return false }
        let state: DrawingState?
        do throws(RenderingError) {
            state = try context.prepare(savesState: restoresState || target.restoresState)
        } catch {
            target.invalidate()
            throw error
        }
        defer { state?.restore() }
        let view = view(of: scene, target.view)
        passTimer?.begin()
        defer { target.unbind() }
        do throws(GLError) {
            if let effects = effects(of: scene) {
                try draw(scene, effects, view, into: target)
            } else {
                updateTiles(scene, view)
                try target.bind()
                context.setViewport(
                    x: view.origin.x, y: view.origin.y, width: view.size.width, height: view.size.height)
                drawParts(scene, extent, view, withOverlays: true)
            }
        } catch {
            target.invalidate()
            throw context.isLost ? lossError : RenderingError(error)
        }
        passTimer?.end(.draw)
        releaseUnused(scene)
        context.setScissor(nil)
        overlays.keepOnly(imagesOf: scene)
        #if DEBUG
            do throws(GLError) {
                try context.check("Drawing the wall")
            } catch {
                target.invalidate()
                throw context.isLost ? lossError : RenderingError(error)
            }
        #endif
        return true
    }

    /// The error of a lost context.
    ///
    /// It suspects the effects that have been unfinished for longest: the GPU hung there.
    private var lossError: RenderingError {
        var earliest: (tile: WallTile.ID, time: MonotonicTime)?
        func note(_ id: WallTile.ID, _ timer: EffectTimer?) {
            guard let time = timer?.unfinishedSince, earliest.map({ time < $0.time }) ?? true else { return }
            earliest = (id, time)
        }
        for (id, textures) in tiles { note(id, textures.timer) }
        if let wallEffects { note(wallEffects.wall, wallEffects.effects.timer) }
        return .contextLost(earliest?.tile)
    }

    private func drawParts(
        _ scene: WallScene, _ extent: DamageHistory.Extent, _ view: TargetView, withOverlays: Bool
    ) {
        if extent == .all || scene.isNearlyAll(parts) {
            draw(scene, scene.bounds, view, withOverlays: withOverlays)
        } else if extent == .parts {
            for index in parts.indices { draw(scene, parts[index], view, withOverlays: withOverlays) }
        }
    }

    /// The effects of the whole wall, or `nil` if there is nothing to apply.
    private func effects(of scene: WallScene) -> WallEffects? {
        guard !scene.effects.isEmpty else {
            wallEffects = nil
            return nil
        }
        let entry = wallEffects ?? (scene.wall, WallEffects())
        wallEffects = entry
        return entry.effects.plan(scene, shared) ? entry.effects : nil
    }

    /// Draws a scene with effects on the whole wall.
    private func draw(
        _ scene: WallScene, _ effects: WallEffects, _ view: TargetView, into target: any GLTarget
    ) throws(GLError) {
        let inner = view.inner(scene.size)
        updateTiles(scene, inner)
        let extent = try effects.begin(scene, context, &parts)
        drawParts(scene, extent, inner, withOverlays: false)
        context.setScissor(nil)
        try effects.prepare(scene, context, view, shared, SceneTextures(scene: scene, textures: tiles))
        try target.bind()
        context.setViewport(x: view.origin.x, y: view.origin.y, width: view.size.width, height: view.size.height)
        view.setScissor(scene.bounds, context)
        try effects.draw(scene, view, shared)
        overlays.draw(scene.overlays, scene.bounds, view)
    }

    /// Releases the programs and textures of effects that the scene does not have.
    private func releaseUnused(_ scene: WallScene) {
        guard shared.effects.hasNew || shared.images.hasNew else { return }
        let steps = scene.tiles.flatMap(\.effects.steps) + scene.effects.steps
        shared.effects.keepOnly(Set(steps.map(\.effect)))
        shared.images.keepOnly(steps)
    }

    /// Samples a pixel of a scene.
    public func sample(atX x: Int, y: Int, of scene: WallScene) throws(RenderingError) -> PixelSample? {
        guard let index = scene.tile(atX: Double(x), y: Double(y)) else { return nil }
        let state = try context.prepare(savesState: restoresState)
        defer { state?.restore() }
        let textures = textures(of: scene.tiles[index].id)
        let view = view(
            of: scene, TargetView(size: scene.size, topIsFirstRow: true, depth: PictureFormat.rgba32f.depth))
        textures.update(scene.tiles[index], context, view, shared)
        textures.prepare(scene.tiles[index], context, view, shared, SceneTextures(scene: scene, textures: tiles))
        do throws(GLError) {
            if probe == nil { probe = try GLPixelProbe(context) }
        } catch {
            throw RenderingError(error)
        }
        return probe?.sample(scene.tiles[index], textures, x, y, view, shared)
    }

    private func view(of scene: WallScene, _ view: TargetView) -> TargetView {
        var view = view
        (view.colors, view.conversion) = (scene.colorTarget, scene.colorConversion)
        view.automaticReduction = automaticReduction
        return view
    }

    private func textures(of id: WallTile.ID) -> TileTextures {
        if let made = tiles[id] { return made }
        let textures = TileTextures(id)
        tiles[id] = textures
        return textures
    }

    /// Uploads new frames, and releases the resources of tiles that are gone.
    private func updateTiles(_ scene: WallScene, _ view: TargetView) {
        for index in scene.tiles.indices {
            let textures = textures(of: scene.tiles[index].id)
            // A hidden tile has a frame if an effect of another one reads it.
            if scene.tiles[index].isVisible || scene.tiles[index].frame != nil {
                textures.update(scene.tiles[index], context, view, shared)
            }
        }
        if tiles.count > scene.tiles.count {
            let ids = Set(scene.tiles.map(\.id))
            for (id, textures) in tiles where !ids.contains(id) { textures.release(shared.uploader) }
            tiles = tiles.filter { ids.contains($0.key) }
        }
        shared.uploader.endPicture()
        passTimer?.end(.upload)
        let all = SceneTextures(scene: scene, textures: tiles)
        for index in scene.tiles.indices where scene.tiles[index].isVisible {
            tiles[scene.tiles[index].id]?.prepare(scene.tiles[index], context, view, shared, all)
        }
        passTimer?.end(.prepare)
    }

    private func clear(_ color: SIMD3<Float>, _ view: TargetView) {
        let shown = view.colors.shown(SIMD4(color, 1))
        context.clear(red: shown.x, green: shown.y, blue: shown.z)
    }

    /// Draws the part of a scene inside a rectangle, with or without the overlays over all tiles.
    private func draw(_ scene: WallScene, _ part: Rectangle, _ view: TargetView, withOverlays: Bool) {
        view.setScissor(part, context)
        clear(scene.surround, view)
        for place in scene.order.indices where scene.tiles[scene.order[place]].isVisible {
            let index = scene.order[place]
            let reach = scene.tiles[index].rectangle.intersection(part)
            guard reach.width > 0, reach.height > 0, let textures = tiles[scene.tiles[index].id] else { continue }
            if !textures.draw(scene.tiles[index], view, shared) {
                view.setScissor(reach, context)
                clear(WallScene.emptyTile, view)
                view.setScissor(part, context)
            }
            if !scene.tiles[index].overlays.isEmpty {
                view.setScissor(reach, context)
                overlays.draw(scene.tiles[index].overlays, reach, view)
                view.setScissor(part, context)
            }
            textures.wasDrawn()
        }
        if withOverlays { overlays.draw(scene.overlays, part, view) }
    }
}
