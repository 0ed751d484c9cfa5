import Logging
import MediaIO

/// A reader whose frames mean what the options say instead of what the stream says; it tells when damage begins.
final class AdjustedReader: FrameReader {
    private let reader: any FrameReader
    private let options: InputOptions
    private let name: String
    private let logger: Logger?
    private var hasToldDamage = false

    init(_ reader: any FrameReader, _ options: InputOptions, _ name: String, _ logger: Logger?) {
        self.reader = reader
        self.options = options
        self.name = name
        self.logger = logger
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
        let next = try reader.next()
        if !hasToldDamage, reader.damagedCount > 0 {
            hasToldDamage = true
            logger?.warning("\(name) is damaged: some of its pictures are missing or broken.")
        }
        guard var frame = next else { return nil }
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
