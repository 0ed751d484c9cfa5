import CVitrailFFmpeg
import MediaIO
import VitrailSupport

/// Owns libavformat's context of an output with one stream.
struct MuxerContext: ~Copyable {
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// Must exist as long as the context, which writes to it.
    private let bytes: WriterBytes
    private let stream: UnsafeMutablePointer<AVStream>
    private let name: String
    private let isMP4: Bool

    /// Makes an output; nothing is written yet.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` for a container that FFmpeg was built without;
    ///   ``StreamError/Code/noMemory``.
    init(_ container: MediaContainer, _ bytes: WriterBytes, _ name: String) throws(StreamError) {
        guard let muxer = container.muxer else {
            throw StreamError(
                .unsupported, "\(name) cannot be written as \(container.rawValue), which this FFmpeg does not write.")
        }
        var allocated: UnsafeMutablePointer<AVFormatContext>?
        guard avformat_alloc_output_context2(&allocated, muxer, nil, nil) >= 0, let context = allocated,
            let stream = avformat_new_stream(context, nil)
        else {
            avformat_free_context(allocated)
            throw StreamError(.noMemory, "There is not enough memory to write \(name).", underlying: ENOMEM)
        }
        context.pointee.pb = bytes.context
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
        (self.context, self.bytes, self.stream, self.name) = (context, bytes, stream, name)
        isMP4 = container == .mp4 || container == .mov
    }

    deinit { avformat_free_context(context) }

    /// Whether the container has the codec's configuration once, so that key frames do not repeat it.
    var hasGlobalHeader: Bool { context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 }

    /// Writes the header.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` for a codec that the container cannot hold;
    ///   ``StreamError/Code/writeFailed``.
    func begin(_ encoder: borrowing EncoderContext) throws(StreamError) {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        // The table at the end of an MP4 file is found by going back to its beginning; fragments have tables of their own.
        if isMP4, context.pointee.pb.pointee.seekable == 0 {
            av_dict_set(&options, "movflags", "frag_keyframe+empty_moov+default_base_moof", 0)
        }
        var result = encoder.describe(to: stream)
        if result >= 0 { result = avformat_write_header(context, &options) }
        if bytes.failure == 0, result < 0 {
            throw StreamError(
                .unsupported, "\(name) cannot hold this stream (\(ffmpegText(result))): choose another codec.",
                underlying: result)
        }
        try check(result)
    }

    /// Writes a packet, whose bytes are then released.
    ///
    /// - Parameters:
    ///   - packet: a packet with times in `unit`.
    ///   - unit: the unit, in seconds.
    /// - Throws: ``StreamError/Code/writeFailed``.
    func write(_ packet: UnsafeMutablePointer<AVPacket>, _ unit: AVRational) throws(StreamError) {
        packet.pointee.stream_index = 0
        av_packet_rescale_ts(packet, unit, stream.pointee.time_base)
        try check(av_interleaved_write_frame(context, packet))
    }

    /// Writes what belongs at the end.
    ///
    /// - Throws: ``StreamError/Code/writeFailed``.
    func end() throws(StreamError) {
        let result = av_write_trailer(context)
        avio_flush(context.pointee.pb)
        try check(result)
    }

    private func check(_ result: Int32) throws(StreamError) {
        // FFmpeg may report an error of an earlier write later, or never.
        guard result < 0 || bytes.failure != 0 else { return }
        let number = bytes.failure != 0 ? bytes.failure : nil
        throw StreamError(
            .writeFailed, "\(name) cannot be written: \(number.map(systemMessage) ?? ffmpegText(result)).",
            underlying: number ?? result)
    }
}
