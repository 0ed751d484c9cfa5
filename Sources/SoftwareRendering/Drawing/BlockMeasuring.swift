import FrameConversion

/// The measuring of the blocks of one effect of a tile, a row of blocks at a time.
///
/// **Thread:** ``begin(_:_:)`` on the render thread; rows on any.
final class BlockMeasuring: SharedWork, @unchecked Sendable {
    // Unchecked: what rows read is written before they begin, and each writes blocks of its own.
    private let drawing: SceneDrawing
    private var painter: TilePainter?
    private var blocks: PixelEffects.Blocks?

    /// - Parameter drawing: has the memory of each thread.
    init(_ drawing: SceneDrawing) { self.drawing = drawing }

    /// Sets what is measured.
    func begin(_ painter: TilePainter, _ blocks: PixelEffects.Blocks) {
        (self.painter, self.blocks) = (painter, blocks)
    }

    func perform(_ part: Int, worker: Int) {
        guard let painter, let blocks, let effects = painter.effects, let plan = painter.plan else { return }
        if !plan.measure(painter.samples, drawing.scratches[worker], effects, blocks, row: part) {
            drawing.noteNoMemory()
        }
    }
}
