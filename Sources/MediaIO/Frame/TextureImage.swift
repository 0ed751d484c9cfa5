/// A picture in textures of an OpenGL context, for a renderer whose context shares textures with it.
///
/// This target has no OpenGL in it: names and the fence are the numbers that OpenGL gave, and are only carried.
///
/// **Thread:** any. **Cost:** making one allocates an object.
public final class TextureImage: Sendable {
    /// The names of two-dimensional textures, one for each plane of ``format``, in its order.
    public let names: [UInt32]
    /// Which samples the textures hold.
    public let format: PixelFormat
    /// The size of the picture, in pixels.
    public let size: VideoSize
    /// The address of a `GLsync` that is signalled when the textures are written; `nil` where they are already.
    public let fence: UInt?
    /// Stands for all contexts that share these textures: a renderer takes them only where its own is one of these.
    public let shareGroup: ObjectIdentifier
    private let release: @Sendable () -> Void

    /// Describes textures.
    ///
    /// - Parameters:
    ///   - names: as many as `format` has planes; the textures must not change until `release` is called.
    ///   - format: which samples they hold.
    ///   - size: of the picture, each side 1…``PixelBuffer/maximumSide``.
    ///   - fence: the address of a `GLsync`, deleted by the caller after `release`; `nil` where nothing is awaited.
    ///   - shareGroup: of an object that lives as long as the contexts do.
    ///   - release: called once, on whichever thread lets go of the image last. Not called when this throws.
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
