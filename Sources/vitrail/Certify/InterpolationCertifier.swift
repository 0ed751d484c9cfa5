import GLRendering
import MediaIO
import VideoWall
import VitrailGL

/// Draws a ``WavePicture`` as streams are drawn by default, and compares each pixel with the reference.
///
/// Only the tile's content mode is set, and for one drawing its filter. Everything else, such as the chroma siting and
/// the conversion, is the default for an untagged stream.
///
/// **Thread:** render thread.
struct InterpolationCertifier {
    private let renderer: any WallRenderer

    /// Makes the renderer.
    ///
    /// - Throws: ``RenderingError``.
    init(_ context: GLContext) throws(RenderingError) { renderer = try GLRenderer(context: context) }

    /// Draws and compares one picture.
    ///
    /// - Parameters:
    ///   - format: I420 or NV12.
    ///   - space: what the frame is tagged as.
    ///   - drawing: the size of the picture, and the filter.
    ///   - reference: the samples, and the chroma siting of the reference; by default, that of untagged streams.
    /// - Returns: the differences.
    /// - Throws: ``RenderingError``, ``StreamError``, or ``ProgramError`` if a shader program is rejected.
    func run(
        _ format: PixelFormat, _ space: ColorSpace, _ drawing: CertifiedDrawing,
        _ reference: WavePicture = .untagged
    ) throws -> ErrorTally {
        let wall = Wall(layout: GridLayout())
        let tile = wall.addTile(named: format.rawValue)
        tile.contentMode = .stretch
        if let filter = drawing.filter { tile.filter = filter }
        let size = drawing.size(of: WavePicture.size)
        let picture = try renderer.makeOffscreenTarget(size: size)
        tile.mailbox.put(
            VideoFrame(try reference.buffer(format), attributes: FrameAttributes(colorSpace: space)))
        try renderer.render(wall, into: picture)
        if let failure = tile.report.failure { throw ProgramError(.failed, failure) }
        let pixels = try picture.readPixels()
        let colors = ReferenceColors(space, depth: 8)
        var tally = ErrorTally()
        for y in 0..<size.height {
            for x in 0..<size.width {
                let code = reference.code(x, y, in: size)
                let start = (y * size.width + x) * 4
                tally.add(
                    SIMD3(Int(pixels[start]), Int(pixels[start + 1]), Int(pixels[start + 2])),
                    exact: 255 * colors.color(code), code)
            }
        }
        return tally
    }
}

/// How the frames of a certificate are drawn.
enum CertifiedDrawing: String, Codable, CaseIterable {
    /// In their own size, with the nearest chroma sample: all triples.
    case nearest
    /// In their own size, with the default filter of streams.
    case unscaled
    /// At 3/2 of their width and height, with the default filter of streams.
    case enlarged
    /// At 3/4 of their width and height, with the bilinear filter, because the default one averages more samples.
    case reduced

    /// The filter to set; `nil` for the default.
    var filter: ScalingFilter? {
        switch self {
        case .nearest: .nearest
        case .unscaled, .enlarged: nil
        case .reduced: .bilinear
        }
    }

    /// The size in which a frame is drawn.
    func size(of frame: VideoSize) -> VideoSize {
        switch self {
        case .nearest, .unscaled: frame
        case .enlarged: VideoSize(width: frame.width * 3 / 2, height: frame.height * 3 / 2)
        case .reduced: VideoSize(width: frame.width * 3 / 4, height: frame.height * 3 / 4)
        }
    }
}
