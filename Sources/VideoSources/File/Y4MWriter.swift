import Glibc
public import MediaIO
import VitrailSupport

/// Writes uncompressed video in the YUV4MPEG2 format to a descriptor.
///
/// Writing to a pipe without a reader raises SIGPIPE, which ends the process; if the process ignores that signal, the
/// write throws an error.
///
/// **Thread:** one at a time. **Cost:** one system call per frame, which writes directly from its buffer.
public struct Y4MWriter {
    private let descriptor: Int32
    private let name: String
    private let format: PixelFormat
    private let size: VideoSize
    private var spans = ByteSpans()

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - descriptor: a descriptor open for writing; the caller closes it.
    ///   - name: its name for errors.
    ///   - info: its format (by default I420), size, frame rate, pixel aspect ratio, range and chroma location go into
    ///     the header. Y4M has no tags for the siting of more than 8 bits, nor for matrix, primaries and transfer.
    /// - Throws: ``StreamError/Code/unsupported`` for a format that Y4M does not support, before anything is written;
    ///   ``StreamError/Code/writeFailed``.
    public init(descriptor: Int32, name: String, info: StreamInfo) throws(StreamError) {
        self.descriptor = descriptor
        self.name = name
        self.size = info.size
        format = info.format ?? .i420
        guard let layout = Y4MLayout(writing: format, info.chromaLocation) else {
            throw StreamError(
                .unsupported,
                "\(name) cannot be written as \(format), which Y4M does not support: convert the frames to a planar format first, such as i420 or i444."
            )
        }
        var header = Self.header(info, layout)
        let failure = header.withUTF8 { bytes in
            spans.append(UnsafeRawBufferPointer(bytes))
            return writeSpans()
        }
        try check(failure)
    }

    /// Writes a frame.
    ///
    /// - Parameter buffer: a frame of the header's format and size.
    /// - Throws: ``StreamError/Code/unsupported`` for another format or size, before anything is written;
    ///   ``StreamError/Code/writeFailed`` for a full disk or a pipe without a reader.
    public mutating func write(_ buffer: PixelBuffer) throws(StreamError) {
        guard buffer.format == format, buffer.size == size else {
            throw StreamError(
                .unsupported,
                "\(name) needs \(format) frames of \(size), not \(buffer.format) of \(buffer.size): convert them first."
            )
        }
        let magic = StaticString("FRAME\n")
        spans.removeAll()
        spans.append(UnsafeRawBufferPointer(start: magic.utf8Start, count: magic.utf8CodeUnitCount))
        try check(write(buffer, fromPlane: 0))
    }

    /// Adds the rows of a plane and of later planes to the list, and writes them within the closures that lend them.
    private mutating func write(_ buffer: PixelBuffer, fromPlane index: Int) -> Int32 {
        guard index < buffer.planeCount else { return writeSpans() }
        let description = buffer.format.planes[index]
        return buffer.withPlane(index) { plane in
            for row in 0..<description.height(size) { spans.append(plane.row(row, description, size)) }
            return write(buffer, fromPlane: index + 1)
        }
    }

    private static func header(_ info: StreamInfo, _ layout: Y4MLayout) -> String {
        func ratio(_ value: Rational?) -> String { value.map { "\($0.numerator):\($0.denominator)" } ?? "0:0" }
        let range = info.colorSpace.range == .full ? "FULL" : "LIMITED"
        return "\(Y4MHeader.magic) W\(info.size.width) H\(info.size.height) F\(ratio(info.frameRate)) Ip "
            + "A\(ratio(info.attributes.pixelAspectRatio)) C\(layout.name) XCOLORRANGE=\(range)\n"
    }

    /// Writes the list; returns an `errno` value, or 0.
    private mutating func writeSpans() -> Int32 {
        while spans.remaining > 0 {
            let count = spans.transfer(descriptor, writev)
            if count < 0, let failure = waitAfterFailure(descriptor, POLLOUT) { return failure }
        }
        return 0
    }

    private func check(_ failure: Int32) throws(StreamError) {
        guard failure != 0 else { return }
        let reason =
            switch failure {
            case ENOSPC, EDQUOT: "the disk is full. Make room, or write elsewhere."
            case EPIPE: "its reader has closed it."
            default: "\(systemMessage(failure))."
            }
        throw StreamError(.writeFailed, "\(name) cannot be written: \(reason)", underlying: failure)
    }
}
