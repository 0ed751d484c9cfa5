package import CVitrailKernels
import Glibc
package import MediaIO
package import VideoWall

/// The pixels of a picture.
package struct PictureMemory: @unchecked Sendable {
    // Unchecked because of the pointer: threads write different rows.
    package let size: VideoSize
    package let format: PictureFormat
    package let bytesPerRow: Int
    package let bytes: UnsafeMutablePointer<UInt8>

    /// Allocates memory, which ``free()`` returns.
    ///
    /// - Returns: `nil` if there is not enough.
    package init?(_ size: VideoSize, _ format: PictureFormat) {
        // Rows begin with whole cache lines, so that no two threads write one.
        bytesPerRow = (size.width * format.bytesPerPixel + 63) & ~63
        guard let memory = aligned_alloc(64, max(64, bytesPerRow * size.height)) else { return nil }
        (self.size, self.format) = (size, format)
        bytes = memory.assumingMemoryBound(to: UInt8.self)
    }

    package func free() { Glibc.free(bytes) }

    /// Describes a rectangle of the picture, with columns and rows relative to another one's corner.
    package func part(_ area: Rectangle, relativeTo origin: Rectangle) -> VitrailPart {
        let (x, y) = (area.x - origin.x, area.y - origin.y)
        return VitrailPart(
            pixels: bytes + area.y * bytesPerRow + area.x * format.bytesPerPixel, bytesPerRow: bytesPerRow,
            x0: Int32(x), y0: Int32(y), x1: Int32(x + area.width), y1: Int32(y + area.height))
    }

    /// All pixels of a picture of ``PictureFormat/rgba8``, which are opaque.
    package var pixels: VitrailPixels {
        VitrailPixels(
            first: bytes, bytesPerRow: bytesPerRow, width: Int32(size.width), height: Int32(size.height),
            bytesPerPixel: 4, red: 0, green: 1, blue: 2, opacity: -1)
    }

    /// Fills a rectangle.
    package func fill(_ area: Rectangle, red: Float = 0, green: Float = 0, blue: Float = 0) {
        vitrail_fill(format.kernelFormat, part(area, relativeTo: area), red, green, blue)
    }
}
