import CVitrailFFmpeg
import MediaIO

/// The format and attributes of a decoded frame, from the frame itself or else from its stream.
struct FrameDescription {
    let format: DeliveredFormat
    let size: VideoSize
    let colors: StreamColors
    let attributes: FrameAttributes
    let timestamp: Int64?
    let isCorrupt: Bool

    /// Reads the description.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` for an unknown pixel format.
    init(_ picture: DecodedFrame, _ session: DecodingSession) throws(StreamError) {
        let frame = picture.frame
        guard let format = DeliveredFormat.of(ffmpeg: frame.pointee.format) else {
            throw DeliveredFormat.unsupported(ffmpeg: frame.pointee.format, session.input.location)
        }
        self.format = format
        size = picture.size
        colors = StreamColors(frame, orElse: session.stream.pointee.codecpar, format)
        var tags = colors.tags
        if session.reduction > 0 {
            // Where tags are missing, defaults depend on the size: use the stream's, not the reduced one.
            let full = VideoSize(width: size.width << session.reduction, height: size.height << session.reduction)
            tags = ColorTags(
                tags.colorSpace(of: format.format, size: full), chromaLocation: tags.chromaLocation(of: format.format))
        }
        var attributes = FrameAttributes(
            colorTags: tags, rotation: session.orientation.rotation, mirror: session.orientation.mirror,
            pixelAspectRatio: Rational(
                av_guess_sample_aspect_ratio(session.input.context, session.stream, frame), 0.01...100) ?? .one,
            crop: picture.crop, hdrMetadata: HDRMetadata(frame, orElse: session.stream))
        let stamp = frame.pointee.best_effort_timestamp
        timestamp = stamp == vitrail_no_timestamp ? nil : stamp
        isCorrupt = picture.isCorrupt
        attributes.isDamaged = isCorrupt
        self.attributes = attributes
    }

    /// Lends the decoded planes, or returns a converted copy if FFmpeg's format has no ``PixelFormat``.
    func lend(
        _ picture: DecodedFrame, _ converter: inout FrameConverter
    ) throws(StreamError) -> PixelBuffer {
        if format.isLent { return try picture.lend(format.format) }
        let space = attributes.colorTags.colorSpace(of: format.format, size: size)
        return try converter.convert(picture, to: format.format, space.range)
    }

    /// The decoded picture as a ``VideoFrame``.
    func frame(_ buffer: PixelBuffer, _ time: Duration) -> VideoFrame {
        VideoFrame(buffer, attributes: attributes, presentationTime: time)
    }
}
