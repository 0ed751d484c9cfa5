import CVitrailPipeWire
import MediaIO

/// The format that a node and a reader have agreed on.
struct PipeWireFormat {
    let format: PixelFormat
    let size: VideoSize
    /// Pictures per second; `nil` if it varies.
    let frameRate: Rational?
    let attributes: FrameAttributes

    /// Those that GStreamer has no name for, or another one.
    private static let others: [(PixelFormat, spa_video_format)] = [
        (.x2rgb10, SPA_VIDEO_FORMAT_xRGB_210LE), (.x2bgr10, SPA_VIDEO_FORMAT_xBGR_210LE),
        (.rgba64f, SPA_VIDEO_FORMAT_RGBA_F16),
    ]

    /// All that can be drawn, as PipeWire numbers them: first what screens and cameras have.
    static let all: [UInt32] = {
        let common: [PixelFormat] = [.bgrx32, .rgbx32, .bgra32, .rgba32, .nv12, .i420, .yuyv]
        let formats = common + PixelFormat.allCases.filter { !common.contains($0) }
        return formats.flatMap { $0.names(in: .gstreamer) }.map { vitrail_pw_format($0) }.filter { $0 != 0 }
            + others.map(\.1.rawValue)
    }()

    /// Reads it; `nil` if it is none that was offered.
    init?(_ parameter: UnsafePointer<spa_pod>) {
        var info = spa_video_info_raw()
        guard vitrail_pw_parse(parameter, &info) != 0, let format = Self.pixelFormat(info.format) else { return nil }
        self.format = format
        size = VideoSize(width: Int(info.size.width), height: Int(info.size.height))
        let hasRate = info.framerate.num > 0 && info.framerate.denom > 0
        frameRate = hasRate ? Rational(Int(info.framerate.num), Int(info.framerate.denom)) : nil
        let ratio = info.pixel_aspect_ratio
        attributes = FrameAttributes(
            colorTags: ColorTags(info),
            pixelAspectRatio: ratio.num > 0 && ratio.denom > 0 ? Rational(Int(ratio.num), Int(ratio.denom)) : .one)
    }

    /// What a format of PipeWire is called here; `nil` if it cannot be drawn.
    static func pixelFormat(_ format: spa_video_format) -> PixelFormat? {
        if let other = others.first(where: { $0.1 == format }) { return other.0 }
        return vitrail_pw_format_name(format.rawValue).flatMap {
            PixelFormat(named: "gstreamer:\(String(cString: $0))")
        }
    }

    /// The planes of a picture whose memory begins with it.
    ///
    /// Without a stride of its own, or with GStreamer's, it is laid out as by GStreamer, whose rows have a multiple of four
    /// bytes and whose subsampled pictures an even number of rows; otherwise as by V4L2, where each plane has the first
    /// one's stride divided by its subsampling.
    ///
    /// - Parameters:
    ///   - stride: the bytes of a row of the first plane; 0 if they are unknown.
    ///   - byteCount: how many bytes there are.
    ///   - body: given each plane's first byte and bytes per row.
    func withPlanes(stride: Int, byteCount: Int, _ body: (_ offset: Int, _ bytesPerRow: Int) -> Void) {
        let planes = format.planes
        let isSubsampled = planes.count > 1 && planes[1].height(VideoSize(width: 2, height: 2)) == 1
        let rounded = VideoSize(width: size.width, height: isSubsampled ? (size.height + 1) & ~1 : size.height)
        let usual = (planes[0].rowBytes(size) + 3) & ~3
        if stride == 0 || stride == usual {
            let end = (0..<planes.count).reduce(0) {
                $0 + ((planes[$1].rowBytes(size) + 3) & ~3) * planes[$1].height(rounded)
            }
            if end <= byteCount {
                var offset = 0
                for index in 0..<planes.count {
                    let own = (planes[index].rowBytes(size) + 3) & ~3
                    body(offset, own)
                    offset += own * planes[index].height(rounded)
                }
                return
            }
        }
        let first = stride == 0 ? planes[0].rowBytes(size) : stride
        let wide = VideoSize(width: 1024, height: 2)
        var offset = 0
        for index in 0..<planes.count {
            let own =
                stride == 0
                ? planes[index].rowBytes(size) : first * planes[index].rowBytes(wide) / planes[0].rowBytes(wide)
            body(offset, own)
            offset += abs(own) * planes[index].height(size)
        }
    }
}

extension Orientation {
    /// How a picture is shown that was turned, and mirrored before that, when it was stored.
    ///
    /// - Parameter transform: `enum spa_meta_videotransform_value`: 0 to 3 quarters of a turn counter-clockwise; 4 more if
    ///   it was mirrored.
    init(pipeWire transform: UInt32) {
        self.init(
            rotation: [.upright, .clockwise90, .clockwise180, .clockwise270][Int(transform & 3)],
            mirror: transform & 4 != 0 ? .horizontal : .unmirrored)
    }
}

extension ColorTags {
    fileprivate init(_ info: spa_video_info_raw) {
        self.init(
            matrix: ColorSpace.Matrix(info.color_matrix), range: ColorSpace.Range(info.color_range),
            primaries: ColorSpace.Primaries(info.color_primaries),
            transfer: ColorSpace.Transfer(info.transfer_function), chromaLocation: ChromaLocation(info.chroma_site))
    }
}

extension ColorSpace.Matrix {
    fileprivate init?(_ matrix: spa_video_color_matrix) {
        switch matrix {
        case SPA_VIDEO_COLOR_MATRIX_RGB: self = .rgb
        case SPA_VIDEO_COLOR_MATRIX_FCC: self = .fcc
        case SPA_VIDEO_COLOR_MATRIX_BT709: self = .bt709
        case SPA_VIDEO_COLOR_MATRIX_BT601: self = .bt601
        case SPA_VIDEO_COLOR_MATRIX_SMPTE240M: self = .smpte240m
        case SPA_VIDEO_COLOR_MATRIX_BT2020: self = .bt2020
        default: return nil
        }
    }
}

extension ColorSpace.Range {
    fileprivate init?(_ range: spa_video_color_range) {
        switch range {
        case SPA_VIDEO_COLOR_RANGE_0_255: self = .full
        case SPA_VIDEO_COLOR_RANGE_16_235: self = .limited
        default: return nil
        }
    }
}

extension ColorSpace.Primaries {
    /// SMPTE 240M has the primaries of SMPTE 170M.
    fileprivate init?(_ primaries: spa_video_color_primaries) {
        switch primaries {
        case SPA_VIDEO_COLOR_PRIMARIES_BT709: self = .bt709
        case SPA_VIDEO_COLOR_PRIMARIES_BT470BG: self = .bt601Lines625
        case SPA_VIDEO_COLOR_PRIMARIES_SMPTE170M, SPA_VIDEO_COLOR_PRIMARIES_SMPTE240M: self = .bt601Lines525
        case SPA_VIDEO_COLOR_PRIMARIES_BT2020: self = .bt2020
        case SPA_VIDEO_COLOR_PRIMARIES_ADOBERGB: self = .adobe
        default: return nil
        }
    }
}

extension ColorSpace.Transfer {
    /// BT.2020 has BT.709's curve; SMPTE 240M differs by less than 0.01 from it.
    fileprivate init?(_ transfer: spa_video_transfer_function) {
        switch transfer {
        case SPA_VIDEO_TRANSFER_BT709, SPA_VIDEO_TRANSFER_BT2020_12, SPA_VIDEO_TRANSFER_SMPTE240M: self = .bt709
        case SPA_VIDEO_TRANSFER_SRGB: self = .sRGB
        case SPA_VIDEO_TRANSFER_GAMMA10: self = .linear
        case SPA_VIDEO_TRANSFER_GAMMA22, SPA_VIDEO_TRANSFER_ADOBERGB: self = .gamma22
        case SPA_VIDEO_TRANSFER_GAMMA28: self = .gamma28
        default: return nil
        }
    }
}

extension ChromaLocation {
    fileprivate init?(_ site: spa_video_chroma_site) {
        switch site {
        case SPA_VIDEO_CHROMA_SITE_MPEG2: self = .left
        case SPA_VIDEO_CHROMA_SITE_JPEG: self = .center
        case SPA_VIDEO_CHROMA_SITE_COSITED: self = .topLeft
        case SPA_VIDEO_CHROMA_SITE_V_COSITED: self = .top
        default: return nil
        }
    }
}
