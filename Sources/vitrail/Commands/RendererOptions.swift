import ArgumentParser
import GLRendering
import VideoWall
import WallRendering

/// The options of what draws.
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
    ///   - choice: which one, instead of the one asked for.
    ///   - threadCount: how many threads the CPU draws with; `nil` for one on each processor.
    /// - Returns: the renderer, and why it was chosen.
    /// - Throws: ``ProgramError/Status/unavailable`` for `gpu` without OpenGL.
    func make(_ choice: RendererChoice? = nil, threadCount: Int? = nil) throws(ProgramError) -> ChosenRenderer {
        do throws(RenderingError) {
            return try ChosenRenderer(choice ?? renderer, upload: upload, threadCount: threadCount)
        } catch {
            throw ProgramError(error)
        }
    }
}

extension WallRenderer {
    /// How frames reach the GPU, and why; `nil` where the CPU draws.
    var upload: String? { (self as? GLRenderer).map { "\($0.uploadMethod) (\($0.uploadReason))" } }

    /// The renderer, why it draws, and how frames reach it, with the reason or without.
    func summary(_ reason: String, withUploadReason: Bool = true) -> String {
        let upload = withUploadReason ? upload : (self as? GLRenderer)?.uploadMethod.rawValue
        return "\(name) (\(reason))\(upload.map { ", upload \($0)" } ?? "")"
    }
}
