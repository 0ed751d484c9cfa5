import ArgumentParser
import GLRendering
import VideoWall
import WallRendering

/// The options of the renderer.
struct RendererOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Renderer: auto (a GPU, or else the CPU), gpu (OpenGL, also a software driver) or cpu.", valueName: "name"))
    var renderer = RendererChoice.auto

    @Option(
        help: ArgumentHelp(
            """
            How frames reach a GPU: auto (the fastest, measured), direct (the driver copies them), ring (they are \
            copied into memory that the GPU reads) or mapped (sources write them there).
            """, valueName: "name"))
    var upload = UploadMethod.auto

    /// Makes a renderer without a window.
    ///
    /// - Parameters:
    ///   - choice: the renderer; `nil` for the one in the options.
    ///   - reason: why this renderer is chosen; `nil` if the user chose it, or nobody did.
    ///   - threadCount: how many threads the CPU draws with; `nil` for one on each processor.
    ///   - softwareDisplay: the display to use if there is no GPU: see `HeadlessContext`.
    /// - Returns: the renderer, and why it was chosen.
    /// - Throws: ``ProgramError/Status/unavailable`` for `gpu` without OpenGL.
    func make(
        _ choice: RendererChoice? = nil, because reason: String? = nil, threadCount: Int? = nil,
        softwareDisplay: Int = 0
    ) throws(ProgramError) -> ChosenRenderer {
        do throws(RenderingError) {
            return try ChosenRenderer(
                choice ?? renderer, upload: upload, because: reason, threadCount: threadCount,
                softwareDisplay: softwareDisplay)
        } catch {
            throw ProgramError(error)
        }
    }
}

extension WallRenderer {
    /// How frames reach the GPU, and why; `nil` where the CPU draws.
    var upload: String? { uploadDescription.map { "\($0.method) (\($0.reason))" } }

    /// The renderer's name, why it was chosen, and how frames reach the GPU, with the reason for that or without.
    func summary(_ reason: String, withUploadReason: Bool = true) -> String {
        let upload = withUploadReason ? upload : uploadDescription?.method
        return "\(name) (\(reason))\(upload.map { ", upload \($0)" } ?? "")"
    }
}
