import MediaIO
import VitrailGL
import VitrailShaders

/// Compares two frames on the GPU, texel by texel, at places that are spread over the planes.
struct TexelComparison: ~Copyable {
    /// What was found in the planes of two frames.
    enum Result {
        case equal, different
        /// Equal, but the first plane has one value only: rows in wrong places would look the same.
        case flat
        /// Equal, but another plane has one value only.
        case partlyFlat
    }

    private static let side = 64

    private let context: GLContext
    private let program: ShaderProgram
    private let plane: Uniform
    private let texels: Framebuffer
    private let sampler: Sampler
    private let vertices: VertexArray

    init(_ context: GLContext) throws(GLError) {
        // The noncopyable members are set only after everything that can throw.
        let constant = ShaderSource(name: "side constant", text: "const int side = \(Self.side);")
        let program = try ShaderProgram(
            context, title: "texels", vertex: [ShaderSource(ShaderLibrary.coverVertex)],
            fragment: [constant, ShaderSource(ShaderLibrary.texelsFragment)])
        let plane = try program.uniform("plane")
        let texels = try Framebuffer(context, .rgba32f, width: Self.side, height: Self.side)
        let sampler = try Sampler(context, .nearest)
        let vertices = try VertexArray(context)
        self.context = context
        self.program = program
        self.plane = plane
        self.texels = texels
        self.sampler = sampler
        self.vertices = vertices
    }

    /// Compares two frames of the same format and size; waits for the GPU.
    func compare(_ one: FrameTextures, _ other: FrameTextures) -> Result {
        var result = Result.equal
        for index in 0..<one.count {
            let (first, second) = (read(one, index), read(other, index))
            guard first == second else { return .different }
            if result == .equal, first.allSatisfy({ $0 == first[0] }) { result = index == 0 ? .flat : .partlyFlat }
        }
        return result
    }

    private func read(_ textures: FrameTextures, _ index: Int) -> [SIMD4<Float>] {
        texels.bind()
        context.setViewport(width: Self.side, height: Self.side)
        textures.bind(sampler)
        program.use()
        plane.set(index)
        vertices.drawRectangle()
        var values = [SIMD4<Float>](repeating: .zero, count: Self.side * Self.side)
        values.withUnsafeMutableBytes { texels.readPixels(into: $0, bytesPerRow: Self.side * 16) }
        return values
    }
}
