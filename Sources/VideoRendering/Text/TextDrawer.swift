import GL
import MediaIO
import TextRaster
import VitrailShaders

/// Lays text over what was drawn.
final class TextDrawer {
    /// What a text looks like.
    struct Style: Hashable {
        var fontSize: Int
        var isBold = false
        var isCentered = false
        /// Colour and opacity of what is behind the letters.
        var paper: SIMD4<Float> = .zero
    }

    private let context: GLContext
    private let rasterizer = TextRasterizer()
    private let picture: PictureProgram
    private let ink: Uniform
    private let paper: Uniform
    private let sampler: Sampler
    private let vertices: VertexArray

    init(_ context: GLContext) throws(GLError) {
        self.context = context
        picture = try PictureProgram(context, title: "text", fragment: [ShaderSource(ShaderLibrary.textFragment)])
        ink = try picture.program.uniform("ink")
        paper = try picture.program.uniform("paper")
        sampler = try Sampler(context, .nearest)
        vertices = try VertexArray(context)
        picture.program.use()
        try picture.program.uniform("plane0").set(0)
    }

    /// Brings `slot` up to date: the text is drawn anew only when it, its style or its room has changed.
    func prepare(_ slot: inout TextTexture?, _ text: String, _ style: Style, room: VideoSize) throws(GLError) {
        if let made = slot?.request, made.text == text, made.style == style, made.room == room { return }
        let image = rasterizer.image(
            for: text, fontSize: Double(style.fontSize), isBold: style.isBold,
            alignment: style.isCentered ? .center : .leading, maximumWidth: max(1, room.width),
            maximumHeight: max(1, room.height))
        let texture = try Texture(context, .r8, width: image.width, height: image.height)
        image.coverage.withUnsafeBytes { texture.upload($0, bytesPerRow: image.bytesPerRow) }
        slot = TextTexture(texture: texture, request: TextTexture.Request(text: text, style: style, room: room))
    }

    /// Draws a prepared text with its upper left corner at (x, y), y downwards, and a margin of paper around it.
    func draw(_ slot: inout TextTexture?, x: Int, y: Int, margin: Int, _ target: TileTarget) {
        guard let size = slot?.size, let paper = slot?.request.style.paper else { return }
        DrawTarget.setBlending(true)
        if paper.w > 0 {
            let sheet = Rectangle(x: x, y: y, width: size.width + 2 * margin, height: size.height + 2 * margin)
            draw(&slot, in: sheet, target, ink: .zero, paper: paper)
        }
        let letters = Rectangle(x: x + margin, y: y + margin, width: size.width, height: size.height)
        draw(&slot, in: letters, target, ink: SIMD4(1, 1, 1, 0.95), paper: .zero)
        DrawTarget.setBlending(false)
    }

    private func draw(
        _ slot: inout TextTexture?, in rectangle: Rectangle, _ target: TileTarget, ink: SIMD4<Float>,
        paper: SIMD4<Float>
    ) {
        guard let size = slot?.size else { return }
        let placement = PicturePlacement(
            rectangle: rectangle, target: target.size,
            source: Rectangle(x: 0, y: 0, width: size.width, height: size.height), topIsFirstRow: target.topIsFirstRow)
        picture.use(placement, planeSize: SIMD2(Float(size.width), Float(size.height)))
        self.ink.set(ink)
        self.paper.set(paper)
        slot?.texture.bind(unit: 0, sampler)
        vertices.drawRectangle()
    }
}

/// Coverage of a text on the GPU, and what it was made from.
struct TextTexture: ~Copyable {
    struct Request: Hashable {
        var text: String
        var style: TextDrawer.Style
        var room: VideoSize
    }

    let texture: Texture
    let request: Request

    var size: VideoSize { VideoSize(width: texture.width, height: texture.height) }
}
