import CVitrailKernels
import FrameConversion
import MediaIO
import VideoWall

/// Reads single pixels: it draws a tile as usual, but only one pixel of it.
enum PixelProbe {
    /// Draws one pixel of a tile twice: its samples, and its colour.
    ///
    /// - Parameters:
    ///   - scene: the scene.
    ///   - tile: the tile.
    ///   - x: the column of the pixel on the wall.
    ///   - y: the row of the pixel on the wall, downwards.
    ///   - automaticReduction: the reduction above which the automatic filter antialiases.
    /// - Returns: `nil` if the tile has no frame there.
    static func sample(
        _ scene: WallScene, _ tile: WallScene.Tile, _ x: Int, _ y: Int, automaticReduction: Float
    ) -> PixelSample? {
        let area = tile.placement.destination
        guard let frame = tile.frame, let buffer = try? frame.pixelBuffer, area.contains(x: Double(x), y: Double(y))
        else { return nil }
        // The samples at that position, not a mean of them.
        var exact = tile
        exact.filter = .nearest
        func draw(_ tile: WallScene.Tile, _ drawsSamples: Bool) -> (TileDrawing, SIMD4<Float>)? {
            let steps = drawsSamples ? nil : KernelSteps(tile.effectPlan)
            let drawing = TileDrawing(
                frame, buffer.format, tile, scene, .rgba32f, automaticReduction: automaticReduction, effects: steps,
                drawsSamples: drawsSamples)
            let effects = steps.map { PixelEffects($0, ditherDepth: drawing.ditherDepth) }
            return color(drawing, effects, buffer, x - area.x, y - area.y).map { (drawing, $0) }
        }
        guard let (drawing, samples) = draw(exact, true), let (_, color) = draw(tile, false) else { return nil }
        let column = Int(drawing.columns.luma().bases[x - area.x])
        let row = Int(drawing.rows.luma().bases[y - area.y])
        return PixelSample(
            tile: tile.id, x: drawing.isTurned ? row : column, y: drawing.isTurned ? column : row, buffer.format,
            samples: samples, color: color)
    }

    private static func color(
        _ drawing: TileDrawing, _ effects: PixelEffects?, _ buffer: PixelBuffer, _ x: Int, _ y: Int
    ) -> SIMD4<Float>? {
        let scratch = vitrail_scratch_make()
        defer { vitrail_scratch_free(scratch) }
        let plan = TilePlan(drawing)
        let samples = UnsafeMutablePointer<VitrailSamples>.allocate(capacity: 4)
        defer { samples.deallocate() }
        plan.locate(FramePlanes(buffer), samples)
        defer { buffer.noteReads() }
        for blocks in effects?.blocks ?? [] {
            for row in 0..<blocks.rowCount {
                guard let effects, plan.measure(samples, scratch, effects, blocks, row: row) else { return nil }
            }
        }
        var color = SIMD4<Float>.zero
        let isDrawn = withUnsafeMutableBytes(of: &color) { bytes in
            plan.paint(
                samples, scratch, effects,
                VitrailPart(
                    pixels: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytesPerRow: 16, x0: Int32(x),
                    y0: Int32(y), x1: Int32(x + 1), y1: Int32(y + 1)))
        }
        return isDrawn ? color : nil
    }
}
