public import GLRendering
internal import HeadlessGL
internal import SoftwareRendering
public import VideoWall
public import VitrailGL

/// A renderer for pictures without a window: the GPU where there is one, else the CPU.
///
/// **Thread:** render thread: the one that made it.
public struct ChosenRenderer {
    /// The renderer.
    public let renderer: any WallRenderer
    /// Why this one draws; without a full stop.
    public let reason: String
    /// Its context; `nil` for the CPU.
    public let context: GLContext?

    private init(_ renderer: any WallRenderer, _ context: GLContext?, _ reason: String) {
        (self.renderer, self.context, self.reason) = (renderer, context, reason)
    }

    /// Makes a renderer.
    ///
    /// **Cost:** rare; a millisecond for the CPU, 50 to 300 ms for OpenGL.
    /// - Parameters:
    ///   - choice: which one.
    ///   - upload: how frames reach a GPU.
    ///   - reason: with ``RendererChoice/cpu`` and ``RendererChoice/gpu``, the reason to report; by default "it was
    ///     asked for".
    ///   - threadCount: how many threads the CPU draws with; `nil` for one on each processor.
    ///   - softwareDisplay: the display to use if there is no GPU, from 0: see `HeadlessContext`.
    /// - Throws: ``RenderingError/Code/unavailable`` for ``RendererChoice/gpu`` without OpenGL, with what was tried;
    ///   and what `GLRenderer` throws.
    public init(
        _ choice: RendererChoice = .auto, upload: UploadMethod = .auto, because reason: String? = nil,
        threadCount: Int? = nil, softwareDisplay: Int = 0
    ) throws(RenderingError) {
        switch choice {
        case .cpu: self = .cpu(threadCount, softwareDisplay, reason ?? "it was asked for")
        case .gpu:
            let context = try Self.makeContext(softwareDisplay)
            self.init(try GLRenderer(context: context, upload: upload), context, reason ?? "it was asked for")
        case .auto: self = try .automatic(upload, threadCount, softwareDisplay)
        }
    }

    private static func automatic(
        _ upload: UploadMethod, _ threadCount: Int?, _ display: Int
    ) throws(RenderingError) -> ChosenRenderer {
        guard RendererChoice.hasGPU else { return cpu(threadCount, display, "there is no GPU") }
        // The error, with what was tried, is thrown only if a GPU was asked for.
        guard let context = try? makeContext(display) else { return cpu(threadCount, display, "there is no OpenGL") }
        guard !context.information.isSoftware else { return cpu(threadCount, display, "OpenGL has no GPU either") }
        return ChosenRenderer(try GLRenderer(context: context, upload: upload), context, "it is a GPU")
    }

    private static func cpu(_ threadCount: Int?, _ display: Int, _ reason: String) -> ChosenRenderer {
        let renderer = SoftwareRenderer(threadCount: threadCount) { try GLRenderer(context: makeContext(display)) }
        return ChosenRenderer(renderer, nil, reason)
    }

    private static func makeContext(_ softwareDisplay: Int) throws(RenderingError) -> GLContext {
        do throws(EGLError) {
            return try HeadlessContext.make(softwareDisplay: softwareDisplay)
        } catch {
            throw RenderingError(.unavailable, error.description)
        }
    }

    /// ``RendererChoice/gpu`` or ``RendererChoice/cpu``.
    public var kind: RendererChoice { context == nil ? .cpu : .gpu }
}
