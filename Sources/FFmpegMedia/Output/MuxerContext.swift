import CVitrailFFmpeg
import MediaIO
import VitrailSupport

/// Owns libavformat's context of an output with one stream.
struct MuxerContext: ~Copyable {
    /// What FFmpeg writes to; it must exist as long as the context.
    private enum Output {
        case bytes(WriterBytes)
        /// FFmpeg opens it itself.
        case destination(MediaDestination, Interruption)
    }

    private let context: UnsafeMutablePointer<AVFormatContext>
    private let output: Output
    private let stream: UnsafeMutablePointer<AVStream>
    private let packet: OwnedPacket
    private let name: String
    private var options: [String: String] = [:]
    private var isMP4 = false
    /// The first error of a file or connection that a muxer makes itself, which it does not tell of.
    private let innerFailure: UnsafeMutablePointer<Int32>

    /// Makes a file; nothing is written yet.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` for a container that FFmpeg was built without;
    ///   ``StreamError/Code/noMemory``.
    init(_ container: MediaContainer, _ bytes: WriterBytes, _ name: String) throws(StreamError) {
        guard let muxer = container.muxer else {
            throw StreamError(
                .unsupported, "\(name) cannot be written as \(container.rawValue), which this FFmpeg does not write.")
        }
        try self.init(muxer, nil, .bytes(bytes), name)
        context.pointee.pb = bytes.context
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
        // The table at the end of an MP4 file is found by going back to its beginning; fragments have tables of their own.
        isMP4 = container == .mp4 || container == .mov
        if isMP4, bytes.context?.pointee.seekable == 0 {
            options["movflags"] = "frag_keyframe+empty_moov+default_base_moof"
        }
    }

    /// Makes a connection; nothing is opened yet.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` for a protocol that FFmpeg was built without;
    ///   ``StreamError/Code/noMemory``.
    init(_ destination: MediaDestination, _ interruption: Interruption) throws(StreamError) {
        guard let muxer = av_guess_format(destination.muxerName, nil, nil) else {
            throw StreamError(
                .unsupported, "\(destination) needs \(destination.muxerName), which this FFmpeg does not write.")
        }
        try self.init(muxer, destination.url, .destination(destination, interruption), "\(destination)")
        context.pointee.interrupt_callback = interruption.callback
        context.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
        // FFmpeg calls RTP of VP9 (RFC 9628) an experiment.
        context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        vitrail_note_failures(context, innerFailure)
        options = destination.options
    }

    private init(
        _ muxer: UnsafePointer<AVOutputFormat>, _ url: String?, _ output: Output, _ name: String
    ) throws(StreamError) {
        let packet = try OwnedPacket()
        var allocated: UnsafeMutablePointer<AVFormatContext>?
        guard avformat_alloc_output_context2(&allocated, muxer, nil, url) >= 0, let context = allocated,
            let stream = avformat_new_stream(context, nil)
        else {
            avformat_free_context(allocated)
            throw StreamError(.noMemory, "There is not enough memory to write \(name).", underlying: ENOMEM)
        }
        (self.context, self.output, self.stream, self.name) = (context, output, stream, name)
        self.packet = packet
        innerFailure = .allocate(capacity: 1)
        innerFailure.initialize(to: 0)
    }

    deinit {
        if case .destination = output, !opensItself { avio_closep(&context.pointee.pb) }
        avformat_free_context(context)
        innerFailure.deallocate()
    }

    /// Whether the container has the codec's configuration once, so that key frames do not repeat it.
    var hasGlobalHeader: Bool { context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 }

    /// Whether the muxer makes its connections or files itself.
    private var opensItself: Bool { context.pointee.oformat.pointee.flags & AVFMT_NOFILE != 0 }

    /// Connects, and writes the header.
    ///
    /// - Parameters:
    ///   - track: what will be written.
    ///   - first: the packet that will be written first; `nil` if the track states its size.
    /// - Throws: ``StreamError/Code/unsupported`` for a codec that the container cannot hold;
    ///   ``StreamError/Code/cannotOpen`` without a connection; ``StreamError/Code/writeFailed``.
    func begin(_ track: TrackInfo, first: EncodedPacket? = nil) throws(StreamError) {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        for (name, value) in self.options { av_dict_set(&options, name, value, 0) }
        var result = track.describe(to: stream, first, isMP4: isMP4)
        switch output {
        case .bytes(let bytes):
            if result >= 0 { result = avformat_write_header(context, &options) }
            if bytes.failure == 0, result < 0 { throw cannotHold(result) }
            try check(result)
        case .destination(let destination, let interruption):
            if result < 0 { throw cannotHold(result) }
            if !opensItself {
                result = avio_open2(
                    &context.pointee.pb, context.pointee.url, AVIO_FLAG_WRITE, &context.pointee.interrupt_callback,
                    &options)
                if result < 0 { throw destination.error(result, isLate: interruption.hasFired) }
            }
            result = avformat_write_header(context, &options)
            // Muxers that connect themselves do it now.
            if result < 0, opensItself { throw destination.error(result, isLate: interruption.hasFired) }
            if result < 0 { throw interruption.hasFired ? destination.error(result, isLate: true) : cannotHold(result) }
        }
    }

    /// The session description (SDP, RFC 8866) that receivers of RTP need.
    var sessionDescription: String {
        var text = [CChar](repeating: 0, count: 4096)
        var contexts: [UnsafeMutablePointer<AVFormatContext>?] = [context]
        guard av_sdp_create(&contexts, 1, &text, Int32(text.count)) >= 0 else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Writes a packet.
    ///
    /// - Parameters:
    ///   - encoded: the packet.
    ///   - timing: its times in the container; `nil` for its own.
    /// - Throws: ``StreamError/Code/writeFailed``; ``StreamError/Code/noMemory``.
    func write(_ encoded: EncodedPacket, at timing: EncodedPacket.Timing? = nil) throws(StreamError) {
        if let shared = encoded.owner as? SharedPacket {
            try packet.refer(to: shared)
        } else {
            try packet.refer(to: encoded)
        }
        let timing = timing ?? encoded.timing
        packet.setTimes(timing.presentation, timing.decoding, timing.duration ?? .zero)
        // It is empty afterwards, also after an error.
        defer { packet.clear() }
        try check(
            packet.withMutable { [context, stream] packet in
                packet.pointee.stream_index = 0
                av_packet_rescale_ts(packet, .nanosecond, stream.pointee.time_base)
                return av_interleaved_write_frame(context, packet)
            })
    }

    /// Writes what belongs at the end; after ``begin(_:)`` this must be called once, also if writing has failed.
    ///
    /// - Throws: ``StreamError/Code/writeFailed``.
    func end() throws(StreamError) {
        let result = av_write_trailer(context)
        if let io = context.pointee.pb { avio_flush(io) }
        try check(result)
    }

    private func cannotHold(_ result: Int32) -> StreamError {
        StreamError(
            .unsupported, "\(name) cannot hold this stream (\(ffmpegText(result))): choose another codec.",
            underlying: result)
    }

    private func check(_ result: Int32) throws(StreamError) {
        switch output {
        case .bytes(let bytes):
            // FFmpeg may report an error of an earlier write later, or never.
            guard result < 0 || bytes.failure != 0 else { return }
            let number = bytes.failure != 0 ? bytes.failure : nil
            throw StreamError(
                .writeFailed, "\(name) cannot be written: \(number.map(systemMessage) ?? ffmpegText(result)).",
                underlying: number ?? result)
        case .destination(let destination, let interruption):
            var failure = result < 0 ? result : innerFailure.pointee
            if failure == 0 { failure = context.pointee.pb?.pointee.error ?? 0 }
            guard failure < 0 else { return }
            throw destination.lossError(failure, isLate: interruption.hasFired)
        }
    }
}

extension TrackInfo {
    /// Describes the track to a container, as its first packet shows it; FFmpeg's result.
    fileprivate func describe(
        to stream: UnsafeMutablePointer<AVStream>, _ first: EncodedPacket?, isMP4: Bool
    ) -> Int32 {
        if let rate = frameRate {
            stream.pointee.avg_frame_rate = AVRational(num: Int32(rate.numerator), den: Int32(rate.denominator))
            stream.pointee.time_base = AVRational(num: Int32(rate.denominator), den: Int32(rate.numerator))
        }
        guard let target = stream.pointee.codecpar else { return vitrail_averror(ENOMEM) }
        // Of live streams only the packets state it.
        let size = size ?? first?.statedSize
        defer {
            if target.pointee.width == 0, let size {
                (target.pointee.width, target.pointee.height) = (
                    Int32(clamping: size.width), Int32(clamping: size.height)
                )
            }
        }
        if let own = parameters as? TrackParameters {
            let result = avcodec_parameters_copy(target, own.parameters)
            stream.pointee.sample_aspect_ratio = own.parameters.pointee.sample_aspect_ratio
            // Another container has another name for the codec. Apple's players want this one of the two for HEVC, whose
            // parameter sets are not in the packets.
            target.pointee.codec_tag = target.pointee.codec_id == AV_CODEC_ID_HEVC && isMP4 ? vitrail_tag_hvc1 : 0
            return result
        }
        guard let codec = avcodec_descriptor_get_by_name(codec.rawValue)?.pointee.id else {
            return vitrail_averror(EINVAL)
        }
        (target.pointee.codec_type, target.pointee.codec_id) = (AVMEDIA_TYPE_VIDEO, codec)
        guard !configuration.isEmpty else { return 0 }
        target.pointee.extradata = configuration.withUnsafeBufferPointer { $0.paddedCopy() }
        target.pointee.extradata_size = target.pointee.extradata == nil ? 0 : Int32(clamping: configuration.count)
        return target.pointee.extradata == nil ? vitrail_averror(ENOMEM) : 0
    }
}
