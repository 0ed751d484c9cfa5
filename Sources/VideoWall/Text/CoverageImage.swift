public import MediaIO
import VitrailSupport

/// The coverage of each pixel: 8 bits per pixel, from 0 for none to 255 for full coverage.
///
/// It is immutable and compared by identity, so that a renderer keeps an image on the GPU for as long as it is shown.
///
/// **Thread:** any.
public final class CoverageImage: Sendable {
    /// The size in pixels, each side at least 1.
    public let size: VideoSize
    /// The stride in bytes.
    public let bytesPerRow: Int
    /// Rows from the top, ``bytesPerRow`` × height bytes.
    public let bytes: [UInt8]

    /// Creates an image from rows of coverage.
    ///
    /// - Parameters:
    ///   - bytes: `height` rows, `bytesPerRow` bytes apart.
    ///   - size: the size in pixels, each side at least 1.
    ///   - bytesPerRow: the stride, at least the width.
    public init(_ bytes: [UInt8], size: VideoSize, bytesPerRow: Int) {
        require(
            size.width > 0 && size.height > 0 && bytesPerRow >= size.width && bytes.count >= bytesPerRow * size.height,
            "A coverage image needs at least one pixel, and bytesPerRow × height bytes.")
        self.bytes = bytes
        self.size = size
        self.bytesPerRow = bytesPerRow
    }
}
