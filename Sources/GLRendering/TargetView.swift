import MediaIO
import VideoWall
import VitrailGL

/// The description of a target for OpenGL.
struct TargetView {
    /// The size of the scene in pixels.
    var size: VideoSize
    /// Whether row 0 is the top one, as in a picture that is read back, or the lowest, as in a window.
    var topIsFirstRow: Bool
    /// The bits per component: 8 or 10, or 16 for floating-point numbers, which are not dithered.
    var depth = 8
    /// Whether colours with more bits than ``depth`` are dithered; not in a picture that effects are applied to.
    var dithers = true
    /// The colours of the target.
    var colors = ColorTarget.sRGB
    /// Which colours are converted to those of the target.
    var conversion = ColorConversionMode.auto
    /// The reduction above which ``ScalingFilter/automatic`` antialiases, in source pixels per target pixel.
    var automaticReduction = ScalingMethod.automaticReduction(onCPU: false)
    /// The position of the scene's lower left corner in the framebuffer, with OpenGL's y upwards.
    var origin = (x: 0, y: 0)

    /// The bits per component to which frames of a format are dithered; 0 for none.
    func ditherDepth(of format: PixelFormat) -> Int { dithers ? format.ditherDepth(in: depth) : 0 }

    /// Limits drawing to a rectangle of the scene.
    func setScissor(_ rectangle: Rectangle, _ context: GLContext) {
        let y = topIsFirstRow ? rectangle.y : size.height - rectangle.y - rectangle.height
        context.setScissor((origin.x + rectangle.x, origin.y + y, rectangle.width, rectangle.height))
    }
}
