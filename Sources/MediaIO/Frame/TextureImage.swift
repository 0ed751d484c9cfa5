/// A frame in textures of an OpenGL context, for a renderer whose context shares textures with it.
///
/// This module does not call OpenGL: it only carries the names of the textures and the fence. A texel holds the
/// components of a pixel in their order in memory, so a picture that OpenGL has drawn is `rgba32`; the first row is the
/// top one.
///
/// A renderer releases an image once the GPU has drawn the next one. A producer that does not want to wait for that
/// needs four textures: one to write, one waiting in a mailbox, one on screen, and one being released.
///
/// **Thread:** any. **Cost:** making one allocates an object.
public final class TextureImage: Sendable {
    /// The names of two-dimensional textures, one per plane of ``format``, in its order.
    public let names: [UInt32]
    /// The format of the samples in the textures.
    public let format: PixelFormat
    /// The size of the frame, in pixels.
    public let size: VideoSize
    /// The address of a `GLsync` that is signalled when the textures are written; `nil` if they already are.
    public let fence: UInt?
    /// The identity of the contexts that share these textures; a renderer in any other context rejects them.
    public let shareGroup: ObjectIdentifier
    private let release: @Sendable () -> Void

    /// Describes textures.
    ///
    /// - Parameters:
    ///   - names: as many as `format` has planes; the textures must not change until `release` is called.
    ///   - format: the format of their samples.
    ///   - size: the size of the frame, each side 1…``PixelBuffer/maximumSide``.
    ///   - fence: the address of a `GLsync`, deleted by the caller after `release`; `nil` for no wait.
    ///   - shareGroup: the identity of an object that lives as long as the contexts.
    ///   - release: called once, on whichever thread releases the image last. Not called if this throws.
    /// - Throws: ``StreamError/Code/planeCount`` or ``StreamError/Code/sizeOutOfRange``.
    public init(
        names: [UInt32], format: PixelFormat, size: VideoSize, fence: UInt?, shareGroup: ObjectIdentifier,
        release: @escaping @Sendable () -> Void
    ) throws(StreamError) {
        try PixelBuffer.validate(size)
        try PixelBuffer.validate(planeCount: names.count, format)
        self.names = names
        self.format = format
        self.size = size
        self.fence = fence
        self.shareGroup = shareGroup
        self.release = release
    }

    deinit { release() }
}
