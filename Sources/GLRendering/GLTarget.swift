import MediaIO
import VideoWall
import VitrailGL

/// A target that a ``GLRenderer`` can draw into.
protocol GLTarget: RenderTarget {
    /// The target's context.
    var context: GLContext { get }
    /// The description of the target, without its colours, which the renderer sets.
    var view: TargetView { get }
    /// Whether the context's state is restored after drawing.
    var restoresState: Bool { get }

    /// Determines what must be drawn, and records the scene as drawn: see ``DamageHistory``.
    func damage(of scene: WallScene, _ parts: inout [Rectangle]) -> DamageHistory.Extent

    /// Binds the target for drawing.
    ///
    /// - Throws: ``GLError/Code/framebuffer`` if a host's framebuffer cannot be drawn into.
    func bind() throws(GLError)

    /// Restores what ``bind()`` has changed in the target.
    func unbind()
}

extension GLContext {
    /// Makes the context current and sets the state for drawing.
    ///
    /// - Returns: the state that was found, to restore it afterwards; `nil` unless it is saved.
    func prepare(savesState: Bool) throws(RenderingError) -> DrawingState? {
        do throws(GLError) {
            let state = savesState ? try DrawingState(self) : nil
            try use()
            prepareForDrawing()
            return state
        } catch {
            throw RenderingError(error)
        }
    }
}

extension GLTarget {
    var restoresState: Bool { false }

    func unbind() {}
}
