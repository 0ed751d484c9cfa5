import MediaIO
import VitrailGL

/// Frames that the GPU reads from their own memory or textures: kept until it has.
final class HeldFrames {
    private struct Picture: ~Copyable {
        var images: [FrameImage] = []
        var fence: Fence?
    }

    private let context: GLContext
    private var pictures = InlineArray<4, Picture> { _ in Picture() }
    private var present = 0

    init(_ context: GLContext) { self.context = context }

    /// Keeps a frame that the present picture reads.
    func hold(_ image: FrameImage) { pictures[present].images.append(image) }

    /// Ends the picture, and releases the frames of earlier ones that the GPU has read.
    func endPicture() {
        if !pictures[present].images.isEmpty {
            pictures[present].fence = Fence(context)
            present = (present + 1) % pictures.count
            pictures[present].fence?.wait()
        }
        for index in 0..<pictures.count where pictures[index].fence?.isReached == true {
            pictures[index].fence = nil
            pictures[index].images.removeAll(keepingCapacity: true)
        }
    }
}
