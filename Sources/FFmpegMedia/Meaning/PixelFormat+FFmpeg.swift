import CFFmpeg
import MediaIO

extension PixelFormat {
    /// FFmpeg's formats that are handed out as they are: a further one is a further row.
    private static let ffmpegFormats: [(ffmpeg: AVPixelFormat, format: PixelFormat, isFullRange: Bool)] = [
        (AV_PIX_FMT_YUV420P, .i420, false),
        (AV_PIX_FMT_YUVJ420P, .i420, true),
        (AV_PIX_FMT_NV12, .nv12, false),
    ]

    /// The format that FFmpeg's number stands for, or `nil` when it is not known here.
    init?(ffmpeg number: Int32) {
        guard let row = Self.ffmpegFormats.first(where: { $0.ffmpeg.rawValue == number }) else { return nil }
        self = row.format
    }

    /// Whether FFmpeg's number also says that all code values are used.
    static func isFullRange(ffmpeg number: Int32) -> Bool {
        ffmpegFormats.contains { $0.ffmpeg.rawValue == number && $0.isFullRange }
    }

    /// Says that a format is not known, and how to make a file that is.
    static func unsupported(ffmpeg number: Int32, _ location: MediaLocation) -> StreamError {
        let name = av_get_pix_fmt_name(AVPixelFormat(number)).map { String(cString: $0) } ?? "number \(number)"
        return StreamError(
            .unsupported,
            "\(location) has the pixel format \(name), which cannot be shown yet; make a copy that can: ffmpeg -i INPUT -pix_fmt yuv420p OUTPUT.mp4"
        )
    }
}
