/// Puts frames into textures for sinks, and reads textures back into memory, with OpenGL contexts that share textures.
///
/// **Thread:** any.
public protocol TextureConverter: Sendable {
    /// Puts a sink in front of one that asks for ``BufferKind/texture``.
    ///
    /// - Parameter sink: the sink that asks for textures.
    /// - Returns: a sink that takes frames of every kind of memory.
    func makeTextureSink(for sink: any VideoSink) -> any SinkWrapper

    /// Makes a reader of textures.
    func makeTextureReader() -> any TextureReader
}

/// Reads textures back into memory.
///
/// **Thread:** one at a time.
public protocol TextureReader: AnyObject {
    /// Waits until a frame in textures is drawn, and copies it into memory.
    ///
    /// **Cost:** every frame; a copy by the GPU, which is waited for.
    /// - Parameter image: the textures.
    /// - Returns: planes of the same format and size.
    /// - Throws: ``StreamError/Code/unsupported`` with the reason.
    func read(_ image: TextureImage) throws(StreamError) -> PixelBuffer
}
