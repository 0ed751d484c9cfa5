public import MediaIO

/// Reads uncompressed video in the YUV4MPEG2 format, from a file or a pipe.
///
/// It reads every layout that FFmpeg and mjpegtools write: 4:2:0 in its three sitings, 4:1:1, 4:2:2, 4:4:0, 4:4:4, with
/// and without alpha, and gray, of 8 to 16 bits (gray of 9 and 14 bits as 10 and 16). Interlaced frames (`It`, `Ib`,
/// `Im`) are shown as stored, with both fields woven. The defaults for a header without these tags are 25 frames per
/// second, square pixels, and the colours by the rule of ``ColorTags``.
///
/// **Thread:** the one that made it. **Cost:** two or three system calls per frame, directly into its buffer.
public final class Y4MReader: FrameReader {
    /// The most bytes in the header or a frame's header; real ones have less than 100.
    static let lineLimit = 1024
    private static let frameMagic = StaticString("FRAME")

    /// The header's description; with a duration if the file is regular, assuming that no frame has parameters.
    public let info: StreamInfo
    private var file: InputFile
    private var planes: PlaneReader
    private let pool = PixelBufferPool()
    private let layout: Y4MLayout
    private let headerLength: Int
    private let frameRate: Rational
    private var index = 0
    /// The bytes of a frame with its header; `nil` if frames may have different lengths or their number is unknown.
    private var frameLength: Int?
    /// The number of frames, if all have the same length.
    private let frameCount: Int

    /// Opens a file, a named pipe or a device.
    ///
    /// - Parameters:
    ///   - path: its path, used literally.
    ///   - cancellation: ends a read that waits for a pipe.
    /// - Throws: ``StreamError``: `cannotOpen`, `malformed` or `unsupported`, naming path, cause and next step.
    public convenience init(path: String, cancellation: ReadCancellation? = nil) throws(StreamError) {
        try self.init(InputFile(path: path, cancellation: cancellation))
    }

    /// Reads from an open descriptor, from its current position; the caller closes it after the reader is released.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor, for example 0, standard input.
    ///   - name: its name for errors.
    ///   - cancellation: ends a read that waits for a pipe.
    /// - Throws: ``StreamError``: `malformed`, `unsupported` or `readFailed`.
    public convenience init(
        descriptor: Int32, name: String, cancellation: ReadCancellation? = nil
    ) throws(StreamError) {
        try self.init(
            InputFile(descriptor: descriptor, name: name, cancellation: cancellation))
    }

    private init(_ input: consuming InputFile) throws(StreamError) {
        var file = input
        let header: Y4MHeader
        let length: Int
        switch try file.readLine(limit: Self.lineLimit) {
        case .text(let line):
            header = try Y4MHeader(line, name: file.name)
            length = line.count + 1
        case .end(0): throw StreamError(.malformed, "\(file.name) is empty. Check that it was written.")
        case .end(let count):
            throw StreamError(
                .malformed,
                "\(file.name) is not Y4M: it ends after \(count) bytes, within the first line. Check the file."
            )
        case .tooLong:
            throw StreamError(
                .malformed,
                "\(file.name) is not Y4M: its first line does not end within \(Self.lineLimit) bytes. Check the file."
            )
        }
        var info = header.info
        frameRate = info.frameRate ?? Rational(25)
        layout = header.layout
        planes = PlaneReader(layout.format, info.size)
        var (frameLength, frameCount): (Int?, Int) = (nil, 0)
        if let size = file.size {
            // Checked before memory is allocated for a first frame that may be missing: sizes in headers may be absurd.
            let (body, stride) = (size - length, Self.frameMagic.utf8CodeUnitCount + 1 + planes.byteCount)
            guard body == 0 || body >= stride else {
                throw StreamError(
                    .readFailed,
                    "\(file.name) is truncated: a frame of \(info.size) needs \(stride) bytes, but \(body) follow the header."
                )
            }
            frameCount = body / stride
            if body % stride == 0 { frameLength = stride }
            if let rate = info.frameRate { info.duration = rate.time(ofFrame: frameCount) }
        }
        self.info = info
        (self.frameLength, self.frameCount) = (frameLength, frameCount)
        headerLength = length
        self.file = file
    }

    /// The next frame, or `nil` at the end.
    ///
    /// - Throws: ``StreamError/Code/malformed`` for an invalid frame, ``StreamError/Code/readFailed`` for an incomplete
    ///   one, after those before it were delivered.
    public func next() throws(StreamError) -> VideoFrame? {
        guard try readFrameHeader() else { return nil }
        var rest = 0
        let buffer = try pool.makeBuffer(format: layout.format, size: info.size) { target in
            rest = try planes.read(from: &file, into: target)
            if layout.isWidened { widen(target) }
        }
        guard rest == 0 else {
            throw StreamError(
                .readFailed,
                "\(file.name) is truncated: frame \(index) (from 0) has \(planes.byteCount - rest) of \(planes.byteCount) bytes."
            )
        }
        defer { index += 1 }
        return VideoFrame(buffer, attributes: info.attributes, presentationTime: frameRate.time(ofFrame: index))
    }

    /// Skips to the frame for a time, or to the last one, without reading those before it.
    ///
    /// False on a pipe, and if frames have parameters, because their lengths are then unknown.
    public func skip(to time: Duration) -> Bool {
        guard let frameLength else { return false }
        let (start, target) = (index, min(frameRate.frame(at: time), frameCount - 1))
        guard target > start else { return true }
        do throws(StreamError) {
            try file.seek(to: headerLength + target * frameLength)
            // If frames in between have parameters, they are longer, and no header begins here.
            let isFound = try readFrameHeader() && self.frameLength != nil
            index = isFound ? target : start
            try file.seek(to: headerLength + index * frameLength)
            if !isFound { self.frameLength = nil }
            return isFound
        } catch {
            self.frameLength = nil
            try? file.seek(to: headerLength + start * frameLength)
            return false
        }
    }

    /// Reads frames into the memory that sinks want.
    public func adapt(to wants: VideoSinkWants) { if wants.isVisible { pool.memory = wants.memory } }

    /// Goes back to the first frame.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` on a pipe.
    public func rewind() throws(StreamError) {
        try file.seek(to: headerLength)
        index = 0
    }

    /// Reads `FRAME` and its parameters, which are ignored; false at the end of the file.
    private func readFrameHeader() throws(StreamError) -> Bool {
        switch try file.readLine(limit: Self.lineLimit) {
        case .end(0): return false
        case .end(let count):
            throw StreamError(
                .readFailed, "\(file.name) is truncated \(count) bytes into the header of frame \(index) (from 0).")
        case .text(let line) where Self.isFrameHeader(line):
            if line.count > Self.frameMagic.utf8CodeUnitCount { frameLength = nil }
            return true
        case .text, .tooLong:
            throw StreamError(
                .malformed,
                "\(file.name) is damaged: frame \(index) (from 0) does not begin with \(Self.frameMagic).")
        }
    }

    private func widen(_ planes: borrowing WritablePlanes) {
        for row in 0..<info.size.height {
            planes.withRowBytes(row, ofPlane: 0) { layout.widen($0, info.colorSpace.range) }
        }
    }

    private static func isFrameHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        let length = frameMagic.utf8CodeUnitCount
        let magic = UnsafeBufferPointer(start: frameMagic.utf8Start, count: length)
        return line.starts(with: magic) && (line.count == length || line[length] == 0x20)
    }
}
