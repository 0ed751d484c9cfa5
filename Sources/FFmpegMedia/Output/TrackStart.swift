import CVitrailFFmpeg
import MediaIO

/// A track that an output begins with.
struct TrackStart {
    /// The track.
    var track: TrackInfo
    /// The packet that will be written first; `nil` if the track states its size and its configuration.
    var first: EncodedPacket?
    /// How the pictures are shown.
    var orientation = Orientation.upright
    /// The colours that come with the pictures, of a track without a container.
    var colors: ColorTags?

    /// Describes the track to a container, as its first packet shows it.
    ///
    /// - Parameters:
    ///   - stream: the container's new stream.
    ///   - isMP4: whether it is one of MP4 or QuickTime.
    ///   - needsConfiguration: whether the container states parameter sets in its header.
    /// - Returns: FFmpeg's result.
    func describe(to stream: UnsafeMutablePointer<AVStream>, isMP4: Bool, needsConfiguration: Bool) -> Int32 {
        guard let target = stream.pointee.codecpar else { return vitrail_averror(ENOMEM) }
        if let own = track.parameters as? TrackParameters {
            let result = avcodec_parameters_copy(target, own.parameters)
            guard result >= 0 else { return result }
            stream.pointee.sample_aspect_ratio = own.parameters.pointee.sample_aspect_ratio
            // Another container has another name for the codec. Apple's players want this one of the two for HEVC, whose
            // parameter sets are not in the packets.
            target.pointee.codec_tag = target.pointee.codec_id == AV_CODEC_ID_HEVC && isMP4 ? vitrail_tag_hvc1 : 0
        } else {
            let result = describe(to: target)
            guard result >= 0 else { return result }
        }
        if needsConfiguration, target.pointee.extradata_size == 0, let first {
            let result = first.takeConfiguration(for: target)
            guard result >= 0 else { return result }
        }
        if track.kind == .audio, let first, target.pointee.sample_rate == 0 || target.pointee.ch_layout.nb_channels == 0
        {
            let result = first.takeSoundFormat(for: target)
            guard result >= 0 else { return result }
        }
        if let language = track.language { av_dict_set(&stream.pointee.metadata, "language", language, 0) }
        guard track.kind == .video else { return 0 }
        if let rate = track.frameRate {
            stream.pointee.avg_frame_rate = AVRational(num: Int32(rate.numerator), den: Int32(rate.denominator))
            stream.pointee.time_base = AVRational(num: Int32(rate.denominator), den: Int32(rate.numerator))
        }
        // Of live streams only the packets state it.
        if target.pointee.width == 0, let size = track.size ?? first?.statedSize {
            target.pointee.width = Int32(clamping: size.width)
            target.pointee.height = Int32(clamping: size.height)
        }
        return orientation == .upright || orientation.write(to: stream) ? 0 : vitrail_averror(ENOMEM)
    }

    /// Describes a track that does not come from FFmpeg.
    private func describe(to target: UnsafeMutablePointer<AVCodecParameters>) -> Int32 {
        guard let codec = avcodec_descriptor_get_by_name(track.codec.rawValue)?.pointee.id else {
            return vitrail_averror(EINVAL)
        }
        target.pointee.codec_id = codec
        target.pointee.codec_type = track.kind == .audio ? AVMEDIA_TYPE_AUDIO : AVMEDIA_TYPE_VIDEO
        if track.kind == .audio {
            target.pointee.sample_rate = Int32(clamping: track.sampleRate ?? 0)
            av_channel_layout_default(&target.pointee.ch_layout, Int32(clamping: track.channelCount ?? 0))
        }
        if let matrix = colors?.matrix { target.pointee.color_space = AVColorSpace(matrix) }
        if let primaries = colors?.primaries { target.pointee.color_primaries = AVColorPrimaries(primaries) }
        if let transfer = colors?.transfer { target.pointee.color_trc = AVColorTransferCharacteristic(transfer) }
        if let range = colors?.range {
            target.pointee.color_range = range == .full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        }
        guard !track.configuration.isEmpty else { return 0 }
        let copy = track.configuration.withUnsafeBufferPointer { $0.paddedCopy() }
        target.pointee.extradata = copy
        target.pointee.extradata_size = copy == nil ? 0 : Int32(clamping: track.configuration.count)
        return copy == nil ? vitrail_averror(ENOMEM) : 0
    }
}

extension EncodedPacket {
    /// Copies the parameter sets of a key frame into the description of its track, for those that are not described there.
    ///
    /// - Returns: FFmpeg's result; not negative if the packet has none.
    fileprivate func takeConfiguration(for target: UnsafeMutablePointer<AVCodecParameters>) -> Int32 {
        let name = target.pointee.codec_id == AV_CODEC_ID_AAC ? "aac_adtstoasc" : "extract_extradata"
        guard let filter = av_bsf_get_by_name(name), filter.has(target.pointee.codec_id) else { return 0 }
        var allocated: UnsafeMutablePointer<AVBSFContext>?
        guard av_bsf_alloc(filter, &allocated) >= 0, let context = allocated, let packet = try? OwnedPacket() else {
            av_bsf_free(&allocated)
            return vitrail_averror(ENOMEM)
        }
        defer { av_bsf_free(&allocated) }
        guard avcodec_parameters_copy(context.pointee.par_in, target) >= 0, av_bsf_init(context) >= 0,
            (try? packet.refer(to: self)) != nil
        else { return vitrail_averror(ENOMEM) }
        defer { packet.clear() }
        let result = packet.withMutable { packet in
            let result = av_bsf_send_packet(context, packet)
            return result < 0 ? result : av_bsf_receive_packet(context, packet)
        }
        // What is no such packet is written as it is.
        guard result >= 0 else { return 0 }
        return packet.with { packet in
            var size = 0
            guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &size), size > 0 else {
                return 0
            }
            target.pointee.extradata = UnsafeBufferPointer(start: data, count: size).paddedCopy()
            target.pointee.extradata_size = target.pointee.extradata == nil ? 0 : Int32(clamping: size)
            return target.pointee.extradata == nil ? vitrail_averror(ENOMEM) : 0
        }
    }
}

extension EncodedPacket {
    /// Reads the rate and the channels of sound from its packet, for containers that do not state them.
    ///
    /// Nothing is decoded: decoders of strangers' data may have to be in a sandbox.
    ///
    /// - Returns: FFmpeg's result; not negative if the packet does not say it.
    fileprivate func takeSoundFormat(for target: UnsafeMutablePointer<AVCodecParameters>) -> Int32 {
        if target.pointee.codec_id == AV_CODEC_ID_AAC {
            guard let header = withUnsafeBytes(ADTSHeader.init) else { return 0 }
            target.pointee.sample_rate = header.sampleRate
            target.pointee.frame_size = header.frameSize
            av_channel_layout_default(&target.pointee.ch_layout, header.channelCount)
            return 0
        }
        var context = avcodec_alloc_context3(nil)
        guard let parser = av_parser_init(Int32(target.pointee.codec_id.rawValue)), let open = context else {
            avcodec_free_context(&context)
            return 0
        }
        defer {
            av_parser_close(parser)
            avcodec_free_context(&context)
        }
        guard let packet = try? OwnedPacket(), (try? packet.refer(to: self)) != nil else {
            return vitrail_averror(ENOMEM)
        }
        defer { packet.clear() }
        open.pointee.codec_id = target.pointee.codec_id
        // Some know the end of a packet by the begin of the next.
        for _ in 0..<2 {
            _ = packet.with { packet in
                var (rest, count) = (packet.pointee.data, packet.pointee.size)
                while count > 0 {
                    var (found, foundCount) = (UnsafeMutablePointer<UInt8>?.none, Int32(0))
                    let used = av_parser_parse2(
                        parser, open, &found, &foundCount, rest, count, vitrail_no_timestamp, vitrail_no_timestamp, 0)
                    guard used > 0 else { break }
                    (rest, count) = (rest.map { $0 + Int(used) }, count - used)
                }
                return 0
            }
        }
        if target.pointee.sample_rate == 0 { target.pointee.sample_rate = open.pointee.sample_rate }
        if target.pointee.frame_size == 0 { target.pointee.frame_size = parser.pointee.duration }
        guard target.pointee.ch_layout.nb_channels == 0 else { return 0 }
        return av_channel_layout_copy(&target.pointee.ch_layout, &open.pointee.ch_layout)
    }
}

extension UnsafePointer<AVBitStreamFilter> {
    /// Whether it takes a codec.
    fileprivate func has(_ codec: AVCodecID) -> Bool {
        guard var next = pointee.codec_ids else { return true }
        while next.pointee != AV_CODEC_ID_NONE {
            if next.pointee == codec { return true }
            next += 1
        }
        return false
    }
}
