import CVitrailFFmpeg
import MediaIO

/// How frames in one of FFmpeg's pixel formats are delivered.
struct DeliveredFormat {
    /// The format that is delivered.
    let format: PixelFormat
    /// Whether frames in FFmpeg's memory already have ``format``, so that they are lent; if not, they are converted.
    let isLent: Bool
    /// Whether FFmpeg's format implies full range.
    let isFullRange: Bool

    /// All formats that can be delivered, by FFmpeg's number.
    private static let all: [Int32: DeliveredFormat] = {
        var all: [Int32: DeliveredFormat] = [:]
        for (number, format) in same {
            all[number.rawValue] = DeliveredFormat(format: format, isLent: true, isFullRange: false)
        }
        for (number, format) in sameFullRange {
            all[number.rawValue] = DeliveredFormat(format: format, isLent: true, isFullRange: true)
        }
        var next = av_pix_fmt_desc_next(nil)
        while let description = next {
            let number = av_pix_fmt_desc_get_id(description)
            if all[number.rawValue] == nil, let format = PixelFormat(nearest: number, description.pointee) {
                // Palette entries are full-range R, G, B, and below 8 bits there is no limited range.
                let isPalette = Int32(truncatingIfNeeded: description.pointee.flags) & AV_PIX_FMT_FLAG_PAL != 0
                let hasFewBits = max(description.pointee.comp.0.depth, description.pointee.comp.1.depth) < 8
                all[number.rawValue] = DeliveredFormat(
                    format: format, isLent: false, isFullRange: isPalette || hasFewBits)
            }
            next = av_pix_fmt_desc_next(description)
        }
        return all
    }()

    /// How frames of FFmpeg's pixel format `number` are delivered, or `nil` if they cannot be.
    static func of(ffmpeg number: Int32) -> DeliveredFormat? { all[number] }

    /// The error for an unsupported format, with a command that converts the file.
    static func unsupported(ffmpeg number: Int32, _ subject: String) -> StreamError {
        let name = av_get_pix_fmt_name(AVPixelFormat(number)).map { String(cString: $0) } ?? "number \(number)"
        return StreamError(
            .unsupported,
            "\(subject) has the pixel format \(name), which is not supported; convert it: ffmpeg -i INPUT -pix_fmt yuv420p OUTPUT.mp4"
        )
    }

    /// FFmpeg's formats that are identical to ours.
    private static let same: [(AVPixelFormat, PixelFormat)] = [
        (AV_PIX_FMT_YUV420P, .i420), (AV_PIX_FMT_YUV422P, .i422), (AV_PIX_FMT_YUV444P, .i444),
        (AV_PIX_FMT_YUV440P, .i440), (AV_PIX_FMT_YUV411P, .i411), (AV_PIX_FMT_YUV410P, .yuv9),
        (AV_PIX_FMT_YUVA420P, .i420a), (AV_PIX_FMT_YUVA422P, .i422a), (AV_PIX_FMT_YUVA444P, .i444a),
        (AV_PIX_FMT_NV12, .nv12), (AV_PIX_FMT_NV21, .nv21), (AV_PIX_FMT_NV16, .nv16), (AV_PIX_FMT_NV24, .nv24),
        (AV_PIX_FMT_NV42, .nv42), (AV_PIX_FMT_YUV420P9LE, .i009), (AV_PIX_FMT_YUV420P10LE, .i010),
        (AV_PIX_FMT_YUV420P12LE, .i012), (AV_PIX_FMT_YUV420P14LE, .i014), (AV_PIX_FMT_YUV420P16LE, .i016),
        (AV_PIX_FMT_YUV422P9LE, .i209), (AV_PIX_FMT_YUV422P10LE, .i210), (AV_PIX_FMT_YUV422P12LE, .i212),
        (AV_PIX_FMT_YUV422P14LE, .i214), (AV_PIX_FMT_YUV422P16LE, .i216), (AV_PIX_FMT_YUV444P9LE, .i409),
        (AV_PIX_FMT_YUV444P10LE, .i410), (AV_PIX_FMT_YUV444P12LE, .i412), (AV_PIX_FMT_YUV444P14LE, .i414),
        (AV_PIX_FMT_YUV444P16LE, .i416), (AV_PIX_FMT_YUV440P10LE, .i440p10), (AV_PIX_FMT_YUV440P12LE, .i440p12),
        (AV_PIX_FMT_YUVA420P10LE, .i010a), (AV_PIX_FMT_YUVA420P16LE, .i016a), (AV_PIX_FMT_YUVA422P10LE, .i210a),
        (AV_PIX_FMT_YUVA422P12LE, .i212a), (AV_PIX_FMT_YUVA422P16LE, .i216a), (AV_PIX_FMT_YUVA444P10LE, .i410a),
        (AV_PIX_FMT_YUVA444P12LE, .i412a), (AV_PIX_FMT_YUVA444P16LE, .i416a), (AV_PIX_FMT_P010LE, .p010),
        (AV_PIX_FMT_P016LE, .p016), (AV_PIX_FMT_P210LE, .p210), (AV_PIX_FMT_P216LE, .p216),
        (AV_PIX_FMT_P410LE, .p410), (AV_PIX_FMT_P416LE, .p416), (AV_PIX_FMT_NV20LE, .nv20),
        (AV_PIX_FMT_GRAY8, .gray8), (AV_PIX_FMT_GRAY10LE, .gray10), (AV_PIX_FMT_GRAY12LE, .gray12),
        (AV_PIX_FMT_GRAY16LE, .gray16), (AV_PIX_FMT_YUYV422, .yuyv), (AV_PIX_FMT_UYVY422, .uyvy),
        (AV_PIX_FMT_YVYU422, .yvyu), (AV_PIX_FMT_Y210LE, .y210), (AV_PIX_FMT_GBRP, .gbrp),
        (AV_PIX_FMT_GBRAP, .gbrap), (AV_PIX_FMT_GBRP10LE, .gbrp10), (AV_PIX_FMT_GBRP12LE, .gbrp12),
        (AV_PIX_FMT_GBRP16LE, .gbrp16), (AV_PIX_FMT_BGRA, .bgra32), (AV_PIX_FMT_RGBA, .rgba32),
        (AV_PIX_FMT_ARGB, .argb32), (AV_PIX_FMT_ABGR, .abgr32), (AV_PIX_FMT_BGR0, .bgrx32),
        (AV_PIX_FMT_RGB0, .rgbx32), (AV_PIX_FMT_0RGB, .xrgb32), (AV_PIX_FMT_0BGR, .xbgr32),
        (AV_PIX_FMT_BGR24, .bgr24), (AV_PIX_FMT_RGB24, .rgb24), (AV_PIX_FMT_RGB565LE, .rgb565),
        (AV_PIX_FMT_RGB555LE, .xrgb1555), (AV_PIX_FMT_X2RGB10LE, .x2rgb10), (AV_PIX_FMT_X2BGR10LE, .x2bgr10),
        (AV_PIX_FMT_RGBA64LE, .rgba64), (AV_PIX_FMT_BAYER_RGGB8, .rggb8), (AV_PIX_FMT_BAYER_BGGR8, .bggr8),
        (AV_PIX_FMT_BAYER_GBRG8, .gbrg8), (AV_PIX_FMT_BAYER_GRBG8, .grbg8),
    ]

    /// FFmpeg's formats that are identical to ours and imply full range.
    private static let sameFullRange: [(AVPixelFormat, PixelFormat)] = [
        (AV_PIX_FMT_YUVJ420P, .i420), (AV_PIX_FMT_YUVJ422P, .i422), (AV_PIX_FMT_YUVJ444P, .i444),
        (AV_PIX_FMT_YUVJ440P, .i440), (AV_PIX_FMT_YUVJ411P, .i411),
    ]
}
