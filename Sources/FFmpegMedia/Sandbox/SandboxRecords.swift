import CVitrailFFmpeg
import MediaIO

/// What a decoder is opened from, as a message.
struct SandboxOrder {
    var track: TrackInfo
    var size: VideoSize?
    var threadCount: Int?
    var isLive: Bool
    var reduction: Int

    func put(to writer: inout SandboxWriter) {
        writer.put(track.codec.rawValue)
        if case .lengths(let count) = track.framing { writer.put(UInt8(count)) } else { writer.put(UInt8(0)) }
        track.configuration.withUnsafeBytes { writer.put(bytes: $0) }
        writer.put(Int64(size?.width ?? 0))
        writer.put(Int64(size?.height ?? 0))
        writer.put(Int32(threadCount ?? 0))
        writer.put(UInt8(isLive ? 1 : 0))
        writer.put(Int32(reduction))
        let own = (track.parameters as? TrackParameters)?.parameters
        writer.put(UInt8(own == nil ? 0 : 1))
        if let own { own.pointee.put(to: &writer) }
    }

    init(_ track: TrackInfo, _ size: VideoSize?, threadCount: Int?, isLive: Bool, reduction: Int) {
        (self.track, self.size, self.threadCount, self.isLive) = (track, size, threadCount, isLive)
        self.reduction = reduction
    }

    init(from reader: inout SandboxReader) throws(SandboxReader.Fault) {
        let codec = PacketCodec(rawValue: String(decoding: try reader.takeBytes(), as: UTF8.self))
        let lengths = Int(try reader.take(UInt8.self))
        let configuration = Array(try reader.takeBytes())
        let (width, height) = (Int(try reader.take(Int64.self)), Int(try reader.take(Int64.self)))
        let threads = Int(try reader.take(Int32.self))
        let isLive = try reader.take(UInt8.self) != 0
        let reduction = Int(try reader.take(Int32.self))
        var track = TrackInfo(
            codec: codec, framing: lengths == 0 ? .startCodes : .lengths(byteCount: lengths),
            configuration: configuration)
        if try reader.take(UInt8.self) != 0 { track.parameters = try TrackParameters(from: &reader) }
        self.init(
            track, width > 0 && height > 0 ? VideoSize(width: width, height: height) : nil,
            threadCount: threads > 0 ? threads : nil, isLive: isLive, reduction: reduction)
    }
}

extension AVCodecParameters {
    fileprivate func put(to writer: inout SandboxWriter) {
        for number in [
            Int64(codec_id.rawValue), Int64(codec_tag), Int64(format), bit_rate, Int64(bits_per_coded_sample),
            Int64(bits_per_raw_sample), Int64(profile), Int64(level), Int64(width), Int64(height),
            Int64(sample_aspect_ratio.num), Int64(sample_aspect_ratio.den), Int64(field_order.rawValue),
            Int64(color_range.rawValue), Int64(color_primaries.rawValue), Int64(color_trc.rawValue),
            Int64(color_space.rawValue), Int64(chroma_location.rawValue), Int64(video_delay),
        ] { writer.put(number) }
        writer.put(bytes: UnsafeRawBufferPointer(start: extradata, count: Int(max(0, extradata_size))))
    }

    fileprivate mutating func take(from reader: inout SandboxReader) throws(SandboxReader.Fault) {
        func next() throws(SandboxReader.Fault) -> Int64 { try reader.take() }
        codec_type = AVMEDIA_TYPE_VIDEO
        codec_id = AVCodecID(rawValue: UInt32(truncatingIfNeeded: try next()))
        codec_tag = UInt32(truncatingIfNeeded: try next())
        format = Int32(truncatingIfNeeded: try next())
        bit_rate = try next()
        bits_per_coded_sample = Int32(truncatingIfNeeded: try next())
        bits_per_raw_sample = Int32(truncatingIfNeeded: try next())
        profile = Int32(truncatingIfNeeded: try next())
        level = Int32(truncatingIfNeeded: try next())
        width = Int32(truncatingIfNeeded: try next())
        height = Int32(truncatingIfNeeded: try next())
        sample_aspect_ratio = AVRational(
            num: Int32(truncatingIfNeeded: try next()), den: Int32(truncatingIfNeeded: try next()))
        field_order = AVFieldOrder(rawValue: UInt32(truncatingIfNeeded: try next()))
        color_range = AVColorRange(rawValue: UInt32(truncatingIfNeeded: try next()))
        color_primaries = AVColorPrimaries(rawValue: UInt32(truncatingIfNeeded: try next()))
        color_trc = AVColorTransferCharacteristic(rawValue: UInt32(truncatingIfNeeded: try next()))
        color_space = AVColorSpace(rawValue: UInt32(truncatingIfNeeded: try next()))
        chroma_location = AVChromaLocation(rawValue: UInt32(truncatingIfNeeded: try next()))
        video_delay = Int32(truncatingIfNeeded: try next())
        let extra = Array(try reader.takeBytes())
        guard !extra.isEmpty else { return }
        extradata = extra.withUnsafeBufferPointer { $0.paddedCopy() }
        extradata_size = extradata == nil ? 0 : Int32(extra.count)
    }
}

extension TrackParameters {
    /// Reads what a decoder is opened from.
    convenience init(from reader: inout SandboxReader) throws(SandboxReader.Fault) {
        guard let parameters = avcodec_parameters_alloc() else { throw SandboxReader.Fault() }
        self.init(adopting: parameters)
        try parameters.pointee.take(from: &reader)
    }
}

/// A packet of FFmpeg's, as a message.
enum SandboxPacket {
    static func put(_ packet: UnsafePointer<AVPacket>, to writer: inout SandboxWriter) {
        writer.put(packet.pointee.flags)
        writer.put(packet.pointee.pts)
        writer.put(packet.pointee.dts)
        writer.put(packet.pointee.duration)
        writer.put(bytes: UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(max(0, packet.pointee.size))))
        let side = UnsafeBufferPointer(
            start: packet.pointee.side_data, count: Int(max(0, packet.pointee.side_data_elems)))
        writer.put(UInt32(side.count))
        for part in side {
            writer.put(part.type.rawValue)
            writer.put(bytes: UnsafeRawBufferPointer(start: part.data, count: part.size))
        }
    }

    /// Reads a packet into an empty one.
    static func take(
        from reader: inout SandboxReader, into packet: UnsafeMutablePointer<AVPacket>
    ) throws(SandboxReader.Fault) {
        let flags = try reader.take(Int32.self)
        let (pts, dts, duration) = (
            try reader.take(Int64.self), try reader.take(Int64.self), try reader.take(Int64.self)
        )
        let data = try reader.takeBytes()
        guard av_new_packet(packet, Int32(clamping: data.count)) >= 0 else { throw SandboxReader.Fault() }
        UnsafeMutableRawBufferPointer(start: packet.pointee.data, count: data.count).copyMemory(from: data)
        packet.pointee.flags = flags
        (packet.pointee.pts, packet.pointee.dts, packet.pointee.duration) = (pts, dts, duration)
        for _ in 0..<(try reader.takeCount(64)) {
            let kind = AVPacketSideDataType(rawValue: try reader.take(UInt32.self))
            let data = try reader.takeBytes()
            guard let copy = av_packet_new_side_data(packet, kind, data.count) else { throw SandboxReader.Fault() }
            UnsafeMutableRawBufferPointer(start: copy, count: data.count).copyMemory(from: data)
        }
    }
}
