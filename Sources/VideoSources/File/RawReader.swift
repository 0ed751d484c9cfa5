public import MediaIO

/// Reads pictures that follow each other in a file or a pipe without any header.
///
/// Rows and planes follow each other without padding, unless a stride is given; those of ``PixelFormat/v210`` end at a
/// multiple of 128 bytes.
///
/// **Thread:** the one that made it. **Cost:** a frame is read by one or two system calls, straight into its buffer.
public final class RawReader: FrameReader {
    /// What the caller said of the stream; with a duration where the file is regular.
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
    ///   - path: its path, as the system takes it.
    ///   - format: how the samples lie.
    ///   - size: each side 1…``PixelBuffer/maximumSide``.
    ///   - frameRate: frames per second.
    ///   - colorSpace: what the samples mean; by default what is assumed of a picture of that size.
    ///   - chromaLocation: where chroma samples lie.
    ///   - bytesPerRow: of the first plane, where rows are padded, the last one included; the other planes' follow from it
    ///     by the ratio of their widths.
    ///   - cancellation: ends a read that waits for a pipe.
    /// - Throws: ``StreamError``: `cannotOpen`; `unsupported` for a size or stride out of range; `malformed` for a regular
    ///   file that does not hold a whole number of pictures, with the numbers.
    public convenience init(
        path: String, format: PixelFormat, size: VideoSize, frameRate: Rational = Rational(30),
        colorSpace: ColorSpace? = nil, chromaLocation: ChromaLocation = .left, bytesPerRow: Int? = nil,
        cancellation: ReadCancellation? = nil
    ) throws(StreamError) {
        try self.init(
            InputFile(path: path, cancellation: cancellation), format, size, frameRate, colorSpace, chromaLocation,
            bytesPerRow)
    }

    /// Reads from a descriptor that is open, from where it stands; the caller closes it, after the reader is gone.
    ///
    /// - Parameters:
    ///   - descriptor: for example 0, standard input.
    ///   - name: what people call it, for errors.
    ///   - format: how the samples lie.
    ///   - size: each side 1…``PixelBuffer/maximumSide``.
    ///   - frameRate: frames per second.
    ///   - colorSpace: what the samples mean; by default what is assumed of a picture of that size.
    ///   - chromaLocation: where chroma samples lie.
    ///   - bytesPerRow: of the first plane, where rows are padded.
    ///   - cancellation: ends a read that waits for a pipe.
    /// - Throws: ``StreamError``, as when opening a path.
    public convenience init(
        descriptor: Int32, name: String, format: PixelFormat, size: VideoSize, frameRate: Rational = Rational(30),
        colorSpace: ColorSpace? = nil, chromaLocation: ChromaLocation = .left, bytesPerRow: Int? = nil,
        cancellation: ReadCancellation? = nil
    ) throws(StreamError) {
        let file = InputFile(descriptor: descriptor, name: name, cancellation: cancellation)
        try self.init(file, format, size, frameRate, colorSpace, chromaLocation, bytesPerRow)
    }

    private init(
        _ file: consuming InputFile, _ format: PixelFormat, _ size: VideoSize, _ frameRate: Rational,
        _ colorSpace: ColorSpace?, _ chromaLocation: ChromaLocation, _ bytesPerRow: Int?
    ) throws(StreamError) {
        try checkSize(size, of: file.name, .unsupported)
        if let bytesPerRow {
            // The same bound as PixelBuffer's: it keeps products from overflowing.
            let strides = format.planes[0].rowBytes(size)...1 << 30
            guard strides.contains(bytesPerRow) else {
                throw StreamError(
                    .unsupported,
                    "\(file.name) cannot have \(bytesPerRow) bytes per row: \(format) \(size) needs \(strides.lowerBound) or more."
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
                    "\(file.name) does not hold whole frames: \(total) bytes are \(count) frames of \(planes.byteCount) bytes (\(format) \(size)) and \(rest) more. Check format, size and stride."
                )
            }
            duration = frameRate.time(ofFrame: count)
        }
        info = StreamInfo(
            container: "raw", format: format, size: size, frameRate: frameRate, duration: duration,
            attributes: FrameAttributes(colorSpace: colorSpace, chromaLocation: chromaLocation))
        self.format = format
        self.frameRate = frameRate
        self.file = file
    }

    /// The rows of v210 end at a multiple of 128 bytes wherever it is written: its definition says so.
    private static func usualBytesPerRow(_ format: PixelFormat, _ size: VideoSize) -> Int? {
        format == .v210 ? (format.planes[0].rowBytes(size) + 127) / 128 * 128 : nil
    }

    /// The format of a raw file by the ending of its name, or `nil` when it is not the name of one.
    ///
    /// `.yuv` and `.raw` are taken for ``PixelFormat/i420``; else the ending is a format's name: `clip.nv12`, `clip.p010`,
    /// `clip.v210`. Upper and lower case are the same.
    public static func format(ofFileNamed name: String) -> PixelFormat? {
        let file = name.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: ".") else { return nil }
        let ending = file[file.index(after: dot)...].lowercased()
        return ["yuv", "raw"].contains(ending) ? .i420 : PixelFormat(rawValue: ending)
    }

    /// The next frame, or `nil` at the end.
    ///
    /// - Throws: ``StreamError/Code/readFailed`` where one breaks off; the frames before it were delivered.
    public func next() throws(StreamError) -> VideoFrame? {
        var missing = 0
        let buffer = try pool.makeBuffer(format: format, size: info.size) { (target) throws(StreamError) in
            missing = try planes.read(from: &file, into: target)
        }
        switch missing {
        case 0: break
        case planes.byteCount: return nil
        case let rest:
            throw StreamError(
                .readFailed,
                "\(file.name) breaks off: frame \(index) (from 0) has \(planes.byteCount - rest) of \(planes.byteCount) bytes."
            )
        }
        defer { index += 1 }
        return VideoFrame(buffer, attributes: info.attributes, presentationTime: frameRate.time(ofFrame: index))
    }

    /// Goes back to the first frame.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` on a pipe.
    public func rewind() throws(StreamError) {
        try file.seek(to: 0)
        index = 0
    }
}
