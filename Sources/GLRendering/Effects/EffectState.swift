import MediaIO
import VideoWall

/// The values for the uniforms of effects.
struct EffectState: Equatable {
    /// The time and the mouse.
    var inputs = WallScene.EffectInputs()
    /// Counts the frames of the stream, from 0.
    var frameNumber = 0
    /// The size of the picture, in pixels.
    var size = VideoSize(width: 1, height: 1)
    /// Whether there is a result for the previous frame.
    var hasPrevious = false
    /// How luma is computed from the frame's samples: a factor for each of the three, and an offset.
    var lumaOfPlanes = SIMD4<Float>(0.2126, 0.7152, 0.0722, 0)
}
