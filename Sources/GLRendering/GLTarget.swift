import MediaIO
import VideoWall
import VitrailGL

/// What a ``GLRenderer`` can draw into.
protocol GLTarget: RenderTarget {
    /// Whose it is.
    var context: GLContext { get }
    /// The picture as OpenGL sees it; the renderer fills in the colours.
    var view: TargetView { get }
    /// Whether the state of the context is put back after drawing.
    var restoresState: Bool { get }

    /// Works out what has to be drawn, and takes the scene for drawn: see ``DamageHistory``.
    func damage(of scene: WallScene, _ parts: inout [Rectangle]) -> DamageHistory.Extent

    /// Makes it the picture that is drawn to.
    func bind()
}

extension GLTarget {
    var restoresState: Bool { false }
}
