import CVitrailFFmpeg
import Glibc
import MediaIO

/// A copy of a recording in MP4 with one index instead of fragments, without encoding anything.
enum MP4Copy {
    /// Makes the copy.
    ///
    /// - Parameters:
    ///   - path: the recording.
    ///   - file: the file of the copy.
    ///   - isCancelled: asked for each packet.
    /// - Returns: whether it is complete, and on the disk.
    static func make(of path: String, in file: borrowing RecordingFile, _ isCancelled: () -> Bool) -> Bool {
        guard let source = open(path) else { return false }
        var input: UnsafeMutablePointer<AVFormatContext>? = source
        defer { avformat_close_input(&input) }
        var output: UnsafeMutablePointer<AVFormatContext>?
        let format = av_guess_format(nil, path, nil)
        guard avformat_alloc_output_context2(&output, format, nil, nil) >= 0, let target = output,
            let bytes = try? WriterBytes(file.descriptor)
        else { return false }
        defer { avformat_free_context(output) }
        target.pointee.pb = bytes.context
        target.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        let isWritten = withExtendedLifetime(bytes) {
            guard describe(source, to: target), avformat_write_header(target, nil) >= 0,
                copyPackets(source, target, isCancelled), av_write_trailer(target) >= 0
            else { return false }
            avio_flush(bytes.context)
            return bytes.failure == 0 && fdatasync(file.descriptor) == 0
        }
        // It is to replace the recording, so it must be one.
        guard isWritten, let copy = open(file.path) else { return false }
        var opened: UnsafeMutablePointer<AVFormatContext>? = copy
        defer { avformat_close_input(&opened) }
        return copy.pointee.nb_streams == source.pointee.nb_streams
    }

    private static func open(_ path: String) -> UnsafeMutablePointer<AVFormatContext>? {
        var input: UnsafeMutablePointer<AVFormatContext>?
        return avformat_open_input(&input, "file:\(path)", nil, nil) >= 0 ? input : nil
    }

    private static func describe(
        _ source: UnsafeMutablePointer<AVFormatContext>, to target: UnsafeMutablePointer<AVFormatContext>
    ) -> Bool {
        av_dict_copy(&target.pointee.metadata, source.pointee.metadata, 0)
        for index in 0..<Int32(source.pointee.nb_streams) {
            guard let own = vitrail_stream(source, index), let stream = avformat_new_stream(target, nil),
                avcodec_parameters_copy(stream.pointee.codecpar, own.pointee.codecpar) >= 0
            else { return false }
            stream.pointee.time_base = own.pointee.time_base
            stream.pointee.avg_frame_rate = own.pointee.avg_frame_rate
            stream.pointee.sample_aspect_ratio = own.pointee.sample_aspect_ratio
            av_dict_copy(&stream.pointee.metadata, own.pointee.metadata, 0)
            let orientation = Orientation(own)
            if orientation != .upright, !orientation.write(to: stream) { return false }
        }
        return true
    }

    private static func copyPackets(
        _ source: UnsafeMutablePointer<AVFormatContext>, _ target: UnsafeMutablePointer<AVFormatContext>,
        _ isCancelled: () -> Bool
    ) -> Bool {
        var allocated = av_packet_alloc()
        defer { av_packet_free(&allocated) }
        guard let packet = allocated else { return false }
        var times = [Int64?](repeating: nil, count: Int(source.pointee.nb_streams))
        while true {
            if isCancelled() { return false }
            let result = av_read_frame(source, packet)
            if result == vitrail_averror_eof { return true }
            guard result >= 0, let own = vitrail_stream(source, packet.pointee.stream_index),
                let stream = vitrail_stream(target, packet.pointee.stream_index)
            else { return false }
            // Without a duration, the index would leave out the last packet.
            let index = Int(packet.pointee.stream_index)
            if packet.pointee.duration <= 0, let last = times[index] {
                packet.pointee.duration = max(0, packet.pointee.dts - last)
            }
            times[index] = packet.pointee.dts
            av_packet_rescale_ts(packet, own.pointee.time_base, stream.pointee.time_base)
            packet.pointee.pos = -1
            guard av_interleaved_write_frame(target, packet) >= 0 else { return false }
        }
    }
}
