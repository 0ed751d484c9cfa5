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
    private let age: () -> Int

    /// Describes a window's framebuffer.
    ///
    /// - Parameters:
    ///   - context: the window's context.
    ///   - size: the size of its framebuffer, in pixels.
    ///   - bufferAge: how many presents ago the present buffer was drawn; 0 if that is unknown, and then everything is
    ///     drawn each time.
    public init(context: GLContext, size: VideoSize, bufferAge: @escaping () -> Int = { 0 }) {
        self.context = context
        self.size = size
        age = bufferAge
    }

    /// Redraws everything next time.
    public func invalidate() { history.invalidate() }

    var view: TargetView { TargetView(size: size, topIsFirstRow: false) }

    func damage(of scene: WallScene, _ parts: inout [Rectangle]) -> DamageHistory.Extent {
        history.draw(scene, age: age(), &parts)
    }

    func bind() { context.bind(framebuffer: 0) }
}
