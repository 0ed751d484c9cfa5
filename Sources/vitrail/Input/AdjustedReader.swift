import Logging
import MediaIO

/// A reader that overrides the attributes of frames with the input's options, and warns at the first corrupt packet.
final class AdjustedReader: FrameReader {
    private let reader: any FrameReader
    private let options: InputOptions
    private let name: String
    private let logger: Logger?
    private var hasWarned = false

    init(_ reader: any FrameReader, _ options: InputOptions, _ name: String, _ logger: Logger?) {
        self.reader = reader
        self.options = options
        self.name = name
        self.logger = logger
    }

    var info: StreamInfo {
        var info = reader.info
        info.attributes = options.adjusted(info.attributes, info.colorSpace)
        return info
    }

    var corruptCount: Int { reader.corruptCount }

    func next() throws(StreamError) -> VideoFrame? {
        let next = try reader.next()
        if !hasWarned, reader.corruptCount > 0 {
            hasWarned = true
            logger?.warning("\(name) is damaged: some of its frames are missing or broken.")
        }
        guard var frame = next else { return nil }
        frame.attributes = options.adjusted(frame.attributes, frame.colorSpace)
        return frame
    }

    func rewind() throws(StreamError) { try reader.rewind() }

    func adapt(to wants: VideoSinkWants) { reader.adapt(to: wants) }

    func skip(to time: Duration) -> Bool { reader.skip(to: time) }
}

extension StreamInfo {
    /// The smallest size with square pixels, after rotation, that keeps every pixel of the visible part.
    var displaySize: VideoSize {
        let part = attributes.visibleRectangle(in: size)
        var shown = VideoSize(width: part.width, height: part.height)
        let ratio = attributes.pixelAspectRatio.value
        if ratio >= 1 {
            shown.width = Int((Double(shown.width) * ratio).rounded())
        } else {
            shown.height = Int((Double(shown.height) / ratio).rounded())
        }
        return attributes.rotation.isQuarterTurn ? shown.transposed : shown
    }
}
