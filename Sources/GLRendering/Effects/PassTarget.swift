import MediaIO
import VitrailGL

/// A picture on the GPU between two draws, its first row at the top.
///
/// It is a class, so that several draws can share and exchange it.
final class PassTarget {
    let size: VideoSize
    private let framebuffer: Framebuffer

    /// - Parameters:
    ///   - context: the context.
    ///   - size: the size in pixels.
    ///   - isFull: whether components are 32-bit floats, for sums; otherwise they have 16 bits, in steps of 1/2048 near
    ///     white.
    /// - Throws: what ``Framebuffer`` throws.
    init(_ context: GLContext, _ size: VideoSize, isFull: Bool = false) throws(GLError) {
        framebuffer = try Framebuffer(
            context, isFull ? .rgba32f : .rgba16f, width: size.width, height: size.height)
        self.size = size
    }

    /// Binds the picture for drawing.
    func bind() {
        framebuffer.bind()
        framebuffer.texture.context.setViewport(width: size.width, height: size.height)
    }

    /// Binds the picture for drawing and makes it transparent.
    func begin() {
        bind()
        framebuffer.texture.context.clear(red: 0, green: 0, blue: 0, alpha: 0)
    }

    /// Binds the picture for reading.
    func bind(unit: Int, _ shared: borrowing SharedResources) {
        framebuffer.texture.bind(unit: unit, shared.clamped)
    }

    /// The placement that covers the whole picture.
    var placement: FramePlacement { FramePlacement(covering: size, origin: .zero, step: SIMD2(1, 1)) }
}
