import CFFmpeg
import MediaIO

/// What a decoded picture means, from the picture itself and, where it is silent, from its stream.
struct FrameDescription {
    let format: PixelFormat
    let size: VideoSize
    let colorSpace: ColorSpace
    let chromaLocation: ChromaLocation
    let orientation: Orientation
    let pixelAspectRatio: Rational
    let timestamp: Int64?
    let isDamaged: Bool

    /// Reads the description.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` for a pixel format that is not known.
    init(_ picture: Picture, _ session: DecodingSession) throws(StreamError) {
        let frame = picture.frame
        guard let format = PixelFormat(ffmpeg: frame.pointee.format) else {
            throw PixelFormat.unsupported(ffmpeg: frame.pointee.format, session.input.location)
        }
        let tags = ColorTags(frame.pointee, orElse: session.stream.pointee.codecpar.pointee)
        self.format = format
        size = picture.size
        colorSpace = ColorSpace(
            tags, isFullRange: PixelFormat.isFullRange(ffmpeg: frame.pointee.format), size: picture.size)
        chromaLocation = ChromaLocation(tags.chroma)
        orientation = session.orientation
        pixelAspectRatio =
            Rational(av_guess_sample_aspect_ratio(session.input.context, session.stream, frame), 0.01...100) ?? .one
        let stamp = frame.pointee.best_effort_timestamp
        timestamp = stamp == vitrail_no_timestamp ? nil : stamp
        isDamaged = picture.isDamaged
    }

    /// Lends the picture's planes.
    func lend(
        _ picture: Picture, _ copies: PixelBufferPool, _ location: MediaLocation
    ) throws(StreamError) -> PixelBuffer {
        do throws(PixelBufferError) {
            return try picture.lend(format, copies: copies)
        } catch {
            throw StreamError(.unsupported, "A picture of \(location) cannot be shown: \(error)")
        }
    }

    /// The picture as a frame.
    func frame(_ buffer: PixelBuffer, _ time: Duration) -> VideoFrame {
        VideoFrame(
            buffer, presentationTime: time, colorSpace: colorSpace, chromaLocation: chromaLocation,
            rotation: orientation.rotation, mirror: orientation.mirror, pixelAspectRatio: pixelAspectRatio)
    }
}
