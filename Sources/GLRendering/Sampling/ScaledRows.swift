import MediaIO
import VitrailGL

/// The picture between the two passes of scaling with a kernel: the visible rows of a frame, as wide as on the target.
struct ScaledRows: ~Copyable {
    private let framebuffer: Framebuffer
    private let size: VideoSize
    /// What it contains, or `nil`.
    private(set) var content: FrameDrawing?

    /// Allocates it.
    ///
    /// - Parameters:
    ///   - context: the context.
    ///   - size: the size in pixels.
    ///   - isFull: whether half floats, with steps of 1/2048 near white, are too coarse.
    /// - Throws: what ``Framebuffer`` throws.
    init(_ context: GLContext, size: VideoSize, isFull: Bool) throws(GLError) {
        framebuffer = try Framebuffer(
            context, isFull ? .rgba32f : .rgba16f, width: size.width, height: size.height)
        self.size = size
    }

    /// Whether a drawing fits.
    func fits(_ size: VideoSize, isFull: Bool) -> Bool {
        size == self.size && isFull == (framebuffer.texture.format == .rgba32f)
    }

    /// Binds the picture for drawing.
    ///
    /// - Parameter drawing: the first pass, which is drawn next.
    mutating func begin(_ drawing: FrameDrawing) {
        framebuffer.bind()
        framebuffer.texture.context.setViewport(width: size.width, height: size.height)
        content = drawing
    }

    /// Declares the content outdated.
    mutating func invalidate() { content = nil }

    /// Binds the picture for the second pass.
    func bind(_ shared: borrowing SharedResources) { framebuffer.texture.bind(unit: 0, shared.nearest) }
}
