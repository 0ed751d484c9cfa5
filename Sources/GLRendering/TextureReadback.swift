public import MediaIO
public import VitrailGL

/// Reads textures of a share group back into memory, with a context of its own, which it makes when it is first needed.
///
/// **Thread:** one at a time; afterwards, the previous context is current again.
final class TextureReadback: TextureReader {
    private let group: ShareGroup
    private var made: GLContext?
    private var last: (format: PixelFormat, sampling: PlaneSampling)?
    private let pool = PixelBufferPool()

    init(_ group: ShareGroup) { self.group = group }

    func read(_ image: TextureImage) throws(StreamError) -> PixelBuffer {
        let previous = CurrentContext()
        defer { previous.restore() }
        do throws(GLError) {
            return try read(image, context())
        } catch {
            throw StreamError(.unsupported, "The textures of a frame cannot be read back: \(error)")
        }
    }

    /// Its context, current.
    private func context() throws(GLError) -> GLContext {
        if let made {
            try made.use()
            return made
        }
        let context = try group.makeContext()
        made = context
        return context
    }

    /// How a format is sampled, worked out anew only when the format changes.
    private func sampling(_ format: PixelFormat) -> PlaneSampling {
        if let last, last.format == format { return last.sampling }
        let made = PlaneSampling(format)
        last = (format, made)
        return made
    }

    private func read(_ image: TextureImage, _ context: GLContext) throws(GLError) -> PixelBuffer {
        let textures = try image.textures(sampling(image.format), in: context)
        do throws(StreamError) {
            return try pool.makeBuffer(format: image.format, size: image.size) { planes in
                for index in 0..<planes.count {
                    try planes.withPlaneBytes(index) { bytes throws(GLError) in
                        try textures[index]?.read(into: bytes, bytesPerRow: planes.bytesPerRow(index))
                    }
                }
            }
        } catch {
            throw GLError(.driver, error.description)
        }
    }
}

extension ShareGroup: TextureConverter {
    /// Makes a ``TextureSink``.
    public func makeTextureSink(for sink: any VideoSink) -> any SinkWrapper { TextureSink(sink, in: self) }

    /// Makes a reader of the group's textures, which uses another context of the group.
    public func makeTextureReader() -> any TextureReader { TextureReadback(self) }
}

extension TextureImage {
    /// Its textures, one for each plane; the GPU waits for the image's fence first.
    ///
    /// - Parameters:
    ///   - sampling: how the format is sampled.
    ///   - context: the context, current.
    /// - Returns: the textures.
    /// - Throws: ``GLError/Code/notShared``, or ``GLError/Code/texture``, for example if the format is not drawn from
    ///   one texture for each plane.
    func textures(_ sampling: PlaneSampling, in context: GLContext) throws(GLError) -> InlineArray<4, Texture?> {
        guard shareGroup == ObjectIdentifier(context.shareGroup) else {
            throw GLError(
                .notShared,
                "The frame's texture belongs to an OpenGL context that shares nothing with the renderer's: make one with "
                    + "`shareGroup.makeContext()` of the renderer's context, or hand over planes in memory.")
        }
        guard sampling.hasTextureForEachPlane else {
            throw GLError(
                .texture,
                "Textures of \(format.rawValue) cannot be drawn: hand over rgba32, nv12 or i420, or planes in memory.")
        }
        if let fence { try context.wait(forFenceAt: fence) }
        let planes = format.planes
        // Not in a closure, which allocates without optimisation.
        var textures = InlineArray<4, Texture?> { _ in nil }
        for index in 0..<names.count {
            guard let view = sampling.views[index] else { continue }
            textures[index] = try Texture(
                importing: names[index], context, view.format, width: view.width(planes[index], size),
                height: planes[index].height(size))
        }
        return textures
    }
}
