/// Memory that a sink reads frames from faster than from ordinary memory, such as memory that a GPU reads directly.
///
/// A sink offers it in its ``VideoSinkWants``; sources give it to their ``PixelBufferPool``.
///
/// **Thread:** any.
public protocol FrameMemory: AnyObject, Sendable {
    /// Allocates a block that begins at a multiple of 64 bytes.
    ///
    /// **Cost:** rare; one short lock.
    /// - Parameter byteCount: its length.
    /// - Returns: `nil` if none is available at the moment; use ordinary memory then.
    func allocate(byteCount: Int) -> FrameMemoryBlock?
}

/// A block of a ``FrameMemory``.
public struct FrameMemoryBlock: @unchecked Sendable {
    // Unchecked because of the pointer: only the block's owner uses it.
    /// The block's bytes.
    public let bytes: UnsafeMutableRawBufferPointer
    /// Returns the block; called once, on any thread, when nobody reads or writes it any more.
    public let release: @Sendable () -> Void

    /// Describes a block.
    public init(bytes: UnsafeMutableRawBufferPointer, release: @escaping @Sendable () -> Void) {
        (self.bytes, self.release) = (bytes, release)
    }
}
