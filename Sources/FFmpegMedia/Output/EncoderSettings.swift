import CVitrailFFmpeg
import MediaIO

/// An encoder of FFmpeg's, and its options for an encoding.
struct EncoderSettings {
    /// FFmpeg's encoder.
    let codec: UnsafePointer<AVCodec>
    /// Its own options.
    private(set) var options: [String: String] = [:]
    /// The bits per second; 0 if the quality decides.
    private(set) var bitRate = 0
    /// The scale of quantisation of Motion JPEG; `nil` for other codecs.
    private(set) var quantizer: Double?

    /// The encoders of each codec, the best first.
    private static let names: [PacketCodec: [String]] = [
        .h264: ["libx264"], .hevc: ["libx265"], .vp8: ["libvpx"], .vp9: ["libvpx-vp9"],
        .av1: ["libaom-av1"], .motionJPEG: ["mjpeg"], .ffv1: ["ffv1"],
    ]

    /// Finds the encoder of a codec, and its options.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` if there is none, naming those that there are, or if it cannot encode
    ///   that way.
    init(_ codec: PacketCodec, _ encoding: VideoEncoding, _ subject: String) throws(StreamError) {
        let found = Self.names[codec]?.lazy.compactMap { avcodec_find_encoder_by_name($0) }.first
        guard let found else {
            let others = VideoEncoding.codecs.filter {
                Self.names[$0]?.contains { avcodec_find_encoder_by_name($0) != nil } == true
            }
            throw StreamError(
                .unsupported,
                "\(subject) cannot be encoded as \(codec), for which this FFmpeg has no encoder: choose \(others.map(\.rawValue).joined(separator: ", "))."
            )
        }
        self.codec = found
        let isLive = encoding.tuning == .live
        let encoder = String(cString: found.pointee.name)
        try set(encoding.rate, encoder, codec, subject)
        switch encoder {
        case "libx264":
            options["preset"] = isLive ? "veryfast" : "medium"
            // A key frame that is asked for must be one that decoding can begin with.
            options["forced-idr"] = "1"
            if isLive { options["tune"] = "zerolatency" }
        case "libx265":
            options["preset"] = isLive ? "ultrafast" : "medium"
            options["forced-idr"] = "1"
            if isLive { options["tune"] = "zerolatency" }
            options["x265-params"] = (options["x265-params"].map { $0 + ":" } ?? "") + "log-level=none"
        case "libvpx", "libvpx-vp9":
            options["deadline"] = isLive ? "realtime" : "good"
            options["cpu-used"] = isLive ? "8" : "2"
            if isLive { options["lag-in-frames"] = "0" }
            if encoder == "libvpx-vp9" { options["row-mt"] = "1" }
        case "libaom-av1":
            options["cpu-used"] = isLive ? "8" : "4"
            if isLive { (options["usage"], options["lag-in-frames"]) = ("realtime", "0") }
            options["row-mt"] = "1"
        case "ffv1": (options["level"], options["slicecrc"]) = ("3", "1")
        default: break
        }
    }

    private mutating func set(
        _ rate: VideoEncoding.Rate?, _ encoder: String, _ codec: PacketCodec, _ subject: String
    ) throws(StreamError) {
        switch rate {
        case .lossless where codec == .ffv1, nil where codec == .ffv1: break
        case _ where codec == .ffv1:
            throw StreamError(.unsupported, "\(subject) is lossless as ffv1: omit its quality and bit rate.")
        case .lossless:
            switch encoder {
            case "libx264": options["qp"] = "0"
            case "libx265": options["x265-params"] = "lossless=1"
            case "libvpx-vp9": options["lossless"] = "1"
            case "libaom-av1": options["aom-params"] = "lossless=1"
            default:
                throw StreamError(
                    .unsupported,
                    "\(subject) cannot be lossless as \(codec) with \(encoder): choose ffv1, h264, hevc or vp9.")
            }
        case .bitRate(let rate): bitRate = rate
        case .quality(let quality):
            let range: ClosedRange<Double> =
                switch codec {
                case .motionJPEG: 1...31
                case .h264, .hevc: 0...51
                default: 0...63
                }
            guard range.contains(quality) else {
                throw StreamError(
                    .unsupported,
                    "\(subject) cannot have the quality \(quality) as \(codec): choose \(Int(range.lowerBound)) (best) to \(Int(range.upperBound))."
                )
            }
            if codec == .motionJPEG { quantizer = quality } else { setQuality(quality, encoder) }
        case nil where codec == .motionJPEG: quantizer = 3
        case nil: setQuality([.h264: 20, .hevc: 22, .vp8: 10, .vp9: 28, .av1: 30][codec] ?? 20, encoder)
        }
    }

    private mutating func setQuality(_ quality: Double, _ encoder: String) {
        options["crf"] = encoder == "libx264" || encoder == "libx265" ? "\(quality)" : "\(Int(quality.rounded()))"
        // VP8 has an upper limit beside the quality.
        if encoder == "libvpx" { bitRate = 1 << 30 }
    }
}
