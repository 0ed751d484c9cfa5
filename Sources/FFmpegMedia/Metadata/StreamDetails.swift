import CVitrailFFmpeg
import MediaIO

extension StreamInfo {
    /// Describes a stream by its container and its first picture.
    init(_ session: DecodingSession, _ first: FrameDescription) {
        let kind = session.input.context.pointee.iformat
        self.init(
            container: kind.map { String(cString: $0.pointee.name) } ?? "unknown",
            codec: String(cString: avcodec_get_name(session.stream.pointee.codecpar.pointee.codec_id)),
            format: first.format.format, size: first.size, frameRate: session.frameRate,
            isLive: session.input.isLive, duration: session.duration, attributes: first.attributes,
            colorTags: first.colorTags)
    }
}

extension DecodingSession {
    /// Frames per second as far as the container or the codec says; rates that no camera has are not believed.
    fileprivate var frameRate: Rational? {
        Rational(av_guess_frame_rate(input.context, stream, nil), 0.01...1000)
    }

    /// The stream's length, or the container's; nothing where the library only guesses it from the size of the file.
    fileprivate var duration: Duration? {
        let context = input.context.pointee
        guard context.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE else { return nil }
        let nanosecond = AVRational(num: 1, den: 1_000_000_000)
        let own = stream.pointee.duration
        // No timestamp is the smallest number, so it is not positive either.
        let nanoseconds =
            own > 0
            ? av_rescale_q_rnd(own, stream.pointee.time_base, nanosecond, AV_ROUND_DOWN)
            : av_rescale_q_rnd(context.duration, AVRational(num: 1, den: AV_TIME_BASE), nanosecond, AV_ROUND_DOWN)
        return nanoseconds > 0 ? .nanoseconds(nanoseconds) : nil
    }
}

extension PresentationClock {
    /// A clock for a stream whose first picture is at zero, unless pictures before it were lost.
    init(_ session: DecodingSession, _ first: FrameDescription) {
        let start = session.stream.pointee.start_time
        let stamp = first.timestamp ?? 0
        let isWhole = session.corruptPackets == 0 || start == vitrail_no_timestamp
        self.init(
            unit: session.stream.pointee.time_base,
            frameLength: session.frameRate?.time(ofFrame: 1) ?? .milliseconds(40),
            longestStep: session.input.allowsJumps ? .seconds(10) : .seconds(86_400),
            origin: isWhole ? stamp : min(start, stamp))
    }
}

extension Rational {
    /// A fraction of FFmpeg's, or `nil` when it is none or outside of `limits`.
    init?(_ fraction: AVRational, _ limits: ClosedRange<Double>) {
        guard fraction.num > 0, fraction.den > 0 else { return nil }
        self.init(Int(fraction.num), Int(fraction.den))
        guard limits.contains(value) else { return nil }
    }
}
