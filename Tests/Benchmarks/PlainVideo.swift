import GLRendering
import MediaIO
import VideoWall
import VitrailGL

/// One 8-bit SDR stream drawn by the library and by ``MinimalDrawing``: what the library's generality costs.
struct PlainVideo {
    /// The processor time per picture, in seconds, and how the two compare.
    struct Result {
        var library = 0.0
        var minimal = 0.0
        /// The median of the library's time divided by the minimal one's, picture by picture.
        var ratio = 0.0
        /// The largest difference of the two pictures, in code values.
        var difference = 0
    }

    private static let frameSize = VideoSize(width: 1920, height: 1080)

    private let format: PixelFormat
    private let size: VideoSize
    private let renderer: GLRenderer
    private let wall = Wall(layout: GridLayout())
    private let tile: WallTile
    private let target: any OffscreenTarget
    private let frames: [VideoFrame]

    /// Makes a wall of one tile.
    ///
    /// - Parameters:
    ///   - renderer: draws the wall.
    ///   - format: I420 or NV12.
    ///   - size: the size of the target, into which frames of 1920 × 1080 are drawn with the filter bilinear.
    /// - Throws: `StreamError` or `RenderingError`.
    init(_ renderer: GLRenderer, _ format: PixelFormat, size: VideoSize) throws {
        (self.renderer, self.format, self.size) = (renderer, format, size)
        target = try renderer.makeOffscreenTarget(size: size)
        tile = wall.addTile(named: format.rawValue)
        tile.filter = .bilinear
        let space = ColorSpace(matrix: .bt709, range: .limited)
        frames = try (0..<2).map { start in
            let bytes = (0..<format.packedByteCount(Self.frameSize)).map {
                UInt8(truncatingIfNeeded: ($0 * 7 + $0 / 1920 * 3) >> 3 + 60 * start)
            }
            return try VideoFrame(
                copying: bytes.span.bytes, format: format, size: Self.frameSize,
                attributes: FrameAttributes(colorSpace: space))
        }
    }

    /// Measures both alternately, so that other load on the machine affects both equally.
    ///
    /// - Parameter count: the number of pictures of each kind.
    /// - Returns: the mean of each kind, and the median of their ratios.
    /// - Throws: `RenderingError` or `GLError` if nothing can be drawn any more.
    func measure(_ count: Int) throws -> Result {
        let minimal = try MinimalDrawing(renderer.context, format, frame: Self.frameSize, size: size)
        var result = Result()
        var ratios: [Double] = []
        // The first rounds create and compile everything.
        for round in -4..<count {
            let frame = frames[(round + 4) % frames.count]
            let buffer = try frame.pixelBuffer
            let library = try ProcessorTime.of {
                tile.mailbox.put(frame)
                try renderer.render(wall, into: target)
                renderer.context.finish()
            }
            let least = ProcessorTime.of {
                minimal.draw(buffer)
                renderer.context.finish()
            }
            guard round >= 0 else { continue }
            result.library += library / Double(count)
            result.minimal += least / Double(count)
            ratios.append(library / least)
        }
        result.ratio = ratios.sorted()[ratios.count / 2]
        result.difference = zip(try target.readPixels(), minimal.pixels()).reduce(0) {
            max($0, abs(Int($1.0) - Int($1.1)))
        }
        return result
    }
}
