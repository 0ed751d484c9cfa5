import MediaIO
import VideoWall
import WallRendering
import WindowGL

/// The viewer without a window: the wall is only sent and written.
final class NoWindow: ViewerWindow {
    let waker: Waker
    var title = ""
    /// The size of the wall in snapshots, and for the choice of substreams.
    let framebufferSize: VideoSize

    /// Opens nothing.
    ///
    /// - Parameters:
    ///   - size: the size of the wall, in pixels.
    ///   - waker: ends its waits.
    init(size: VideoSize, waker: Waker) { (framebufferSize, self.waker) = (size, waker) }

    var hasScreen: Bool { false }
    var isVisible: Bool { true }
    var isFullscreen: Bool {
        get { false }
        set {}
    }
    var contentScale: Double { 1 }
    var refreshRate: Double? { nil }
    var clipboard: String? {
        get { nil }
        set {}
    }

    func setPointer(_ pointer: Window.Pointer) {}

    func waitEvents(timeout: Duration?) -> [WindowEvent] {
        waker.wait(timeout: timeout)
        return []
    }

    func pace() {}
    func present() {}
    func postponeBlanking() {}

    func makeOutput(
        _ drawing: RendererOptions, _ choice: RendererChoice?, because reason: String?
    ) throws(RenderingError) -> WindowOutput {
        try WindowOutput(withoutWindow: choice ?? drawing.renderer, upload: drawing.upload, because: reason)
    }

    func openedAgain() -> any ViewerWindow { self }
}
