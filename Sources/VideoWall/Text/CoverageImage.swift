public import MediaIO

/// How much of each pixel is covered by ink: 8 bits a pixel, 0 nothing and 255 all of it.
///
/// Immutable; two images are the same only when they are the same object, so that a renderer keeps one on the GPU for as long
/// as it is shown.
///
/// **Thread:** any.
public final class CoverageImage: Sendable {
    /// The size in pixels, each side at least 1.
    public let size: VideoSize
    /// The stride: bytes from a row's first pixel to the next row's.
    public let bytesPerRow: Int
    /// The rows from the top, ``bytesPerRow`` × height bytes.
    public let bytes: [UInt8]

    /// Takes over rows of coverage.
    ///
    /// - Parameters:
    ///   - bytes: `height` rows, `bytesPerRow` bytes apart.
    ///   - size: in pixels, each side at least 1.
    ///   - bytesPerRow: at least the width.
    public init(_ bytes: [UInt8], size: VideoSize, bytesPerRow: Int) {
        precondition(
            size.width > 0 && size.height > 0 && bytesPerRow >= size.width && bytes.count >= bytesPerRow * size.height,
            "A coverage image has at least one pixel, and as many bytes as bytesPerRow × height.")
        self.bytes = bytes
        self.size = size
        self.bytesPerRow = bytesPerRow
    }
}
