import FFmpegMedia
import Logging
import MediaIO

/// What an input's options change in its frames, and what is checked and logged of them.
///
/// It logs a warning for each colour tag that Vitrail cannot use as it is, and one at the first damaged frame.
///
/// **Thread:** the one that delivers the frames, one call at a time. **Cost:** every frame; allocates nothing while the size
/// stays the same.
final class InputAdjustment: Sendable {
    private let options: InputOptions
    private let isGenerated: Bool
    private let name: String
    private let limit: SizeLimit?
    private let log: OnceLog?
    /// The size that was checked last, and whether a damaged frame was reported; used only with frames.
    nonisolated(unsafe) private var seen: (size: VideoSize?, isDamaged: Bool) = (nil, false)

    /// - Parameters:
    ///   - options: the input's options.
    ///   - isGenerated: whether the frames are painted in the colours that the options set, so that their tags are not
    ///     the stream's own.
    ///   - name: the input's name, for warnings.
    ///   - limit: the largest frame that can be drawn; `nil` if nothing is drawn.
    ///   - log: where warnings are logged, for all readers of the input; `nil` for nowhere.
    init(_ options: InputOptions, isGenerated: Bool, _ name: String, limit: SizeLimit?, _ log: OnceLog?) {
        (self.options, self.isGenerated, self.name) = (options, isGenerated, name)
        (self.limit, self.log) = (limit, log)
    }

    /// Replaces the attributes that options set.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` for a frame that is too large, or smaller than its crop.
    func adjust(_ frame: inout VideoFrame) throws(StreamError) {
        let (size, isDamaged) = (frame.image.size, frame.attributes.isDamaged)
        if seen.size != size { try check(size) }
        seen.size = size
        if isDamaged, !seen.isDamaged {
            seen.isDamaged = true
            log?.log(.warning, "\(name) is damaged: some of its frames are missing or broken.")
        }
        frame.attributes = options.adjusted(frame.attributes)
    }

    /// A frame's attributes with those that options set.
    func adjusted(_ own: FrameAttributes) -> FrameAttributes { options.adjusted(own) }

    /// Checks the size of a stream's frames.
    func check(_ size: VideoSize) throws(StreamError) {
        if let limit = limit?.exceeded(by: size) {
            throw StreamError(
                .unsupported, "\(name) is \(size), too large: the renderer draws up to \(limit)x\(limit).")
        }
        if let crop = options.crop, !crop.lies(in: size) {
            throw StreamError(
                .unsupported, "\(name) is \(size): the crop \(crop.cropDescription) does not fit in it.")
        }
    }

    /// Logs why frames cannot be shown.
    func report(_ error: StreamError) { log?.log(.error, error.description) }

    /// A stream's description with what options set, and the notes on its colour tags.
    func adjusted(_ own: StreamInfo) -> StreamInfo {
        var info = own
        info.colorTagNotes = options.colorTagNotes(
            insteadOf: isGenerated ? options.formatTags : own.attributes.colorTags, own.colorTagNotes)
        info.attributes = options.adjusted(own.attributes)
        return info
    }

    /// Logs which of a stream's colour tags cannot be used as they are.
    func warnOfColors(_ own: StreamInfo) {
        guard let log else { return }
        let info = adjusted(own)
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
}

/// An input whose frames are pulled.
///
/// **Thread:** the one that made it.
struct OpenInput {
    let reader: any FrameReader
    let adjustment: InputAdjustment

    /// The stream's description, with what options set.
    var info: StreamInfo { adjustment.adjusted(reader.info) }

    /// The next frame, with what options set; `nil` at the end.
    func next() throws(StreamError) -> VideoFrame? {
        guard var frame = try reader.next() else { return nil }
        try adjustment.adjust(&frame)
        return frame
    }
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
