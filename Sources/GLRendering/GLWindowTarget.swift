public import MediaIO
public import VideoWall
public import VitrailGL

/// The framebuffer of a window, which the window presents.
///
/// **Thread:** render thread.
public final class GLWindowTarget: RenderTarget, GLTarget {
    /// The window's framebuffer in pixels: set it before rendering whenever it may have changed.
    public var size: VideoSize
    let context: GLContext
    private var history = DamageHistory()
    /// The draw buffers to restore when the target is unbound; `nil` unless it is bound.
    private var buffers: DrawBuffers?
    private let buffer: (() -> (presentCount: Int, age: Int))?

    /// Describes a window's framebuffer.
    ///
    /// - Parameters:
    ///   - context: the window's context.
    ///   - size: the size of its framebuffer, in pixels.
    ///   - buffer: returns the number of presents so far, and the age of the back buffer in presents, or 0 if unknown;
    ///     called with the context current. Without it, or with age 0, any change redraws everything.
    public init(context: GLContext, size: VideoSize, buffer: (() -> (presentCount: Int, age: Int))? = nil) {
        self.context = context
        self.size = size
        self.buffer = buffer
    }

    /// Redraws everything next time.
    public func invalidate() { history.invalidate() }

    var view: TargetView { TargetView(size: size, topIsFirstRow: false) }

    func damage(of scene: WallScene, _ parts: inout [Rectangle]) -> DamageHistory.Extent {
        guard let buffer = buffer?() else {
            return history.draw(scene, &parts) == .nothing ? .nothing : .all
        }
        return history.draw(scene, presentCount: buffer.presentCount, age: buffer.age, &parts)
    }

    func bind() throws(GLError) { buffers = try DrawBuffers(context, binding: 0) }

    func unbind() {
        buffers?.restore(context)
        buffers = nil
    }
}
