import MediaIO
import VitrailGL
import VitrailShaders

/// Converts an RGBA picture to the planes of I420, one draw per plane.
struct PlaneEncoder: ~Copyable {
    private let context: GLContext
    private let luma: PlaneProgram
    private let chroma: PlaneProgram
    private let planes: InlineArray<3, Framebuffer>
    private let sampler: Sampler
    private let vertices: VertexArray

    init(_ context: GLContext, _ size: VideoSize) throws(GLError) {
        // The noncopyable members are set only after everything that can throw.
        let luma = try PlaneProgram(context, block: 1)
        let chroma = try PlaneProgram(context, block: 2)
        let planes = try InlineArray<3, Framebuffer> { (index) throws(GLError) in
            let plane = PixelFormat.i420.planes[index]
            // A texel has four samples of a row; those beyond the last one go into the padding of the buffer's rows.
            return try Framebuffer(context, .rgba8, width: (plane.width(size) + 3) / 4, height: plane.height(size))
        }
        let sampler = try Sampler(context, .nearest)
        let vertices = try VertexArray(context)
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

    init(_ context: GLContext, block: Int) throws(GLError) {
        let constant = ShaderSource(name: "block constant", text: "const int block = \(block);")
        let program = try ShaderProgram(
            context, title: "encode \(block)x\(block)", vertex: [ShaderSource(ShaderLibrary.coverVertex)],
            fragment: [constant, ShaderSource(ShaderLibrary.encodeFragment)])
        let weights = try program.uniform("weights")
        program.use()
        try program.uniform("picture").set(0)
        self.weights = weights
        self.program = program
    }
}
