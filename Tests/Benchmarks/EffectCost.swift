import GLRendering
import MediaIO
import VideoEffects
import VideoWall
import VitrailGL

/// One stream drawn with two chains of effects: what one costs in comparison with the other.
struct EffectCost {
    /// The processor time per picture with each chain, in seconds, and the median of their ratios, picture by picture.
    struct Result {
        var one = 0.0
        var other = 0.0
        var ratio = 0.0
    }

    /// A wall of one tile; a renderer draws one wall only.
    private struct Side {
        let renderer: GLRenderer
        let wall = Wall(layout: GridLayout())
        let tile: WallTile
        let target: any OffscreenTarget

        init(_ context: GLContext, _ chain: EffectChain, _ size: VideoSize) throws {
            renderer = try GLRenderer(context: context)
            target = try renderer.makeOffscreenTarget(size: size)
            tile = wall.addTile(named: "stream")
            tile.filter = .bilinear
            tile.effects = chain
        }

        func draw(_ frame: VideoFrame) throws -> Double {
            try ProcessorTime.of {
                tile.mailbox.put(frame)
                try renderer.render(wall, into: target)
                renderer.context.finish()
            }
        }
    }

    private let one: Side
    private let other: Side
    private let frames: [VideoFrame]

    /// Makes both walls.
    ///
    /// - Parameters:
    ///   - context: the context that both draw with.
    ///   - one: a chain, as on the command line.
    ///   - other: the chain that it is compared with.
    ///   - format: I420 or NV12.
    ///   - size: the size of the frames and of the pictures.
    /// - Throws: `EffectError`, `StreamError` or `RenderingError`.
    init(_ context: GLContext, _ one: String, _ other: String, _ format: PixelFormat, size: VideoSize) throws {
        var notes: [String] = []
        self.one = try Side(context, EffectChain(one, notes: &notes), size)
        self.other = try Side(context, EffectChain(other, notes: &notes), size)
        let space = ColorSpace(matrix: .bt709, range: .limited)
        frames = try (0..<2).map { start in
            let bytes = (0..<format.packedByteCount(size)).map {
                UInt8(truncatingIfNeeded: ($0 * 7 + $0 / size.width * 3) >> 3 + 60 * start)
            }
            return try VideoFrame(
                copying: bytes.span.bytes, format: format, size: size,
                attributes: FrameAttributes(colorSpace: space))
        }
    }

    /// Measures both alternately, so that other load on the machine affects both equally.
    ///
    /// - Parameter count: the number of pictures of each kind.
    /// - Returns: the mean of each kind, and the median of their ratios.
    /// - Throws: `RenderingError` if nothing can be drawn any more.
    func measure(_ count: Int) throws -> Result {
        var result = Result()
        var ratios: [Double] = []
        // The first rounds create and compile everything.
        for round in -4..<count {
            let frame = frames[(round + 4) % frames.count]
            let (first, second) = (try one.draw(frame), try other.draw(frame))
            guard round >= 0 else { continue }
            result.one += first / Double(count)
            result.other += second / Double(count)
            ratios.append(first / second)
        }
        result.ratio = ratios.sorted()[ratios.count / 2]
        return result
    }
}
