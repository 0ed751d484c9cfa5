import MediaIO

/// A reader whose frames mean what the options say instead of what the stream says.
final class AdjustedReader: FrameReader {
    private let reader: any FrameReader
    private let options: InputOptions

    init(_ reader: any FrameReader, _ options: InputOptions) {
        self.reader = reader
        self.options = options
    }

    var info: StreamInfo {
        var info = reader.info
        info.colorSpace = options.colorSpace(insteadOf: info.colorSpace)
        info.chromaLocation = options.chroma ?? info.chromaLocation
        info.rotation = options.rotation ?? info.rotation
        info.mirror = options.mirror ?? info.mirror
        return info
    }

    var damagedCount: Int { reader.damagedCount }

    func next() throws(StreamError) -> VideoFrame? {
        guard var frame = try reader.next() else { return nil }
        frame.colorSpace = options.colorSpace(insteadOf: frame.colorSpace)
        frame.chromaLocation = options.chroma ?? frame.chromaLocation
        frame.rotation = options.rotation ?? frame.rotation
        frame.mirror = options.mirror ?? frame.mirror
        return frame
    }

    func rewind() throws(StreamError) { try reader.rewind() }
}

extension InputOptions {
    /// The stream's colours with the matrix and range that the options name.
    func colorSpace(insteadOf space: ColorSpace) -> ColorSpace {
        var space = space
        space.matrix = matrix ?? space.matrix
        space.range = range ?? space.range
        return space
    }
}

extension StreamInfo {
    /// The smallest size with square pixels, turned as it is shown, that loses no pixel of the picture.
    var displaySize: VideoSize {
        var shown = size
        let ratio = pixelAspectRatio.value
        if ratio >= 1 {
            shown.width = Int((Double(size.width) * ratio).rounded())
        } else {
            shown.height = Int((Double(size.height) / ratio).rounded())
        }
        return rotation.isQuarterTurn ? shown.transposed : shown
    }
}
