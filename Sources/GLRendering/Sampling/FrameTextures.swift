import MediaIO
import VideoWall
import VitrailGL

/// The planes of a tile's newest frame, as textures.
///
/// They are reallocated only when the format or the size changes.
final class FrameTextures {
    private let textures: InlineArray<4, Texture?>
    private let sampling: PlaneSampling
    let format: PixelFormat
    let size: VideoSize

    /// Allocates textures for frames of one format and size.
    init(_ context: GLContext, format: PixelFormat, size: VideoSize) throws(GLError) {
        let sampling = PlaneSampling(format)
        let planes = format.planes
        textures = try InlineArray<4, Texture?> { (index: Int) throws(GLError) -> Texture? in
            guard let view = sampling.views[index] else { return nil }
            let plane = planes[view.plane]
            return try Texture(context, view.format, width: view.width(plane, size), height: plane.height(size))
        }
        self.sampling = sampling
        self.format = format
        self.size = size
    }

    /// Uploads a buffer of this format and size.
    func upload(_ buffer: PixelBuffer, _ uploader: FrameUploader) {
        for index in 0..<textures.count {
            guard let view = sampling.views[index] else { continue }
            buffer.withPlane(view.plane) { textures[index]?.upload($0, of: buffer, uploader) }
        }
        uploader.end(buffer)
    }

    /// Binds the textures to the units of the same number, for a method of scaling.
    func bind(_ scaling: ScalingMethod, _ shared: borrowing SharedResources) {
        for index in 0..<textures.count {
            guard let view = sampling.views[index] else { continue }
            if view.isChroma ? scaling.weightsChroma : scaling.weightsLuma {
                textures[index]?.bind(unit: index, shared.linear)
            } else {
                textures[index]?.bind(unit: index, shared.nearest)
            }
        }
    }
}

extension Texture {
    fileprivate borrowing func upload(
        _ plane: PixelBuffer.Plane, of buffer: PixelBuffer, _ uploader: FrameUploader
    ) {
        uploader.upload(plane, of: buffer, to: self)
    }
}
