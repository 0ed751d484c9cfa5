public import MediaIO
public import VideoWall
public import VitrailGL

/// A rectangle of a host's framebuffer, in a context that the host draws with, too.
///
/// Rendering throws ``RenderingError/Code/target`` if the framebuffer does not exist, is incomplete, or has integer
/// components. The first of several draw buffers gets the picture; if none is selected (`GL_NONE`), the first
/// attachment does.
///
/// **Thread:** render thread.
public final class GLFramebufferTarget: RenderTarget, GLTarget {
    /// OpenGL's name of the framebuffer object; 0 is the default one.
    public var framebuffer: UInt32 { didSet { if framebuffer != oldValue { invalidate() } } }
    /// The pixels of it that the wall covers, with OpenGL's y upwards.
    public var rectangle: Rectangle { didSet { if rectangle != oldValue { invalidate() } } }
    /// Whether the context's state is restored after drawing.
    public var restoresState: Bool
    let context: GLContext
    private var history = DamageHistory()
    private let keepsPixels: Bool
    /// The draw buffers to restore when the target is unbound; `nil` unless it is bound.
    private var buffers: DrawBuffers?

    /// Describes a framebuffer.
    ///
    /// - Parameters:
    ///   - context: the host's context.
    ///   - framebuffer: its name; 0 is the default one.
    ///   - rectangle: the pixels that the wall covers, with OpenGL's y upwards.
    ///   - keepsPixels: whether nothing else draws there, so that only changes are redrawn.
    ///   - restoresState: whether the context's state is restored after drawing.
    public init(
        context: GLContext, framebuffer: UInt32, rectangle: Rectangle, keepsPixels: Bool = false,
        restoresState: Bool = true
    ) {
        self.context = context
        self.framebuffer = framebuffer
        self.rectangle = rectangle
        self.keepsPixels = keepsPixels
        self.restoresState = restoresState
    }

    /// The size of the rectangle.
    public var size: VideoSize { VideoSize(width: rectangle.width, height: rectangle.height) }

    /// Redraws everything next time.
    public func invalidate() { history.invalidate() }

    var view: TargetView {
        TargetView(size: size, topIsFirstRow: false, origin: (rectangle.x, rectangle.y))
    }

    func damage(of scene: WallScene, _ parts: inout [Rectangle]) -> DamageHistory.Extent {
        keepsPixels ? history.draw(scene, &parts) : .all
    }

    func bind() throws(GLError) { buffers = try DrawBuffers(context, binding: framebuffer) }

    func unbind() {
        buffers?.restore(context)
        buffers = nil
    }
}
