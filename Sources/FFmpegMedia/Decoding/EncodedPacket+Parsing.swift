import CVitrailFFmpeg
import MediaIO

extension EncodedPacket {
    /// The size of the picture as the packet itself states it; `nil` if it does not, or if FFmpeg cannot tell.
    ///
    /// **Cost:** a few allocations: once per decoder.
    var statedSize: VideoSize? {
        let parameters = (track.parameters as? TrackParameters)?.parameters
        // Parsers read some bytes beyond the end.
        guard owner is SharedPacket || isPadded,
            let codec = parameters?.pointee.codec_id ?? avcodec_descriptor_get_by_name(self.codec.rawValue)?.pointee.id,
            let parser = vitrail_parser(codec),
            var context = Optional(avcodec_alloc_context3(avcodec_find_decoder(codec)))
        else { return nil }
        defer {
            avcodec_free_context(&context)
            av_parser_close(parser)
        }
        if let parameters { avcodec_parameters_to_context(context, parameters) }
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        withUnsafeBytes { bytes in
            var (output, count) = (UnsafeMutablePointer<UInt8>?.none, Int32(0))
            _ = av_parser_parse2(
                parser, context, &output, &count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                Int32(clamping: bytes.count), vitrail_no_timestamp, vitrail_no_timestamp, 0)
        }
        let size = VideoSize(width: Int(parser.pointee.width), height: Int(parser.pointee.height))
        return size.width > 0 && size.height > 0 ? size : nil
    }
}
