import MediaIO
import PNGFile
import VideoWall

/// Encodes rendered pictures as PNG files, and reuses its memory for the next one.
struct PictureEncoder {
    private var pixels: [UInt8] = []

    /// Reads a picture back and encodes it.
    ///
    /// - Returns: the content of a PNG file.
    /// - Throws: ``ProgramError``, `RenderingError`.
    mutating func encode(_ picture: any OffscreenTarget) throws -> [UInt8] {
        let size = picture.size
        let bytesPerRow = size.width * 4
        if pixels.count != bytesPerRow * size.height {
            pixels = [UInt8](repeating: 0, count: bytesPerRow * size.height)
        }
        do {
            try pixels.withUnsafeMutableBytes { try picture.readPixels(into: $0, bytesPerRow: bytesPerRow) }
            return try pixels.withUnsafeBytes {
                try PNG.encode(rgba: $0, width: size.width, height: size.height, bytesPerRow: bytesPerRow)
            }
        } catch let error as PNGError {
            throw ProgramError(error.code == .badSize ? .usage : .failed, error.description)
        }
    }
}
