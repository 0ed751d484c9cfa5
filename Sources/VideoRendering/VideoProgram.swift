import GL
import MediaIO
import Shaders

/// The program that converts one kind of frame.
///
/// A class, so that tiles of one kind share it.
final class VideoProgram {
    /// What a program is made for: nothing of it is decided while drawing.
    struct Kind: Hashable {
        let format: PixelFormat
        let matrix: ColorSpace.Matrix
        let range: ColorSpace.Range

        init(_ frame: VideoFrame) {
            format = frame.pixelBuffer.format
            matrix = frame.colorSpace.matrix
            range = frame.colorSpace.range
        }
    }

    let kind: Kind
    private let picture: PictureProgram
    private let chromaScale: Uniform
    private let chromaShift: Uniform

    init(_ context: GLContext, _ kind: Kind) throws(GLError) {
        let planes =
            switch kind.format {
            case .i420: ShaderLibrary.planesI420
            case .nv12: ShaderLibrary.planesNV12
            }
        let transform = YCbCrTransform.decoding(ColorSpace(matrix: kind.matrix, range: kind.range))
        picture = try PictureProgram(
            context, title: "video \(kind.format) \(kind.matrix) \(kind.range)",
            fragment: [Self.constants(transform), ShaderSource(planes), ShaderSource(ShaderLibrary.videoFragment)])
        self.kind = kind
        chromaScale = try picture.program.uniform("chromaScale")
        chromaShift = try picture.program.uniform("chromaShift")
        picture.program.use()
        for index in kind.format.planes.indices { try picture.program.uniform("plane\(index)").set(index) }
        try context.check("Setting up the program for \(kind.format)")
    }

    /// Makes this the program that draws.
    ///
    /// - Parameters:
    ///   - placement: what is shown where.
    ///   - size: the picture's size in memory.
    ///   - shift: luma pixels to add because of where the chroma samples lie.
    func use(_ placement: PicturePlacement, size: VideoSize, chromaShift shift: SIMD2<Float>) {
        picture.use(placement, planeSize: SIMD2(Float(size.width), Float(size.height)))
        let chroma = kind.format.planes[1]
        chromaScale.set(
            1
                / SIMD2(
                    Float(chroma.width(size) << chroma.horizontalShift),
                    Float(chroma.height(size) << chroma.verticalShift)))
        chromaShift.set(shift)
    }

    /// The matrix and offset as GLSL; a literal has nine digits, which a 32-bit float holds exactly.
    private static func constants(_ transform: YCbCrTransform) -> ShaderSource {
        func vector(_ value: SIMD3<Double>) -> String {
            let parts = (0..<3).map { "\(Float(value[$0]))" }
            return "vec3(\(parts.joined(separator: ", ")))"
        }
        let (red, green, blue) = transform.matrix
        // GLSL's constructor takes columns; the transform has rows.
        let columns = (0..<3).map { vector(SIMD3(red[$0], green[$0], blue[$0])) }
        return ShaderSource(
            name: "color constants",
            text: """
                const mat3 colorMatrix = mat3(\(columns.joined(separator: ", ")));
                const vec3 colorOffset = \(vector(transform.offset));
                """)
    }
}
