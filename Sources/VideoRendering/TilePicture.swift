import GL
import MediaIO

/// The newest picture of a tile: its planes on the GPU and what they mean.
///
/// The frame's buffer has gone back to the source.
final class TilePicture {
    let planes: PlaneTextures
    private(set) var program: VideoProgram
    private(set) var orientation: Orientation
    private(set) var pixelAspectRatio: Rational
    private var chromaLocation: ChromaLocation

    init(_ planes: consuming PlaneTextures, _ frame: VideoFrame, _ program: VideoProgram) {
        self.planes = planes
        self.program = program
        orientation = Orientation(rotation: frame.rotation, mirror: frame.mirror)
        pixelAspectRatio = frame.pixelAspectRatio
        chromaLocation = frame.chromaLocation
    }

    /// Takes over what a newer frame of the same format and size says of itself.
    func describe(_ frame: VideoFrame, _ program: VideoProgram) {
        self.program = program
        orientation = Orientation(rotation: frame.rotation, mirror: frame.mirror)
        pixelAspectRatio = frame.pixelAspectRatio
        chromaLocation = frame.chromaLocation
    }

    /// Draws the picture with one call.
    ///
    /// - Parameters:
    ///   - placement: what is shown where.
    ///   - filter: how samples are read.
    ///   - isExact: whether source and target pixels coincide, so that luma needs no weighting.
    ///   - tools: what every tile draws with.
    func draw(_ placement: PicturePlacement, _ filter: ScalingFilter, isExact: Bool, _ tools: borrowing DrawingTools) {
        // With the nearest sample there is nothing between two samples, so their place does not matter.
        let shift = filter == .nearest ? .zero : chromaLocation.shift
        program.use(placement, size: planes.size, chromaShift: shift)
        switch filter {
        case .nearest: planes.bind(luma: tools.nearest, chroma: tools.nearest)
        case .bilinear:
            if isExact {
                planes.bind(luma: tools.nearest, chroma: tools.linear)
            } else {
                planes.bind(luma: tools.linear, chroma: tools.linear)
            }
        }
        tools.vertices.drawRectangle()
    }
}

extension ChromaLocation {
    /// Luma pixels from a place in the picture to where the chroma textures, which are centred, have its value.
    ///
    /// A chroma sample of column i is the centre of its texel, 2i + 1 in luma pixels; sited left it belongs to 2i + 0.5.
    fileprivate var shift: SIMD2<Float> {
        switch self {
        case .center: .zero
        case .left: SIMD2(0.5, 0)
        case .topLeft: SIMD2(0.5, 0.5)
        }
    }
}
