import MediaIO
import VideoWall
import VitrailGL

/// The planes of a tile's newest frame, as textures: its own, or those of the frame.
///
/// Its own are reallocated only when the format or the size changes.
final class FrameTextures {
    private var textures: InlineArray<4, Texture?>
    /// The frame whose textures they are; `nil` for its own.
    private var image: TextureImage?
    /// Whether they are textures of somebody else.
    let isImported: Bool
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
        isImported = false
    }

    /// Prepares for frames in textures of somebody else.
    ///
    /// - Throws: ``GLError/Code/texture`` if a shader would need other textures than one for each plane.
    init(importing format: PixelFormat, size: VideoSize) throws(GLError) {
        sampling = PlaneSampling(format)
        guard sampling.hasTextureForEachPlane else {
            throw GLError(
                .texture,
                "Textures of \(format.rawValue) cannot be drawn: hand over rgba32, nv12 or i420, or planes in memory.")
        }
        textures = InlineArray { _ in nil }
        self.format = format
        self.size = size
        isImported = true
    }

    /// Takes the textures of a frame of this format and size instead of the last one's, which the uploader keeps until the
    /// GPU has drawn them.
    ///
    /// - Throws: ``GLError/Code/notShared`` or ``GLError/Code/texture``.
    func take(_ image: TextureImage, _ context: GLContext, _ uploader: FrameUploader) throws(GLError) {
        guard image.shareGroup == ObjectIdentifier(context.shareGroup) else {
            throw GLError(
                .notShared,
                "The frame's texture belongs to an OpenGL context that shares nothing with the renderer's: make one with "
                    + "`shareGroup.makeContext()` of the renderer's context, or hand over planes in memory.")
        }
        release(uploader)
        if let fence = image.fence { try context.wait(forFenceAt: fence) }
        let planes = format.planes
        for index in 0..<image.names.count {
            guard let view = sampling.views[index] else { continue }
            textures[index] = try Texture(
                importing: image.names[index], context, view.format, width: view.width(planes[index], size),
                height: planes[index].height(size))
        }
        self.image = image
    }

    /// Gives the textures of somebody else back, as soon as the GPU has drawn them.
    func release(_ uploader: FrameUploader) {
        guard let image else { return }
        uploader.hold(.texture(image))
        self.image = nil
        textures = InlineArray { _ in nil }
    }

    /// OpenGL's names of the textures.
    var names: [UInt32] { (0..<textures.count).compactMap { textures[$0]?.name } }

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
