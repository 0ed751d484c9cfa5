import Logging
import MediaIO

/// A reader that overrides the attributes of frames with the input's options.
///
/// It logs a warning for each colour tag that Vitrail cannot use as it is, and one at the first corrupt packet.
final class AdjustedReader: FrameReader {
    private let reader: any FrameReader
    private let options: InputOptions
    private let notes: [ColorTags.Part: ColorTags.Note]
    private let name: String
    private let log: OnceLog?
    private var hasWarned = false

    /// - Parameters:
    ///   - reader: the reader of the input.
    ///   - options: the input's options.
    ///   - isGenerated: whether the frames are painted in the colours that the options set, so that their tags are not
    ///     the stream's own.
    ///   - name: the input's name, for warnings.
    ///   - log: where warnings are logged, for all readers of the input; `nil` for nowhere.
    init(
        _ reader: any FrameReader, _ options: InputOptions, isGenerated: Bool, _ name: String, _ log: OnceLog?
    ) {
        self.reader = reader
        self.options = options
        let own = reader.info
        notes = options.colorTagNotes(
            insteadOf: isGenerated ? options.formatTags : own.attributes.colorTags, own.colorTagNotes)
        self.name = name
        self.log = log
        warnOfColors()
    }

    var info: StreamInfo {
        var info = reader.info
        info.colorTagNotes = notes
        info.attributes = options.adjusted(info.attributes)
        return info
    }

    var corruptCount: Int { reader.corruptCount }

    func next() throws(StreamError) -> VideoFrame? {
        let next = try reader.next()
        if !hasWarned, reader.corruptCount > 0 {
            hasWarned = true
            log?.log(.warning, "\(name) is damaged: some of its frames are missing or broken.")
        }
        guard var frame = next else { return nil }
        frame.attributes = options.adjusted(frame.attributes)
        return frame
    }

    private func warnOfColors() {
        guard let log else { return }
        let info = info
        let colors = info.attributes.colorTags.explanation(
            of: info.format ?? .i420, size: info.size, notes: info.colorTagNotes)
        for color in colors {
            switch info.colorTagNotes[color.part] {
            case .approximated, .unusable:
                let (part, tag) = (color.part.rawValue, color.said ?? "unknown")
                log.log(
                    .warning,
                    "\(name): the tag \(part)=\(tag) is drawn as \(color.taken); add ?\(part)= to choose another."
                )
            case .inferred, .overruled, .perhapsInferred, .implied, .ambiguous, .set, nil: break
            }
        }
    }

    func rewind() throws(StreamError) { try reader.rewind() }

    func adapt(to wants: VideoSinkWants) { reader.adapt(to: wants) }

    func setOmitting(_ isOmitting: Bool) { reader.setOmitting(isOmitting) }

    var timeWaited: Duration? { reader.timeWaited }

    func catchUp() { reader.catchUp() }

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
