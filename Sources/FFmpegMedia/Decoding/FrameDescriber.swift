import CVitrailFFmpeg
import MediaIO

/// Describes the decoded frames of a track, each by what it states itself, or else by what its container states.
struct FrameDescriber {
    private let track: TrackInfo
    private let name: String?
    private let parameters: TrackParameters?
    /// That of the last decoded frame: stated by the frame itself, or by the last key frame, or by the container.
    private var orientation: Orientation
    private var colors: StreamColors?
    private let codec: AVCodecID

    /// - Parameters:
    ///   - track: the track.
    ///   - name: what is decoded, for errors.
    init(_ track: TrackInfo, _ name: String?) {
        (self.track, self.name) = (track, name)
        parameters = track.parameters as? TrackParameters
        orientation = track.orientation
        codec =
            parameters?.parameters.pointee.codec_id
            ?? avcodec_descriptor_get_by_name(track.codec.rawValue)?.pointee.id ?? AV_CODEC_ID_NONE
    }

    /// Describes the next frame.
    ///
    /// - Parameters:
    ///   - picture: the frame.
    ///   - reduction: how many times its width and height were halved.
    /// - Returns: its format and attributes.
    /// - Throws: ``StreamError/Code/unsupported`` for an unknown pixel format.
    mutating func describe(_ picture: DecodedFrame, reduction: Int) throws(StreamError) -> FrameDescription {
        let frame = picture.frame
        guard let format = DeliveredFormat.of(ffmpeg: frame.pointee.format) else {
            throw DeliveredFormat.unsupported(ffmpeg: frame.pointee.format, name ?? "The \(track.codec) stream")
        }
        // Streams state their orientation once for each group of pictures.
        orientation =
            Orientation(frame) ?? (vitrail_frame_is_key(frame) != 0 ? track.orientation : orientation)
        let colors = StreamColors(frame, orElse: parameters?.parameters, codec, format)
        self.colors = colors
        var tags = colors.tags
        if reduction > 0 {
            // Where tags are missing, defaults depend on the size: use the stream's, not the reduced one.
            let full = VideoSize(width: picture.size.width << reduction, height: picture.size.height << reduction)
            tags = ColorTags(
                tags.colorSpace(of: format.format, size: full), chromaLocation: tags.chromaLocation(of: format.format))
        }
        // As in av_guess_sample_aspect_ratio: the container's, if it states one.
        let ratio = parameters?.pixelAspectRatio ?? AVRational(num: 0, den: 1)
        let stated = ratio.num > 0 && ratio.den > 0 ? ratio : frame.pointee.sample_aspect_ratio
        var attributes = FrameAttributes(
            colorTags: tags, rotation: orientation.rotation, mirror: orientation.mirror,
            pixelAspectRatio: Rational(stated, 0.01...100) ?? .one, crop: picture.crop,
            hdrMetadata: HDRMetadata(frame, orElse: track.attributes.hdrMetadata))
        attributes.isDamaged = picture.isCorrupt
        return FrameDescription(format: format, size: picture.size, attributes: attributes)
    }

    /// Where the colour tags of the last frame come from, for people.
    var notes: [ColorTags.Part: ColorTags.Note] { colors?.notes(parameters?.containerTags) ?? [:] }
}

/// The format and attributes of a decoded frame.
struct FrameDescription {
    let format: DeliveredFormat
    let size: VideoSize
    let attributes: FrameAttributes

    /// Lends the decoded planes, or returns a converted copy if FFmpeg's format has no ``PixelFormat``.
    func lend(
        _ picture: DecodedFrame, _ converter: inout FrameConverter
    ) throws(StreamError) -> PixelBuffer {
        if format.isLent { return try picture.lend(format.format) }
        let space = attributes.colorTags.colorSpace(of: format.format, size: size)
        return try converter.convert(picture, to: format.format, space.range)
    }
}

extension TrackInfo {
    fileprivate var orientation: Orientation { Orientation(rotation: attributes.rotation, mirror: attributes.mirror) }
}
