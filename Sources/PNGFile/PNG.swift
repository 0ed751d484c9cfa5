internal import CVitrailPNG
internal import Glibc
internal import VitrailSupport

/// Writes and reads PNG files.
///
/// **Thread:** any. **Cost:** rare; tenths of a second for 1920 × 1080.
public enum PNG {
    /// The largest width and height.
    public static let maximumSide = 65_536
    /// The largest picture in bytes, 4 per pixel, which limits the memory that a hostile file can claim.
    public static let maximumByteCount = 1 << 30

    /// Encodes a picture; the same picture always gives the same bytes.
    ///
    /// - Parameters:
    ///   - rgba: red, green, blue, alpha, 8 bits each, sRGB, not premultiplied; rows from the top.
    ///   - width: the width in pixels, 1 to ``maximumSide``.
    ///   - height: the height in pixels, 1 to ``maximumSide``.
    ///   - bytesPerRow: the stride, at least 4 × `width`.
    /// - Returns: the content of a PNG file.
    /// - Throws: ``PNGError/Code/badSize``.
    public static func encode(
        rgba: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int
    ) throws(PNGError) -> [UInt8] {
        try check(width, height, of: "A picture")
        let row = width * 4
        // Stride and size are bounded first, so that their product cannot overflow.
        guard bytesPerRow >= row, bytesPerRow <= Int(Int32.max), rgba.count >= bytesPerRow * (height - 1) + row else {
            throw PNGError(
                .badSize,
                "A picture of \(width)x\(height) needs rows of \(row) bytes, but \(rgba.count) bytes at \(bytesPerRow) per row were given."
            )
        }
        var image = PNG.image()
        image.width = png_uint_32(width)
        image.height = png_uint_32(height)
        image.format = vitrail_png_format_rgba
        // A quarter of the time for a third more bytes: a snapshot must not delay the wall.
        image.flags = vitrail_png_fast
        // Room for incompressible data, and for the chunks around it.
        let pixels = (row + 1) * height
        let capacity = pixels + pixels / 8 + pixels / 64 + 4096
        var isWritten = false
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var length = png_alloc_size_t(capacity)
            isWritten =
                png_image_write_to_memory(
                    &image, buffer.baseAddress, &length, 0, rgba.baseAddress, Int32(bytesPerRow), nil) != 0
            count = isWritten ? Int(length) : 0
        }
        guard isWritten else {
            throw PNGError(.cannotWrite, "The PNG library could not encode \(width)x\(height): \(message(of: image)).")
        }
        return bytes
    }

    /// Encodes a picture into a file, which is then either complete or unchanged.
    ///
    /// - Parameters:
    ///   - rgba: as in ``encode(rgba:width:height:bytesPerRow:)``.
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    ///   - bytesPerRow: the stride.
    ///   - path: a file to create or replace, or a device or pipe to write to.
    /// - Throws: ``PNGError/Code/badSize``, ``PNGError/Code/cannotWrite``.
    public static func write(
        rgba: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int, to path: String
    ) throws(PNGError) {
        let bytes = try encode(rgba: rgba, width: width, height: height, bytesPerRow: bytesPerRow)
        do throws(AtomicFile.Failure) {
            let file = try AtomicFile(path)
            try file.write(bytes)
            try file.commit()
        } catch {
            throw PNGError(
                .cannotWrite,
                "\(path) could not be written: \(systemMessage(error.number)). Check the folder, its permissions and its free space.",
                underlying: error.number)
        }
    }

    /// Encodes a picture without padding between its rows, as `readPixels()` returns it, into a file, which is then
    /// either complete or unchanged.
    ///
    /// - Parameters:
    ///   - rgba: 4 bytes for each pixel, the top row first.
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    ///   - path: a file to create or replace, or a device or pipe to write to.
    /// - Throws: ``PNGError/Code/badSize``, ``PNGError/Code/cannotWrite``.
    public static func write(rgba: [UInt8], width: Int, height: Int, to path: String) throws(PNGError) {
        try rgba.span.bytes.withUnsafeBytes { bytes throws(PNGError) in
            try write(rgba: bytes, width: width, height: height, bytesPerRow: width * 4, to: path)
        }
    }

    /// Reads a PNG of any kind.
    ///
    /// - Parameters:
    ///   - path: a regular file, which is opened without waiting: a pipe or a device is refused.
    ///   - maximumByteCount: the largest picture in bytes, 4 per pixel, at most ``maximumByteCount``; a larger one is
    ///     refused before memory is taken for it.
    /// - Returns: the picture as 8-bit RGBA.
    /// - Throws: ``PNGError/Code/cannotOpen``, ``PNGError/Code/malformed``, ``PNGError/Code/badSize``.
    public static func read(_ path: String, maximumByteCount: Int = maximumByteCount) throws(PNGError) -> PNGImage {
        let file = try open(path)
        defer { fclose(file) }
        var image = PNG.image()
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_stdio(&image, file) != 0 else { throw malformed(path, image) }
        let (width, height) = (Int(image.width), Int(image.height))
        try check(width, height, of: path, maximumByteCount)
        image.format = vitrail_png_format_rgba
        var rgba = [UInt8](repeating: 0, count: width * height * 4)
        guard png_image_finish_read(&image, nil, &rgba, Int32(width * 4), nil) != 0 else {
            throw malformed(path, image)
        }
        return PNGImage(width: width, height: height, rgba: rgba)
    }

    /// Opens a regular file, without waiting for the writer of a pipe.
    private static func open(_ path: String) throws(PNGError) -> UnsafeMutablePointer<FILE> {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw cannotOpen(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw PNGError(.cannotOpen, "\(path) is a folder, pipe or device: name a PNG file.")
        }
        guard let file = fdopen(descriptor, "rb") else {
            let failure = errno
            close(descriptor)
            throw cannotOpen(path, failure)
        }
        return file
    }

    private static func cannotOpen(_ path: String, _ failure: Int32) -> PNGError {
        PNGError(
            .cannotOpen, "\(path) could not be opened: \(systemMessage(failure)). Check the path and its permissions.",
            underlying: failure)
    }

    private static func check(
        _ width: Int, _ height: Int, of subject: String, _ limit: Int = maximumByteCount
    ) throws(PNGError) {
        let (sides, limit) = (1...maximumSide, min(limit, maximumByteCount))
        guard sides.contains(width), sides.contains(height), width * height * 4 <= limit else {
            throw PNGError(
                .badSize,
                "\(subject) of \(width)x\(height) is not possible: each side must be 1 to \(maximumSide), with at most \(limit / 4) pixels."
            )
        }
    }

    private static func malformed(_ path: String, _ image: png_image) -> PNGError {
        PNGError(.malformed, "\(path) is not a PNG or is damaged: \(message(of: image)). Create the file again.")
    }

    private static func image() -> png_image {
        var image = png_image()
        image.version = vitrail_png_image_version
        return image
    }

    private static func message(of image: png_image) -> String {
        withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
