import MediaIO
import VideoWall
import VitrailGL

/// The renderer's resources for one tile: the planes of its newest frame on the GPU, and what draws them.
final class TileTextures {
    /// The tile; retaining its identity keeps it unique.
    let id: WallTile.ID
    private(set) var report = TileReport()
    /// The planes of the newest frame, unless it cannot be drawn.
    private(set) var planes: FrameTextures?
    /// The number of the last frame that was uploaded, or failed to.
    private(set) var frameNumber = -1
    private let drawer = FrameDrawer()
    /// The kind of program that was missing when a frame should have been uploaded.
    private var refusedKind: VideoProgram.Kind?
    /// Draws the tile's effects; `nil` if there are none.
    private var effects: TileEffects?
    /// Measures them; `nil` if they have no budget.
    private(set) var timer: EffectTimer?

    init(_ id: WallTile.ID) { self.id = id }

    /// Uploads the tile's frame, unless it is uploaded already or no program can draw it.
    func update(
        _ tile: WallScene.Tile, _ context: GLContext, _ view: TargetView, _ shared: borrowing SharedResources
    ) {
        guard frameNumber != tile.frameNumber || isWorthAnotherTry(tile, view) else { return }
        frameNumber = tile.frameNumber
        refusedKind = nil
        report.failure = nil
        report.copyReason = nil
        drawer.invalidate()
        effects?.invalidate()
        guard let frame = tile.frame else {
            release(shared.uploader)
            return
        }
        do {
            if let format = frame.image.format { try findPrograms(frame, format, tile, view, shared) }
            if try takes(frame.image, context, shared) {
                report.imported += 1
            } else {
                try upload(frame.pixelBuffer, context, shared.uploader)
                report.uploaded += 1
            }
        } catch {
            release(shared.uploader)
            fail("\(error)")
        }
    }

    /// Releases the planes, if there are any; textures of somebody else are returned.
    func release(_ uploader: FrameUploader) {
        planes?.release(uploader)
        planes = nil
    }

    private func findPrograms(
        _ frame: VideoFrame, _ format: PixelFormat, _ tile: WallScene.Tile, _ view: TargetView,
        _ shared: borrowing SharedResources
    ) throws(GLError) {
        let drawing = FrameDrawing(frame, format, tile, view)
        refusedKind = drawing.kind
        try drawer.findPrograms(drawing, shared)
        refusedKind = nil
    }

    /// Draws what precedes the draw into the target: the first of two passes of scaling, and effects.
    ///
    /// - Parameters:
    ///   - tile: the tile.
    ///   - context: the context.
    ///   - view: the target.
    ///   - shared: the resources shared by all tiles.
    ///   - others: the tiles of the scene, whose frames are uploaded.
    func prepare(
        _ tile: WallScene.Tile, _ context: GLContext, _ view: TargetView, _ shared: borrowing SharedResources,
        _ others: SceneTextures
    ) {
        if tile.effects.isEmpty {
            (effects, report.effectFailure) = (nil, nil)
        } else if effects == nil {
            effects = TileEffects()
        }
        measureEffects(others.scene.effectBudget, context, shared)
        guard let frame = tile.frame, let planes else { return }
        timer?.start()
        defer { timer?.stop() }
        do throws(GLError) {
            if let effects {
                try effects.prepare(tile, frame, planes, context, view, shared, others)
                report.effectFailure = effects.failure
            }
            guard effects?.isDrawnAlone != true else { return }
            let drawing = drawing(tile, frame, planes, view)
            // A conversion can enlarge the steps of half floats to many code values.
            let isFull = view.depth > 8 || drawing.kind.conversion != nil
            try drawer.prepare(drawing, planes, context, isFull: isFull, shared)
        } catch {
            fail(error.description)
        }
    }

    /// Begins to measure the effects in a picture, and notes the newest time.
    private func measureEffects(_ budget: Duration?, _ context: GLContext, _ shared: borrowing SharedResources) {
        guard let budget, effects != nil else { return timer = nil }
        let timer = self.timer ?? EffectTimer(context, usesQueries: shared.usesTimerQueries)
        self.timer = timer
        let count = timer.count
        timer.beginPicture(budget)
        guard timer.count != count else { return }
        report.effectTime = timer.time
        report.effectTimes += 1
    }

    /// Whether the frame's program could not be made, and the tile's settings ask for another program now.
    private func isWorthAnotherTry(_ tile: WallScene.Tile, _ view: TargetView) -> Bool {
        guard let refusedKind, let frame = tile.frame else { return false }
        return refusedKind != FrameDrawing(frame, refusedKind.format, tile, view).kind
    }

    private func upload(
        _ buffer: PixelBuffer, _ context: GLContext, _ uploader: FrameUploader
    ) throws(GLError) {
        if planes?.format != buffer.format || planes?.size != buffer.size || planes?.isImported == true {
            release(uploader)
            planes = try FrameTextures(context, format: buffer.format, size: buffer.size)
        }
        planes?.upload(buffer, uploader)
        #if DEBUG
            try context.check("Uploading a frame")
        #endif
    }

    /// Takes the textures or the memory of a frame.
    ///
    /// - Returns: false if it must be uploaded.
    private func takes(
        _ image: FrameImage, _ context: GLContext, _ shared: borrowing SharedResources
    ) throws -> Bool {
        switch image {
        case .texture(let image):
            try planes(image.format, image.size, shared.uploader).take(image, context, shared.uploader)
            return true
        case .dmaBuffer(let image):
            guard let format = image.format else { return false }
            let isTaken = try shared.imports.take(
                image, format, shared.uploader, into: planes(format, image.size, shared.uploader))
            report.copyReason = shared.imports.reason
            return isTaken
        case .planes, .encoded: return false
        }
    }

    /// Planes for textures or memory that belong to somebody else.
    private func planes(_ format: PixelFormat, _ size: VideoSize, _ uploader: FrameUploader) -> FrameTextures {
        if let planes, planes.isImported, planes.format == format, planes.size == size { return planes }
        release(uploader)
        let made = FrameTextures(importing: format, size: size)
        planes = made
        return made
    }

    private func drawing(
        _ tile: WallScene.Tile, _ frame: VideoFrame, _ planes: FrameTextures, _ view: TargetView
    ) -> FrameDrawing {
        FrameDrawing(frame, planes.format, tile, view, effects: effects?.folded ?? [])
    }

    /// Draws the tile's frame, with its effects.
    ///
    /// - Returns: false if there is nothing to draw.
    func draw(_ tile: WallScene.Tile, _ view: TargetView, _ shared: borrowing SharedResources) -> Bool {
        guard let frame = tile.frame, let planes else { return false }
        timer?.start()
        defer { timer?.stop() }
        do throws(GLError) {
            if let effects {
                if effects.isDrawnAlone {
                    try effects.draw(tile, planes.format, view, shared)
                } else {
                    try drawer.draw(
                        drawing(tile, frame, planes, view), planes, effects.leading, effects.state, shared: shared)
                }
            } else {
                try drawer.draw(drawing(tile, frame, planes, view), planes, shared: shared)
            }
        } catch {
            fail(error.description)
        }
        return true
    }

    /// Draws the code values of the tile's frame instead of its colours.
    ///
    /// - Returns: false if there is nothing to draw.
    func drawSamples(_ tile: WallScene.Tile, _ view: TargetView, _ shared: borrowing SharedResources) -> Bool {
        guard let frame = tile.frame, let planes else { return false }
        do throws(GLError) {
            let drawing = FrameDrawing(frame, planes.format, tile, view, drawsSamples: true)
            try FrameDrawer().draw(drawing, planes, shared: shared)
        } catch {
            fail(error.description)
        }
        return true
    }

    /// Counts a draw of the tile, with or without a frame.
    func wasDrawn() { report.drawn += 1 }

    private func fail(_ reason: String) {
        report.failed += 1
        report.failure = reason
    }
}

/// The tiles of a scene and their textures, for effects that read other tiles.
struct SceneTextures {
    let scene: WallScene
    let textures: [WallTile.ID: TileTextures]

    /// The tile of a number, from 1, and its planes; `nil` if it has no frame.
    func tile(_ number: Int) -> (
        tile: WallScene.Tile, frame: VideoFrame, textures: TileTextures, planes: FrameTextures
    )? {
        guard scene.tiles.indices.contains(number - 1) else { return nil }
        let tile = scene.tiles[number - 1]
        guard let frame = tile.frame, let textures = textures[tile.id], let planes = textures.planes else { return nil }
        return (tile, frame, textures, planes)
    }
}
