import CVitrailFFmpeg
import MediaIO

/// A decoded picture in shared memory, as a message.
struct SandboxPicture {
    /// What is said of a picture beside its pixels, and used.
    private static let sideData = [
        AV_FRAME_DATA_DISPLAYMATRIX, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
    ]

    /// What follows each plane, so that filters that read whole vectors stay in the memory.
    static let padding = 64

    /// What the other process knows it by.
    let token: UInt64
    private let width: Int32
    private let height: Int32
    private let format: Int32
    /// Where each plane begins in the shared memory, and its bytes from row to row.
    private let planes: [(offset: UInt64, stride: Int32)]
    private let times: (pts: Int64, best: Int64, duration: Int64)
    private let isKey: Bool
    private let isInterlaced: Bool
    private let isTopFirst: Bool
    private let flags: Int32
    private let errors: Int32
    private let repeats: Int32
    private let ratio: AVRational
    private let colors: [UInt32]
    private let crop: [UInt64]
    private let side: [(kind: UInt32, data: [UInt8])]

    /// Writes a picture; false if its planes are not in the shared memory.
    static func put(
        _ frame: UnsafePointer<AVFrame>, _ token: UInt64, in memory: UnsafeRawBufferPointer,
        to writer: inout SandboxWriter
    ) -> Bool {
        writer.put(token)
        for number in [frame.pointee.width, frame.pointee.height, frame.pointee.format] { writer.put(number) }
        let planes = planeCount(AVPixelFormat(rawValue: frame.pointee.format))
        writer.put(UInt32(planes))
        for plane in 0..<planes {
            guard let first = vitrail_frame_data(frame, plane), let base = memory.baseAddress else { return false }
            let offset = UnsafeRawPointer(first) - base
            guard memory.indices.contains(offset) else { return false }
            writer.put(UInt64(offset))
            writer.put(vitrail_frame_linesize(frame, plane))
        }
        for time in [frame.pointee.pts, frame.pointee.best_effort_timestamp] { writer.put(time) }
        writer.put(vitrail_frame_duration(frame))
        for flag in [
            vitrail_frame_is_key(frame), vitrail_frame_is_interlaced(frame), vitrail_frame_is_top_field_first(frame),
        ] { writer.put(UInt8(flag != 0 ? 1 : 0)) }
        for number in [
            frame.pointee.flags & AV_FRAME_FLAG_CORRUPT, frame.pointee.decode_error_flags, frame.pointee.repeat_pict,
            frame.pointee.sample_aspect_ratio.num, frame.pointee.sample_aspect_ratio.den,
        ] { writer.put(number) }
        for number in [
            frame.pointee.color_range.rawValue, frame.pointee.color_primaries.rawValue,
            frame.pointee.color_trc.rawValue, frame.pointee.colorspace.rawValue,
            frame.pointee.chroma_location.rawValue,
        ] { writer.put(number) }
        for side in [
            frame.pointee.crop_left, frame.pointee.crop_top, frame.pointee.crop_right, frame.pointee.crop_bottom,
        ] { writer.put(UInt64(side)) }
        let known = sideData.compactMap { av_frame_get_side_data(frame, $0) }
        writer.put(UInt32(known.count))
        for data in known {
            writer.put(data.pointee.type.rawValue)
            writer.put(bytes: UnsafeRawBufferPointer(start: data.pointee.data, count: data.pointee.size))
        }
        return true
    }

    /// The planes of a format, its palette among them.
    private static func planeCount(_ format: AVPixelFormat) -> Int32 {
        let flags = av_pix_fmt_desc_get(format)?.pointee.flags ?? 0
        return max(0, av_pix_fmt_count_planes(format)) + (flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0 ? 1 : 0)
    }

    /// Reads a picture, and checks that all of its pixels are in the shared memory.
    init(from reader: inout SandboxReader, memoryByteCount: Int) throws(SandboxReader.Fault) {
        token = try reader.take()
        (width, height, format) = (try reader.take(), try reader.take(), try reader.take())
        let sides = 1...Int32(PixelBuffer.maximumSide)
        guard sides.contains(width), sides.contains(height),
            Int(width) * Int(height) <= DecoderContext.largestPixelCount
        else { throw SandboxReader.Fault() }
        var planes: [(offset: UInt64, stride: Int32)] = []
        for _ in 0..<(try reader.takeCount(4)) { planes.append((try reader.take(), try reader.take())) }
        self.planes = planes
        times = (try reader.take(), try reader.take(), try reader.take())
        func flag() throws(SandboxReader.Fault) -> Bool { try reader.take(UInt8.self) != 0 }
        (isKey, isInterlaced, isTopFirst) = (try flag(), try flag(), try flag())
        (flags, errors, repeats) = (try reader.take(), try reader.take(), try reader.take())
        ratio = AVRational(num: try reader.take(), den: try reader.take())
        var colors: [UInt32] = []
        for _ in 0..<5 { colors.append(try reader.take()) }
        self.colors = colors
        var crop: [UInt64] = []
        for _ in 0..<4 { crop.append(try reader.take()) }
        self.crop = crop
        var side: [(kind: UInt32, data: [UInt8])] = []
        for _ in 0..<(try reader.takeCount(Self.sideData.count)) {
            side.append((try reader.take(), Array(try reader.takeBytes())))
        }
        self.side = side
        guard isInside(memoryByteCount) else { throw SandboxReader.Fault() }
    }

    /// Whether every row of every plane lies in the memory, and has room for its pixels.
    private func isInside(_ memoryByteCount: Int) -> Bool {
        let format = AVPixelFormat(rawValue: format)
        guard let description = av_pix_fmt_desc_get(format),
            description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0,
            planes.count == Int(Self.planeCount(format))
        else { return false }
        for (index, plane) in planes.enumerated() {
            let least = Int(av_image_get_linesize(format, width, Int32(index)))
            // The second plane of a palette has no rows of pixels.
            let isPalette = description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0 && index == 1
            let isChroma = index == 1 || index == 2
            let shift = isChroma ? Int32(description.pointee.log2_chroma_h) : 0
            let rows = isPalette ? 1 : Int(-((-height) >> shift))
            let stride = isPalette ? 1024 : Int(plane.stride)
            guard rows > 0, least >= 0, abs(stride) >= least, plane.offset <= UInt64(memoryByteCount) else {
                return false
            }
            let first = Int(plane.offset)
            let last = first + (rows - 1) * stride
            guard min(first, last) >= 0, max(first, last) + abs(stride) + Self.padding <= memoryByteCount else {
                return false
            }
        }
        return true
    }

    /// Makes FFmpeg's frame of it, whose pixels belong to `buffer`.
    func fill(
        _ frame: UnsafeMutablePointer<AVFrame>, _ memory: UnsafeMutableRawBufferPointer,
        _ buffer: UnsafeMutablePointer<AVBufferRef>
    ) {
        frame.pointee.buf.0 = buffer
        (frame.pointee.width, frame.pointee.height, frame.pointee.format) = (width, height, format)
        for (index, plane) in planes.enumerated() {
            let first = memory.baseAddress.map { $0 + Int(plane.offset) }
            vitrail_frame_set_plane(frame, Int32(index), first?.assumingMemoryBound(to: UInt8.self), plane.stride)
        }
        (frame.pointee.pts, frame.pointee.best_effort_timestamp) = (times.pts, times.best)
        vitrail_frame_set_duration(frame, times.duration)
        vitrail_frame_set_flags(frame, isKey ? 1 : 0, isInterlaced ? 1 : 0, isTopFirst ? 1 : 0)
        frame.pointee.flags |= flags & AV_FRAME_FLAG_CORRUPT
        (frame.pointee.decode_error_flags, frame.pointee.repeat_pict) = (errors, repeats)
        frame.pointee.sample_aspect_ratio = ratio
        frame.pointee.color_range = AVColorRange(rawValue: colors[0])
        frame.pointee.color_primaries = AVColorPrimaries(rawValue: colors[1])
        frame.pointee.color_trc = AVColorTransferCharacteristic(rawValue: colors[2])
        frame.pointee.colorspace = AVColorSpace(rawValue: colors[3])
        frame.pointee.chroma_location = AVChromaLocation(rawValue: colors[4])
        (frame.pointee.crop_left, frame.pointee.crop_top) = (Int(clamping: crop[0]), Int(clamping: crop[1]))
        (frame.pointee.crop_right, frame.pointee.crop_bottom) = (Int(clamping: crop[2]), Int(clamping: crop[3]))
        for part in side where Self.sideData.contains(where: { $0.rawValue == part.kind }) {
            guard
                let data = av_frame_new_side_data(frame, AVFrameSideDataType(rawValue: part.kind), part.data.count)
            else { continue }
            UnsafeMutableRawBufferPointer(start: data.pointee.data, count: part.data.count).copyBytes(from: part.data)
        }
    }
}
