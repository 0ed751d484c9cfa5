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
        try pixels.withUnsafeMutableBytes { try picture.readPixels(into: $0, bytesPerRow: bytesPerRow) }
        return try Self.encode(pixels, size)
    }

    /// Encodes pixels.
    ///
    /// - Parameters:
    ///   - pixels: RGBA, without gaps between rows.
    ///   - size: of the picture.
    /// - Returns: the content of a PNG file.
    /// - Throws: ``ProgramError``.
    static func encode(_ pixels: [UInt8], _ size: VideoSize) throws(ProgramError) -> [UInt8] {
        let result = pixels.withUnsafeBytes { bytes in
            Result { () throws(PNGError) in
                try PNG.encode(rgba: bytes, width: size.width, height: size.height, bytesPerRow: size.width * 4)
            }
        }
        do throws(PNGError) {
            return try result.get()
        } catch {
            throw ProgramError(error.code == .badSize ? .usage : .failed, error.description)
        }
    }
}
