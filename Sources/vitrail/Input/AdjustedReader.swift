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
        info.pixelAspectRatio = options.pixelAspectRatio ?? info.pixelAspectRatio
        info.crop = options.crop ?? info.crop
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
        frame.pixelAspectRatio = options.pixelAspectRatio ?? frame.pixelAspectRatio
        frame.crop = options.crop ?? frame.crop
        return frame
    }

    func rewind() throws(StreamError) { try reader.rewind() }
}

extension StreamInfo {
    /// The smallest size with square pixels, turned as it is shown, that loses no pixel of the part that is shown.
    var displaySize: VideoSize {
        let all = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        // As a frame does: a part that is none of the picture means all of it.
        let part = crop?.intersection(all) ?? all
        let isPart = part.width > 0 && part.height > 0
        var shown = isPart ? VideoSize(width: part.width, height: part.height) : size
        let ratio = pixelAspectRatio.value
        if ratio >= 1 {
            shown.width = Int((Double(shown.width) * ratio).rounded())
        } else {
            shown.height = Int((Double(shown.height) / ratio).rounded())
        }
        return rotation.isQuarterTurn ? shown.transposed : shown
    }
}
