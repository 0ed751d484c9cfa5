import MediaIO
import VideoWall
import VitrailGL

/// The renderer's resources for one tile: the planes of its newest frame on the GPU, and the program that draws them.
final class TileTextures {
    /// The tile; retaining its identity keeps it unique.
    let id: WallTile.ID
    private(set) var report = TileReport()
    /// The number of the last frame that was uploaded, or failed to.
    private var frameNumber = -1
    private var planes: FrameTextures?
    private var program: VideoProgram?
    /// For scaling with a kernel: the result of the first pass, and its program.
    private var rows: ScaledRows?
    private var acrossProgram: VideoProgram?
    /// The kind of program that was missing when a frame should have been uploaded.
    private var refusedKind: VideoProgram.Kind?

    init(_ id: WallTile.ID) { self.id = id }

    /// Uploads the tile's frame, unless it is uploaded already or no program can draw it, and draws the first of two
    /// passes.
    func update(
        _ tile: WallScene.Tile, _ context: GLContext, _ view: TargetView, _ shared: borrowing SharedResources
    ) {
        if frameNumber != tile.frameNumber || isWorthAnotherTry(tile, view) {
            frameNumber = tile.frameNumber
            takeFrame(tile, context, view, shared)
        }
        guard let frame = tile.frame, let format = planes?.format else { return }
        do throws(GLError) {
            try scaleAcross(FrameDrawing(frame, format, tile, view), context, view, shared)
        } catch {
            rows = nil
            fail(error.description)
        }
    }

    private func takeFrame(
        _ tile: WallScene.Tile, _ context: GLContext, _ view: TargetView, _ shared: borrowing SharedResources
    ) {
        refusedKind = nil
        report.failure = nil
        rows?.invalidate()
        guard let frame = tile.frame else {
            planes = nil
            return
        }
        do {
            let buffer = try frame.pixelBuffer
            let drawing = FrameDrawing(frame, buffer.format, tile, view)
            refusedKind = drawing.kind
            try findPrograms(drawing, shared)
            refusedKind = nil
            try upload(buffer, context)
            report.uploaded += 1
        } catch {
            planes = nil
            fail("\(error)")
        }
    }

    /// Whether there was no program for the frame, and now another one would draw it.
    private func isWorthAnotherTry(_ tile: WallScene.Tile, _ view: TargetView) -> Bool {
        guard let refusedKind, let frame = tile.frame else { return false }
        return refusedKind != FrameDrawing(frame, refusedKind.format, tile, view).kind
    }

    private func findPrograms(_ drawing: FrameDrawing, _ shared: borrowing SharedResources) throws(GLError) {
        let isKernel = drawing.kind.scaling.kernel != nil
        if isKernel, acrossProgram?.kind != drawing.across.kind {
            acrossProgram = try shared.programs.program(drawing.across.kind)
        }
        let kind = isKernel ? drawing.down.kind : drawing.kind
        if program?.kind != kind { program = try shared.programs.program(kind) }
    }

    private func upload(_ buffer: PixelBuffer, _ context: GLContext) throws(GLError) {
        if planes?.format != buffer.format || planes?.size != buffer.size {
            planes = try FrameTextures(context, format: buffer.format, size: buffer.size)
        }
        planes?.upload(buffer)
        #if DEBUG
            try context.check("Uploading a frame")
        #endif
    }

    /// Draws the first pass of scaling with a kernel, unless it is drawn already.
    private func scaleAcross(
        _ drawing: FrameDrawing, _ context: GLContext, _ view: TargetView, _ shared: borrowing SharedResources
    ) throws(GLError) {
        guard drawing.kind.scaling.kernel != nil else {
            rows = nil
            return
        }
        let (across, isFull) = (drawing.across, view.depth > 8)
        if rows?.fits(drawing.rowsSize, isFull: isFull) != true {
            rows = try ScaledRows(context, size: drawing.rowsSize, isFull: isFull)
        }
        guard rows?.content != across else { return }
        try findPrograms(drawing, shared)
        rows?.begin(across)
        acrossProgram?.use(across)
        planes?.bind(across.kind.scaling, shared)
        shared.vertices.drawRectangle()
    }

    /// Draws the tile's frame; `drawsSamples` draws its code values instead of colours.
    ///
    /// - Returns: false if there is nothing to draw.
    func draw(
        _ tile: WallScene.Tile, _ view: TargetView, _ shared: borrowing SharedResources,
        drawsSamples: Bool = false
    ) -> Bool {
        guard let frame = tile.frame, let format = planes?.format else { return false }
        do throws(GLError) {
            try draw(FrameDrawing(frame, format, tile, view, drawsSamples: drawsSamples), shared)
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

    private func draw(_ drawing: FrameDrawing, _ shared: borrowing SharedResources) throws(GLError) {
        try findPrograms(drawing, shared)
        if drawing.kind.scaling.kernel != nil {
            // Without the first pass, whose failure is reported, there is nothing to draw.
            guard rows?.content != nil else { return }
            program?.use(drawing.down)
            rows?.bind(shared)
        } else {
            program?.use(drawing)
            planes?.bind(drawing.kind.scaling, shared)
        }
        shared.vertices.drawRectangle()
    }
}
