import CVitrailFFmpeg
import MediaIO

extension StreamInfo {
    /// Describes a stream by its container and its first frame.
    init(_ session: DecodingSession, _ first: FrameDescription) {
        let kind = session.input.context.pointee.iformat
        let (tags, index) = (session.input.containerTags, Int(session.stream.pointee.index))
        self.init(
            container: kind.map { String(cString: $0.pointee.name) } ?? "unknown",
            codec: String(cString: avcodec_get_name(session.stream.pointee.codecpar.pointee.codec_id)),
            format: first.format.format, size: first.size, frameRate: session.frameRate,
            isLive: session.input.isLive, duration: session.duration, attributes: first.attributes,
            colorTagNotes: first.colors.notes(index < tags.count ? tags[index] : nil))
    }
}

extension DecodingSession {
    /// The frame rate of the container or the codec; implausible ones are ignored.
    fileprivate var frameRate: Rational? {
        Rational(av_guess_frame_rate(input.context, stream, nil), 0.01...1000)
    }

    /// The stream's duration, or else the container's; `nil` if unknown, or only estimated from the file size.
    fileprivate var duration: Duration? {
        let context = input.context.pointee
        guard context.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE else { return nil }
        let nanosecond = AVRational(num: 1, den: 1_000_000_000)
        let own = stream.pointee.duration
        // AV_NOPTS_VALUE is the smallest number, so it is not positive either.
        let nanoseconds =
            own > 0
            ? av_rescale_q_rnd(own, stream.pointee.time_base, nanosecond, AV_ROUND_DOWN)
            : av_rescale_q_rnd(context.duration, AVRational(num: 1, den: AV_TIME_BASE), nanosecond, AV_ROUND_DOWN)
        return nanoseconds > 0 ? .nanoseconds(nanoseconds) : nil
    }
}

extension PresentationClock {
    /// Makes a clock that starts at the first frame, or at the stream's start time if packets before that frame failed.
    init(_ session: DecodingSession, _ first: FrameDescription) {
        let start = session.stream.pointee.start_time
        let stamp = first.timestamp ?? 0
        let isWhole = session.corruptPackets == 0 || start == vitrail_no_timestamp
        self.init(
            unit: session.stream.pointee.time_base,
            frameDuration: session.frameRate?.time(ofFrame: 1) ?? .milliseconds(40),
            longestStep: session.input.allowsJumps ? .seconds(10) : .seconds(86_400),
            origin: isWhole ? stamp : min(start, stamp))
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
