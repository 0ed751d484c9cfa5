import CVitrailFFmpeg
import MediaIO

extension EncodedPacket {
    /// The size of the picture as the packet itself states it; `nil` if it does not, or if FFmpeg cannot tell.
    ///
    /// **Cost:** a few allocations: once per decoder.
    var statedSize: VideoSize? {
        // FFmpeg's parser does not read it.
        if codec == .motionJPEG { return withUnsafeBytes { VideoSize(jpeg: $0) } }
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

extension VideoSize {
    /// The size in the frame header of a JPEG picture (ITU-T T.81, B.2.2); `nil` if it has none.
    init?(jpeg bytes: UnsafeRawBufferPointer) {
        func number(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
        // Behind the mark that begins a picture.
        var place = 2
        while place + 9 <= bytes.count, bytes[place] == 0xFF {
            switch bytes[place + 1] {
            // Fills.
            case 0xFF: place += 1
            // Tables and a reserved mark lie between those of frames.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(bytes[place + 1]):
                self.init(width: number(place + 7), height: number(place + 5))
                // A height of 0 comes later, with the number of lines.
                guard width > 0, height > 0 else { return nil }
                return
            default: place += 2 + number(place + 2)
            }
        }
        return nil
    }
}
