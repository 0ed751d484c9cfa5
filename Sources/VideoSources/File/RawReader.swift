public import MediaIO

/// Reads uncompressed frames without any headers from a file or a pipe.
///
/// Rows and planes have no padding, unless a stride is given; rows of ``PixelFormat/v210`` are padded to a multiple of
/// 128 bytes.
///
/// **Thread:** the one that made it. **Cost:** one or two system calls per frame, directly into its buffer.
public final class RawReader: FrameReader {
    /// The caller's description of the stream, with a duration if the file is regular.
    public let info: StreamInfo
    private var file: InputFile
    private var planes: PlaneReader
    private let pool = PixelBufferPool()
    private let format: PixelFormat
    private let frameRate: Rational
    private var index = 0

    /// Opens a file, a named pipe or a device.
    ///
    /// - Parameters:
    ///   - path: its path, used literally.
    ///   - format: the format of the samples.
    ///   - size: the size, each side 1…``PixelBuffer/maximumSide``.
    ///   - frameRate: frames per second.
    ///   - colorTags: what is known of the colours; the rest is assumed by the rule of ``ColorTags``.
    ///   - bytesPerRow: the stride of the first plane, if all rows are padded, the last one too; the strides of the
    ///     other planes are proportional to their widths.
    ///   - cancellation: ends a read that waits for a pipe.
    /// - Throws: ``StreamError``: `cannotOpen`; `unsupported` for a size or stride out of range; `malformed` for a
    ///   regular file that does not hold a whole number of frames, with the numbers.
    public convenience init(
        path: String, format: PixelFormat, size: VideoSize, frameRate: Rational = Rational(30),
        colorTags: ColorTags = ColorTags(), bytesPerRow: Int? = nil, cancellation: ReadCancellation? = nil
    ) throws(StreamError) {
        try self.init(
            InputFile(path: path, cancellation: cancellation), format, size, frameRate, colorTags, bytesPerRow)
    }

    /// Reads from an open descriptor, from its current position; the caller closes it after the reader is released.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor, for example 0, standard input.
    ///   - name: its name for errors.
    ///   - format: the format of the samples.
    ///   - size: the size, each side 1…``PixelBuffer/maximumSide``.
    ///   - frameRate: frames per second.
    ///   - colorTags: what is known of the colours; the rest is assumed by the rule of ``ColorTags``.
    ///   - bytesPerRow: the stride of the first plane, if rows are padded.
    ///   - cancellation: ends a read that waits for a pipe.
    /// - Throws: ``StreamError``, as when opening a path.
    public convenience init(
        descriptor: Int32, name: String, format: PixelFormat, size: VideoSize, frameRate: Rational = Rational(30),
        colorTags: ColorTags = ColorTags(), bytesPerRow: Int? = nil, cancellation: ReadCancellation? = nil
    ) throws(StreamError) {
        let file = InputFile(descriptor: descriptor, name: name, cancellation: cancellation)
        try self.init(file, format, size, frameRate, colorTags, bytesPerRow)
    }

    private init(
        _ file: consuming InputFile, _ format: PixelFormat, _ size: VideoSize, _ frameRate: Rational,
        _ colorTags: ColorTags, _ bytesPerRow: Int?
    ) throws(StreamError) {
        try checkSize(size, of: file.name, .unsupported)
        if let bytesPerRow {
            // No hardware pads rows by more than 1 MiB, and the reader allocates memory for the padding.
            let rowBytes = format.planes[0].rowBytes(size)
            let strides = rowBytes...rowBytes + (1 << 20)
            guard strides.contains(bytesPerRow) else {
                throw StreamError(
                    .unsupported,
                    "\(file.name) cannot have \(bytesPerRow) bytes per row: \(format) \(size) needs \(strides.lowerBound) to \(strides.upperBound)."
                )
            }
        }
        planes = PlaneReader(format, size, bytesPerRow: bytesPerRow ?? Self.usualBytesPerRow(format, size))
        var duration: Duration?
        if let total = file.size {
            let (count, rest) = total.quotientAndRemainder(dividingBy: planes.byteCount)
            guard total > 0 else { throw StreamError(.malformed, "\(file.name) is empty. Check that it was written.") }
            guard rest == 0 else {
                throw StreamError(
                    .malformed,
                    "\(file.name) does not hold a whole number of frames: \(total) bytes are \(count) frames of \(planes.byteCount) bytes (\(format) \(size)) and \(rest) more. Check format, size and stride."
                )
            }
            duration = frameRate.time(ofFrame: count)
        }
        info = StreamInfo(
            container: "raw", format: format, size: size, frameRate: frameRate, duration: duration,
            attributes: FrameAttributes(colorTags: colorTags))
        self.format = format
        self.frameRate = frameRate
        self.file = file
    }

    /// The stride of v210, a multiple of 128 bytes by its definition.
    private static func usualBytesPerRow(_ format: PixelFormat, _ size: VideoSize) -> Int? {
        format == .v210 ? (format.planes[0].rowBytes(size) + 127) / 128 * 128 : nil
    }

    /// The format of a raw file by its extension, or `nil` if that is not an extension of raw files.
    ///
    /// `.yuv` and `.raw` mean ``PixelFormat/i420``; others are the name of a format: `clip.nv12`, `clip.p010`,
    /// `clip.v210`. Case does not matter.
    public static func format(ofFileNamed name: String) -> PixelFormat? {
        guard let ending = pathExtension(name) else { return nil }
        return ["yuv", "raw"].contains(ending) ? .i420 : PixelFormat(rawValue: ending)
    }

    /// The next frame, or `nil` at the end.
    ///
    /// - Throws: ``StreamError/Code/readFailed`` for an incomplete frame, after those before it were delivered.
    public func next() throws(StreamError) -> VideoFrame? {
        var missing = 0
        let buffer = try pool.makeBuffer(format: format, size: info.size) { target in
            missing = try planes.read(from: &file, into: target)
        }
        switch missing {
        case 0: break
        case planes.byteCount: return nil
        case let rest:
            throw StreamError(
                .readFailed,
                "\(file.name) is truncated: frame \(index) (from 0) has \(planes.byteCount - rest) of \(planes.byteCount) bytes."
            )
        }
        defer { index += 1 }
        return VideoFrame(buffer, attributes: info.attributes, presentationTime: frameRate.time(ofFrame: index))
    }

    /// Skips to the frame for a time, or to the last one, without reading; false on a pipe.
    public func skip(to time: Duration) -> Bool {
        guard let size = file.size else { return false }
        let target = min(frameRate.frame(at: time), size / planes.byteCount - 1)
        guard target > index else { return true }
        guard (try? file.seek(to: target * planes.byteCount)) != nil else { return false }
        index = target
        return true
    }

    /// Reads frames into the memory that sinks want.
    public func adapt(to wants: VideoSinkWants) { if wants.isVisible { pool.memory = wants.memory } }

    /// Goes back to the first frame.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` on a pipe.
    public func rewind() throws(StreamError) {
        try file.seek(to: 0)
        index = 0
    }
}
