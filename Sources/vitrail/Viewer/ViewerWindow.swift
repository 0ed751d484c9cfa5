import MediaIO
import VideoWall
import WallRendering
import WindowGL

/// What the viewer shows its wall in, and where its events come from: a ``Window``, or ``NoWindow``.
///
/// **Thread:** main.
protocol ViewerWindow: AnyObject {
    /// Ends ``waitEvents(timeout:)`` from any thread.
    var waker: Waker { get }
    var title: String { get set }
    /// Whether pictures are presented; if not, the wall is kept up to date for its outputs only.
    var hasScreen: Bool { get }
    var isVisible: Bool { get }
    var isFullscreen: Bool { get set }
    /// In pixels.
    var framebufferSize: VideoSize { get }
    var contentScale: Double { get }
    var refreshRate: Double? { get }
    var clipboard: String? { get set }

    func setPointer(_ pointer: Window.Pointer)
    func waitEvents(timeout: Duration?) -> [WindowEvent]
    func pace()
    func present()
    func postponeBlanking()

    /// Makes what draws.
    ///
    /// - Parameters:
    ///   - drawing: the options of the command line.
    ///   - choice: the renderer; `nil` for the one in `drawing`.
    ///   - reason: why this renderer is chosen; `nil` if the user chose it, or nobody did.
    /// - Returns: the renderer, and what it draws into.
    /// - Throws: ``RenderingError``.
    func makeOutput(
        _ drawing: RendererOptions, _ choice: RendererChoice?, because reason: String?
    ) throws(RenderingError) -> WindowOutput

    /// Opens it again, for when the driver has lost its context.
    func openedAgain() throws(WindowError) -> any ViewerWindow
}

extension Window: ViewerWindow {
    var hasScreen: Bool { true }

    func makeOutput(
        _ drawing: RendererOptions, _ choice: RendererChoice?, because reason: String?
    ) throws(RenderingError) -> WindowOutput {
        try WindowOutput(
            context: context, choice ?? drawing.renderer, upload: drawing.upload, because: reason,
            buffer: { [unowned self] in (presentCount, bufferAge) }, wake: { [waker] in waker.wake() })
    }

    func openedAgain() throws(WindowError) -> any ViewerWindow {
        let window = try reopened()
        WindowIcon.set(on: window)
        return window
    }
}
