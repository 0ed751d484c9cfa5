public import GLRendering
public import MediaIO
internal import SoftwareRendering
public import VideoWall
public import VitrailGL

/// The framebuffer of a window.
///
/// **Thread:** render thread.
public protocol WindowTarget: RenderTarget {
    /// The size of the framebuffer in pixels: set it before rendering if it may have changed.
    var size: VideoSize { get set }
}

extension GLWindowTarget: WindowTarget {}

/// What draws a wall into a window: a renderer, and its target.
///
/// The renderer is the window's GPU, or the CPU if the window's OpenGL has no GPU.
///
/// The CPU draws into a picture of its own, whose changes are copied to the window.
///
/// **Thread:** render thread: the one that made it.
public struct WindowOutput {
    /// The renderer.
    public let renderer: any WallRenderer
    /// What it draws into.
    public let target: any WindowTarget
    /// ``RendererChoice/gpu`` or ``RendererChoice/cpu``.
    public let kind: RendererChoice
    /// Why this one draws; without a full stop.
    public let reason: String

    private let effects: LiveEffects?

    /// Makes a renderer where there is no window, for pictures of the wall.
    ///
    /// - Parameters:
    ///   - choice: which renderer.
    ///   - upload: how frames reach a GPU.
    ///   - reason: the reason to report; by default the reason for the choice.
    /// - Throws: what ``ChosenRenderer`` throws.
    package init(
        withoutWindow choice: RendererChoice, upload: UploadMethod, because reason: String?
    ) throws(RenderingError) {
        let chosen = try ChosenRenderer(choice, upload: upload, because: reason)
        (renderer, kind, self.reason, effects, target) = (
            chosen.renderer, chosen.kind, reason ?? chosen.reason, nil, NoTarget()
        )
    }

    /// The framebuffer of no window.
    private final class NoTarget: WindowTarget {
        var size = VideoSize(width: 0, height: 0)

        func invalidate() {}
    }

    /// Ends the threads that draw effects at their own pace, and waits half a second for them.
    ///
    /// - Returns: false if one is still in the driver, or has crashed there: a program that ends should then call
    ///   `_exit`, since the driver's own end would wait for it.
    package func endEffects() -> Bool {
        effects?.end(within: .milliseconds(500))
        return effects?.isStuck != true
    }

    /// A quarter of the time between two pictures of a screen.
    private static let ownLimit = Duration.milliseconds(4)

    /// Makes a renderer and a target, whose size must be set.
    ///
    /// **Cost:** rare; 10 to 50 ms.
    /// - Parameters:
    ///   - context: the window's context.
    ///   - choice: which renderer.
    ///   - upload: how frames reach a GPU.
    ///   - reason: the reason to report; by default the reason for the choice.
    ///   - buffer: returns the number of presents so far, and the age of the back buffer in presents, or 0 if unknown;
    ///     called with the context current. Without it, or with age 0, any change redraws everything.
    ///   - wake: called on another thread when something is to be drawn, although nothing else has changed: a tile's
    ///     picture with effects is ready. Without it, every picture waits for its effects.
    /// - Throws: what `GLRenderer` throws.
    public init(
        context: GLContext, _ choice: RendererChoice = .auto, upload: UploadMethod = .auto,
        because reason: String? = nil, buffer: (() -> (presentCount: Int, age: Int))? = nil,
        wake: (@Sendable () -> Void)? = nil
    ) throws(RenderingError) {
        let isSoftware = context.information.isSoftware
        kind = choice == .auto ? (isSoftware ? .cpu : .gpu) : choice
        let found = isSoftware ? "OpenGL has no GPU" : "it is a GPU"
        self.reason = reason ?? (choice == .auto ? found : "it was asked for")
        if kind == .gpu {
            let gl = try GLRenderer(context: context, upload: upload)
            effects = wake.map { LiveEffects(ownLimit: Self.ownLimit, wake: $0) }
            gl.effectStage = effects
            renderer = gl
            target = GLWindowTarget(context: context, size: VideoSize(width: 0, height: 0), buffer: buffer)
        } else {
            let software = SoftwareRenderer { try GLRenderer(context: context) }
            effects = wake.map { LiveEffects(wake: $0) }
            software.effectStage = effects
            renderer = software
            target = SoftwareWindowTarget(software, context, buffer)
        }
    }
}
