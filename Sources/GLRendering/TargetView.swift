import MediaIO
import VideoWall
import VitrailGL

/// The picture that a scene is drawn into, as OpenGL sees it.
struct TargetView {
    /// The size of the scene in pixels.
    var size: VideoSize
    /// Whether row 0 is the top one, as in a picture that is read back, or the lowest, as in a window.
    var topIsFirstRow: Bool
    /// Bits of a component: 8 or 10, or 16 for floating-point numbers, which are not dithered.
    var depth = 8
    /// What code values mean there.
    var colors = ColorTarget.sRGB
    /// When colours are converted to that.
    var conversion = ColorConversionMode.auto
    /// Where the scene's lower left corner is in the framebuffer, with OpenGL's y upwards.
    var origin = (x: 0, y: 0)

    /// Limits drawing to a rectangle of the scene.
    func setScissor(_ rectangle: Rectangle, _ context: GLContext) {
        let y = topIsFirstRow ? rectangle.y : size.height - rectangle.y - rectangle.height
        context.setScissor((origin.x + rectangle.x, origin.y + y, rectangle.width, rectangle.height))
    }
}
