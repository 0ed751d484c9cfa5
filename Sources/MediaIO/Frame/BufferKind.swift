/// The kind of memory that frames are handed over in.
///
/// Sources say what they deliver, and sinks ask for what they take: ``VideoSource/bufferKind``,
/// ``VideoSink/bufferKind``. It is Agora's `AgoraVideoBufferType` and ZEGO's `ZegoVideoBufferType`.
public enum BufferKind: String, CaseIterable, Hashable, Sendable {
    /// One piece of memory: a pointer, a length and a layout; ``PixelBuffer/withRawFrame(_:)``.
    case rawData
    /// Planes in memory, each with a stride: ``PixelBuffer``.
    case pixelBuffer
    /// Textures of an OpenGL context: ``TextureImage``.
    case texture
    /// Encoded packets: ``EncodedPacket``.
    case encoded
    /// Memory shared with devices: ``DMABufferImage``.
    case dmaBuffer
}
