import ArgumentParser
import VideoWall
import WallRendering

extension RendererChoice {
    static var help: ArgumentHelp {
        ArgumentHelp(
            "Renderer: auto (a GPU, or else the CPU), gpu (OpenGL, also a software driver) or cpu.", valueName: "name")
    }

    /// Makes a renderer without a window.
    ///
    /// - Parameter threadCount: how many threads the CPU draws with; `nil` for one on each processor.
    /// - Returns: the renderer, and why it was chosen.
    /// - Throws: ``ProgramError/Status/unavailable`` for ``gpu`` without OpenGL.
    func make(threadCount: Int? = nil) throws(ProgramError) -> ChosenRenderer {
        do throws(RenderingError) {
            return try ChosenRenderer(self, threadCount: threadCount)
        } catch {
            throw ProgramError(error)
        }
    }
}
