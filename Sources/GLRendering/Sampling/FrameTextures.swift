import MediaIO
import VideoWall
import VitrailGL

/// The planes of a tile's newest frame as textures, which are the tile's own or the frame's.
///
/// The tile's own are allocated anew only when the format or the size changes.
final class FrameTextures {
    private var textures: InlineArray<4, Texture?>
    /// The frame that the textures belong to; `nil` if they are the tile's own.
    private var image: FrameImage?
    /// Whether the textures are of frames, not the tile's own.
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

    /// Prepares for frames that are drawn from their own textures or memory.
    init(importing format: PixelFormat, size: VideoSize) {
        sampling = PlaneSampling(format)
        textures = InlineArray { _ in nil }
        self.format = format
        self.size = size
        isImported = true
    }

    /// Takes the textures of a frame of this format and size.
    ///
    /// The uploader keeps the last frame until the GPU has drawn it.
    ///
    /// - Throws: what ``TextureImage/textures(_:in:)`` throws.
    func take(_ image: TextureImage, _ context: GLContext, _ uploader: FrameUploader) throws(GLError) {
        release(uploader)
        textures = try image.textures(sampling, in: context)
        self.image = .texture(image)
    }

    /// Takes the memory of a frame of this format and size.
    ///
    /// The uploader keeps the last frame until the GPU has drawn it.
    ///
    /// - Throws: ``GLError/Code/texture`` if the driver cannot import it.
    func take(_ image: DMABufferImage, _ importer: DMABufferImporter, _ uploader: FrameUploader) throws(GLError) {
        release(uploader)
        let planes = format.planes
        for index in 0..<textures.count {
            guard let view = sampling.views[index] else { continue }
            let plane = image.planes[view.plane]
            textures[index] = try importer.texture(
                of: DMABufferImporter.Plane(
                    descriptor: plane.descriptor, offset: plane.offset, bytesPerRow: plane.bytesPerRow,
                    modifier: image.modifier),
                view.format, width: view.width(planes[view.plane], size), height: planes[view.plane].height(size))
        }
        self.image = .dmaBuffer(image)
    }

    /// Returns a frame's textures or memory as soon as the GPU has drawn them.
    func release(_ uploader: FrameUploader) {
        guard let image else { return }
        uploader.hold(image)
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

    /// Binds the textures to the units of the same number, for reading texels.
    func bind(_ sampler: borrowing Sampler) {
        for index in 0..<textures.count { textures[index]?.bind(unit: index, sampler) }
    }

    /// The number of textures.
    var count: Int { sampling.count }

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
