import CVitrailFFmpeg
import MediaIO
import VitrailSupport

/// Owns libavformat's context of an output.
struct MuxerContext: ~Copyable {
    /// What FFmpeg writes to; it must exist as long as the context.
    private enum Output {
        case bytes(WriterBytes)
        /// FFmpeg opens it itself.
        case destination(MediaDestination, Interruption)
    }

    private let context: UnsafeMutablePointer<AVFormatContext>
    private let output: Output
    private let packet: OwnedPacket
    private let name: String
    private var options: [String: String] = [:]
    private var isMP4 = false
    /// Whether packets are written in the order in which they come, at once.
    private var isImmediate = false
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
        isMP4 = container.isMP4
        if isMP4, bytes.context?.pointee.seekable == 0 {
            options["movflags"] = "frag_keyframe+empty_moov+default_base_moof"
        }
    }

    /// Makes a recording, a file that can be played up to its end whenever that comes; nothing is written yet.
    ///
    /// Clusters and fragments are half a second long.
    ///
    /// - Parameters:
    ///   - container: the format of the file.
    ///   - bytes: the file.
    ///   - name: its name for errors.
    ///   - tags: what the file says of itself, by FFmpeg's names.
    /// - Throws: what ``init(_:_:_:)`` throws.
    init(
        recording container: MediaContainer, _ bytes: WriterBytes, _ name: String, tags: [(String, String)]
    ) throws(StreamError) {
        try self.init(container, bytes, name)
        context.pointee.flags &= ~AVFMT_FLAG_BITEXACT
        context.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
        for (tag, value) in tags { av_dict_set(&context.pointee.metadata, tag, value, 0) }
        isImmediate = true
        switch container {
        case .mp4, .mov:
            // The header comes with the first fragment: it says by how much sound begins after pictures.
            options["movflags"] = "default_base_moof+delay_moov"
            options["frag_duration"] = "500000"
            options["write_prft"] = "wallclock"
        case .matroska, .webm: options["cluster_time_limit"] = "500"
        case .transportStream: break
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
        guard avformat_alloc_output_context2(&allocated, muxer, nil, url) >= 0, let context = allocated else {
            throw StreamError(.noMemory, "There is not enough memory to write \(name).", underlying: ENOMEM)
        }
        (self.context, self.output, self.name) = (context, output, name)
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

    /// Connects, and writes the header for one track.
    ///
    /// - Parameters:
    ///   - track: what will be written.
    ///   - first: the packet that will be written first; `nil` if the track states its size and its configuration.
    /// - Throws: what ``begin(_:)-([TrackStart])`` throws.
    func begin(_ track: TrackInfo, first: EncodedPacket? = nil) throws(StreamError) {
        try begin([TrackStart(track: track, first: first)])
    }

    /// Connects, and writes the header.
    ///
    /// - Parameter tracks: what will be written.
    /// - Throws: ``StreamError/Code/unsupported`` for a codec that the container cannot hold;
    ///   ``StreamError/Code/cannotOpen`` without a connection; ``StreamError/Code/writeFailed``.
    func begin(_ tracks: [TrackStart]) throws(StreamError) {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        for (name, value) in self.options { av_dict_set(&options, name, value, 0) }
        var result: Int32 = 0
        for track in tracks where result >= 0 {
            guard let stream = avformat_new_stream(context, nil) else {
                result = vitrail_averror(ENOMEM)
                break
            }
            result = track.describe(to: stream, isMP4: isMP4, needsConfiguration: hasGlobalHeader)
        }
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

    /// How long each packet of a track is; `nil` if they differ, or that is not known.
    func packetDuration(of index: Int) -> Duration? {
        guard let parameters = vitrail_stream(context, Int32(index))?.pointee.codecpar.pointee,
            parameters.frame_size > 0, parameters.sample_rate > 0
        else { return nil }
        return .nanoseconds(Int64(parameters.frame_size) * 1_000_000_000 / Int64(parameters.sample_rate))
    }

    /// Writes a packet.
    ///
    /// - Parameters:
    ///   - encoded: the packet.
    ///   - index: the index of its track.
    ///   - timing: its times in the container; `nil` for its own.
    /// - Throws: ``StreamError/Code/writeFailed``; ``StreamError/Code/noMemory``.
    func write(
        _ encoded: EncodedPacket, to index: Int = 0, at timing: EncodedPacket.Timing? = nil
    ) throws(StreamError) {
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
            packet.withMutable { [context, isImmediate, hasGlobalHeader] packet in
                packet.pointee.stream_index = Int32(index)
                guard let stream = vitrail_stream(context, Int32(index)) else { return vitrail_averror(EINVAL) }
                av_packet_rescale_ts(packet, .nanosecond, stream.pointee.time_base)
                if hasGlobalHeader, stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_AAC {
                    Self.removeADTSHeader(of: packet)
                }
                // The other way waits for packets of all tracks, and allocates.
                return isImmediate ? av_write_frame(context, packet) : av_interleaved_write_frame(context, packet)
            })
    }

    /// Removes the header that packets of AAC have in streams: other containers have one of their own.
    private static func removeADTSHeader(of packet: UnsafeMutablePointer<AVPacket>) {
        let bytes = UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
        guard let header = ADTSHeader(bytes) else { return }
        packet.pointee.data += header.byteCount
        packet.pointee.size -= Int32(header.byteCount)
    }

    /// Writes what the container holds back for its next cluster or fragment.
    ///
    /// - Throws: ``StreamError/Code/writeFailed``.
    func flush() throws(StreamError) {
        let result = av_write_frame(context, nil)
        if let io = context.pointee.pb { avio_flush(io) }
        try check(result)
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
