import MediaIO
import VitrailGL

/// The least that draws I420 and NV12: a texture for each plane, one matrix, one offset, and nothing else.
///
/// BT.709, limited range, chroma on the left; drawn over the whole target.
struct MinimalDrawing: ~Copyable {
    private let context: GLContext
    private let program: ShaderProgram
    private let vertices: VertexArray
    private let luma: Sampler
    private let chroma: Sampler
    private let planes: InlineArray<3, Texture?>
    private let target: Framebuffer

    /// Makes everything.
    ///
    /// - Parameters:
    ///   - context: a context to draw with.
    ///   - format: I420 or NV12.
    ///   - frame: the size of the frames.
    ///   - size: the size of the target.
    /// - Throws: `GLError`.
    init(_ context: GLContext, _ format: PixelFormat, frame: VideoSize, size: VideoSize) throws(GLError) {
        let program = try ShaderProgram(
            context, title: "minimal \(format)", vertex: [Self.vertex(frame)], fragment: [Self.fragment(format)])
        let vertices = try VertexArray(context)
        // As the library does: one pixel to one needs no weights for luma.
        let luma = try Sampler(context, frame == size ? .nearest : .linear)
        let chroma = try Sampler(context, .linear)
        let target = try Framebuffer(context, .rgba8, width: size.width, height: size.height)
        var planes = InlineArray<3, Texture?> { _ in nil }
        for (index, plane) in format.planes.enumerated() {
            let kind: TextureFormat = index == 1 && format == .nv12 ? .rg8 : .r8
            planes[index] = try Texture(context, kind, width: plane.width(frame), height: plane.height(frame))
        }
        program.use()
        for index in 0..<format.planes.count { try program.uniform("plane\(index)").set(index) }
        self.context = context
        self.program = program
        self.vertices = vertices
        self.luma = luma
        self.chroma = chroma
        self.planes = planes
        self.target = target
    }

    /// Uploads a frame and draws it.
    func draw(_ buffer: PixelBuffer) {
        for index in 0..<buffer.planeCount {
            buffer.withPlane(index) { planes[index]?.upload($0.bytes, bytesPerRow: $0.bytesPerRow) }
            if index == 0 { planes[index]?.bind(unit: index, luma) } else { planes[index]?.bind(unit: index, chroma) }
        }
        target.bind()
        context.setViewport(width: target.texture.width, height: target.texture.height)
        context.setScissor(nil)
        context.setBlending(.off)
        program.use()
        vertices.drawRectangle()
    }

    /// The pixels drawn, four bytes each.
    func pixels() -> [UInt8] {
        let (width, height) = (target.texture.width, target.texture.height)
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        bytes.withUnsafeMutableBytes { target.readPixels(into: $0, bytesPerRow: width * 4) }
        return bytes
    }

    private static func vertex(_ frame: VideoSize) -> ShaderSource {
        ShaderSource(
            name: "minimal vertex",
            text: """
                out vec2 lumaPosition;
                out vec2 chromaPosition;
                void main() {
                    lumaPosition = vec2(gl_VertexID & 1, gl_VertexID >> 1);
                    chromaPosition = lumaPosition + vec2(0.5 / \(frame.width).0, 0.0);
                    gl_Position = vec4(lumaPosition * 2.0 - 1.0, 0.0, 1.0);
                }
                """)
    }

    private static func fragment(_ format: PixelFormat) -> ShaderSource {
        let chroma =
            format == .nv12
            ? "texture(plane1, chromaPosition).rg"
            : "vec2(texture(plane1, chromaPosition).r, texture(plane2, chromaPosition).r)"
        return ShaderSource(
            name: "minimal fragment",
            text: """
                \((0..<format.planes.count).map { "uniform sampler2D plane\($0);\n" }.joined())
                in vec2 lumaPosition;
                in vec2 chromaPosition;
                out vec4 color;
                const mat3 matrix = mat3(
                    1.1643836, 1.1643836, 1.1643836, 0.0, -0.2132486, 2.1124018, 1.7927411, -0.5329093, 0.0);
                const vec3 offset = vec3(-0.9729451, 0.3014827, -1.1334022);
                void main() {
                    vec3 samples = vec3(texture(plane0, lumaPosition).r, \(chroma));
                    color = vec4(matrix * samples + offset, 1.0);
                }
                """)
    }
}
