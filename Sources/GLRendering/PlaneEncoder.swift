import MediaIO
import VideoWall
import VitrailGL
import VitrailShaders

/// Converts an RGBA picture to the planes of I420 or I010, one draw per plane.
struct PlaneEncoder: ~Copyable {
    /// The bits of a sample: 8 or 10.
    let depth: Int
    private let context: GLContext
    private let luma: PlaneProgram
    private let chroma: PlaneProgram
    private let planes: InlineArray<3, Framebuffer>
    private let sampler: Sampler
    private let vertices: VertexArray

    /// Makes an encoder.
    ///
    /// - Parameters:
    ///   - context: the context of the picture.
    ///   - size: the size of the picture.
    ///   - format: the format of its pixels.
    ///   - depth: the bits of a sample, 8 or 10.
    /// - Throws: ``GLError``.
    init(_ context: GLContext, _ size: VideoSize, _ format: PictureFormat, depth: Int) throws(GLError) {
        // Floating-point numbers may be beyond black and white.
        let clamps = format.depth > 10
        // The noncopyable members are set only after everything that can throw.
        let luma = try PlaneProgram(context, block: 1, depth, clamps)
        let chroma = try PlaneProgram(context, block: 2, depth, clamps)
        // A texel has four bytes of a row; those beyond the last sample go into the padding of the buffer's rows.
        let count = depth > 8 ? 2 : 4
        let planes = try InlineArray<3, Framebuffer> { (index) throws(GLError) in
            let plane = PixelFormat.i420.planes[index]
            let width = (plane.width(size) + count - 1) / count
            return try Framebuffer(context, .rgba8, width: width, height: plane.height(size))
        }
        let sampler = try Sampler(context, .nearest)
        let vertices = try VertexArray(context)
        self.depth = depth
        self.context = context
        self.luma = luma
        self.chroma = chroma
        self.planes = planes
        self.sampler = sampler
        self.vertices = vertices
    }

    func encode(_ picture: borrowing Texture, _ transform: YCbCrTransform) {
        let (y, cb, cr) = transform.matrix
        picture.bind(unit: 0, sampler)
        draw(0, luma, SIMD4(y, transform.offset.x))
        draw(1, chroma, SIMD4(cb, transform.offset.y))
        draw(2, chroma, SIMD4(cr, transform.offset.z))
    }

    func read(into target: borrowing WritablePlanes) {
        for index in planes.indices {
            target.withPlaneBytes(index) { planes[index].readPixels(into: $0, bytesPerRow: target.bytesPerRow(index)) }
        }
    }

    private func draw(_ index: Int, _ program: borrowing PlaneProgram, _ weights: SIMD4<Double>) {
        planes[index].bind()
        context.setViewport(width: planes[index].texture.width, height: planes[index].texture.height)
        program.program.use()
        program.weights.set(SIMD4<Float>(weights))
        vertices.drawRectangle()
    }
}

/// The program for a plane with one sample per `block` × `block` pixels.
private struct PlaneProgram: ~Copyable {
    let program: ShaderProgram
    let weights: Uniform

    init(_ context: GLContext, block: Int, _ depth: Int, _ clamps: Bool) throws(GLError) {
        let constants = ShaderSource(
            name: "constants",
            text: """
                const int block = \(block);
                const float peak = \((1 << depth) - 1).0;
                const bool clamps = \(clamps);
                """)
        let program = try ShaderProgram(
            context, title: "encode \(block)x\(block) \(depth)", vertex: [ShaderSource(ShaderLibrary.coverVertex)],
            fragment: [constants, ShaderSource(ShaderLibrary.encodeFragment)])
        let weights = try program.uniform("weights")
        program.use()
        try program.uniform("picture").set(0)
        self.weights = weights
        self.program = program
    }
}
