import CVitrailFFmpeg
import MediaIO

/// FFmpeg's description of a track, from which its decoder is opened.
final class TrackParameters: @unchecked Sendable {
    // Unchecked: written once, before it is shared.
    let parameters: UnsafeMutablePointer<AVCodecParameters>
    /// The aspect ratio of a pixel in the container; 0:1 if it states none.
    let pixelAspectRatio: AVRational

    /// The colour tags in the container's header; `nil` if unknown.
    let containerTags: ContainerTags?

    /// Copies the description of a stream, with another configuration than its own if there is one; `nil` if memory runs
    /// out.
    init?(
        _ stream: UnsafePointer<AVStream>, _ containerTags: ContainerTags?, _ configuration: UnsafeBufferPointer<UInt8>?
    ) {
        self.containerTags = containerTags
        guard let parameters = avcodec_parameters_alloc() else { return nil }
        self.parameters = parameters
        pixelAspectRatio = stream.pointee.sample_aspect_ratio
        guard avcodec_parameters_copy(parameters, stream.pointee.codecpar) >= 0 else { return nil }
        guard let configuration else { return }
        guard let copy = configuration.paddedCopy() else { return nil }
        av_free(parameters.pointee.extradata)
        parameters.pointee.extradata = copy
        parameters.pointee.extradata_size = Int32(configuration.count)
    }

    /// Takes over parameters.
    init(adopting parameters: UnsafeMutablePointer<AVCodecParameters>) {
        self.parameters = parameters
        pixelAspectRatio = AVRational(num: 0, den: 1)
        containerTags = nil
    }

    deinit {
        var parameters: UnsafeMutablePointer<AVCodecParameters>? = parameters
        avcodec_parameters_free(&parameters)
    }

    /// Whether its packets may be fields, two of which make a picture.
    var mayHaveFields: Bool {
        parameters.pointee.field_order != AV_FIELD_UNKNOWN && parameters.pointee.field_order != AV_FIELD_PROGRESSIVE
    }
}

extension TrackInfo {
    /// Describes a stream of a container.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - input: its container.
    ///   - configuration: what came in place of the stream's own configuration; `nil` if nothing has.
    /// - Throws: ``StreamError/Code/noMemory``.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, of input: MediaInput,
        configuration: UnsafeBufferPointer<UInt8>? = nil
    ) throws(StreamError) {
        guard let own = TrackParameters(stream, input.containerTags(of: stream), configuration) else {
            throw StreamError(.noMemory, "There is not enough memory for another track.", underlying: ENOMEM)
        }
        let parameters = own.parameters.pointee
        let size = VideoSize(width: Int(parameters.width), height: Int(parameters.height))
        let sides = 1...PixelBuffer.maximumSide
        let orientation = Orientation(stream)
        self.init(
            id: Int(stream.pointee.index), kind: Kind(parameters.codec_type),
            codec: PacketCodec(rawValue: String(cString: avcodec_get_name(parameters.codec_id))),
            configuration: Array(
                UnsafeBufferPointer(start: parameters.extradata, count: Int(max(parameters.extradata_size, 0)))),
            size: sides.contains(size.width) && sides.contains(size.height) ? size : nil,
            frameRate: Rational(av_guess_frame_rate(input.context, stream, nil), 0.01...1000),
            sampleRate: parameters.sample_rate > 0 ? Int(parameters.sample_rate) : nil,
            channelCount: parameters.ch_layout.nb_channels > 0 ? Int(parameters.ch_layout.nb_channels) : nil,
            language: av_dict_get(stream.pointee.metadata, "language", nil, 0).map {
                String(cString: $0.pointee.value)
            },
            attributes: FrameAttributes(
                rotation: orientation.rotation, mirror: orientation.mirror,
                pixelAspectRatio: Rational(own.pixelAspectRatio, 0.01...100) ?? .one,
                hdrMetadata: HDRMetadata(stream)))
        self.parameters = own
    }
}

extension TrackInfo.Kind {
    fileprivate init(_ type: AVMediaType) {
        self =
            switch type {
            case AVMEDIA_TYPE_VIDEO: .video
            case AVMEDIA_TYPE_AUDIO: .audio
            default: .data
            }
    }
}

extension Rational {
    /// Converts a fraction of FFmpeg's; `nil` if it is invalid or outside of `limits`.
    init?(_ fraction: AVRational, _ limits: ClosedRange<Double>) {
        guard fraction.num > 0, fraction.den > 0 else { return nil }
        self.init(Int(fraction.num), Int(fraction.den))
        guard limits.contains(value) else { return nil }
    }
}

extension AVRational {
    /// The unit of the times that packets are decoded with.
    static let nanosecond = AVRational(num: 1, den: 1_000_000_000)
}

extension Duration {
    /// Converts a timestamp, rounded down to a nanosecond; `nil` if it is missing or out of range.
    init?(timestamp: Int64, unit: AVRational) {
        guard timestamp != vitrail_no_timestamp, unit.num > 0, unit.den > 0 else { return nil }
        let nanoseconds = av_rescale_q_rnd(timestamp, unit, .nanosecond, AV_ROUND_DOWN)
        // The library returns the smallest number on overflow.
        guard nanoseconds != .min else { return nil }
        self = .nanoseconds(nanoseconds)
    }
}
