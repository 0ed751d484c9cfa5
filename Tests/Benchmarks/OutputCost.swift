import FFmpegMedia
import MediaIO
import VideoWall
import WallRendering

/// What drawing a wall for an output costs beside encoding it: 16 streams of 640 × 360 at 25 pictures a second in H.264
/// of 1920 × 1080, `veryfast`.
struct OutputCost {
    /// Seconds of processor time per picture.
    struct Result {
        /// Drawing, and reading back into the encoder's memory.
        var drawing = 0.0
        var encoding = 0.0
        var ratio: Double { drawing / encoding }
    }

    private static let size = VideoSize(width: 1920, height: 1080)
    private let renderer: any WallRenderer
    private let target: any OffscreenTarget
    private let encoder: VideoEncoder
    private let wall = Wall()
    private let pool = PixelBufferPool()
    /// The pictures of each stream.
    private let streams: [[VideoFrame]]
    /// The name of the renderer.
    let name: String

    /// Decodes what the wall shows.
    ///
    /// - Parameters:
    ///   - path: a video file.
    ///   - choice: what draws.
    ///   - count: the number of pictures that will be drawn.
    /// - Throws: `StreamError` or `RenderingError`.
    init(_ path: String, _ choice: RendererChoice, _ count: Int) throws {
        let chosen = try ChosenRenderer(choice)
        (renderer, name) = (chosen.renderer, chosen.renderer.name)
        target = try renderer.makeOffscreenTarget(size: Self.size)
        encoder = try VideoEncoder(size: Self.size, frameRate: Rational(25), encoding: VideoEncoding(tuning: .live))
        let reader = try MediaReader(.file(path: path))
        var frames: [VideoFrame] = []
        while frames.count < count, let frame = try reader.next() { frames.append(frame) }
        // Each stream is at another place of the file.
        streams = (0..<16).map { [frames] stream in
            let start = stream * frames.count / 16
            return Array(frames[start...] + frames[..<start])
        }
        for index in 0..<16 { wall.addTile(named: "\(index)") }
    }

    /// Draws and encodes as many pictures as the file has, at most `count`.
    ///
    /// - Returns: the mean of each picture.
    func measure() throws -> Result {
        var (result, count) = (Result(), 0)
        for number in 0..<(streams.first?.count ?? 0) {
            for (tile, frames) in zip(wall.tiles, streams) { tile.mailbox.put(frames[number]) }
            var picture: PixelBuffer?
            let drawing = try ProcessorTime.of {
                try renderer.render(wall, into: target)
                picture = try target.readPlanes(as: encoder.format, colorSpace: encoder.colorSpace, pool: pool)
            }
            guard let picture else { continue }
            let encoding = try ProcessorTime.of { try encoder.encode(picture) { _ in } }
            // The first ones create everything, and a key frame.
            guard number >= 5 else { continue }
            (result.drawing, result.encoding, count) = (result.drawing + drawing, result.encoding + encoding, count + 1)
        }
        let pictures = Double(max(1, count))
        return Result(drawing: result.drawing / pictures, encoding: result.encoding / pictures)
    }
}
