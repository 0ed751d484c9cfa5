import MediaIO

/// The names of formats as their projects document them, a second time beside the library's table.
///
/// A line is a format, by its bytes or planes in memory, and its names.
enum DocumentedNames {
    static func of(_ vocabulary: PixelFormat.Vocabulary) -> [String: String] {
        let text =
            switch vocabulary {
            case .ffmpeg: ffmpeg
            case .v4l2: v4l2
            case .gstreamer: gstreamer
            case .webrtc: webrtc
            case .agora: agora
            case .zego: zego
            }
        var formats: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            for name in words.dropFirst() { formats[name] = words[0] }
        }
        return formats
    }

    /// `libavutil/pixfmt.h`, and the aliases of `libavutil/pixdesc.c`.
    private static let ffmpeg = """
        i420 yuv420p yuvj420p
        yuyv yuyv422
        rgb24 rgb24
        bgr24 bgr24
        i422 yuv422p yuvj422p
        i444 yuv444p yuvj444p
        yuv9 yuv410p
        i411 yuv411p yuvj411p
        gray8 gray gray8 y8
        uyvy uyvy422
        nv12 nv12
        nv21 nv21
        argb32 argb
        rgba32 rgba
        abgr32 abgr
        bgra32 bgra
        gray16 gray16le y16le
        i440 yuv440p yuvj440p
        i420a yuva420p
        rgb565 rgb565le
        xrgb1555 rgb555le
        i016 yuv420p16le
        i216 yuv422p16le
        i416 yuv444p16le
        i009 yuv420p9le
        i010 yuv420p10le
        i210 yuv422p10le
        i409 yuv444p9le
        i410 yuv444p10le
        i209 yuv422p9le
        gbrp gbrp
        gbrp10 gbrp10le
        gbrp16 gbrp16le
        i422a yuva422p
        i444a yuva444p
        i010a yuva420p10le
        i210a yuva422p10le
        i410a yuva444p10le
        i016a yuva420p16le
        i216a yuva422p16le
        i416a yuva444p16le
        nv16 nv16
        nv20 nv20le
        rgba64 rgba64le
        yvyu yvyu422
        gbrap gbrap
        xrgb32 0rgb
        rgbx32 rgb0
        xbgr32 0bgr
        bgrx32 bgr0
        i012 yuv420p12le
        i014 yuv420p14le
        i212 yuv422p12le
        i214 yuv422p14le
        i412 yuv444p12le
        i414 yuv444p14le
        gbrp12 gbrp12le
        bggr8 bayer_bggr8
        rggb8 bayer_rggb8
        gbrg8 bayer_gbrg8
        grbg8 bayer_grbg8
        i440p10 yuv440p10le
        i440p12 yuv440p12le
        p010 p010le
        gray12 gray12le y12le
        gray10 gray10le y10le
        p016 p016le
        nv24 nv24
        nv42 nv42
        y210 y210le
        x2rgb10 x2rgb10le
        x2bgr10 x2bgr10le
        p210 p210le
        p410 p410le
        p216 p216le
        p416 p416le
        i212a yuva422p12le
        i412a yuva444p12le
        vuya vuya
        rgba64f rgbaf16le
        vuyx vuyx
        p012 p012le
        ayuv ayuv
        """

    /// The comments of `linux/videodev2.h`, which give the order of bytes: `BA24` is `ARGB-8-8-8-8`.
    ///
    /// The oldest ones, `RGB4` and `BGR4`, may or may not have alpha in their fourth byte: RGB has it first, BGR last.
    private static let v4l2 = """
        xrgb1555 RGBO XR15
        rgb565 RGBP
        bgr24 BGR3
        rgb24 RGB3
        bgrx32 BGR4 XR24
        bgra32 AR24
        abgr32 RA24
        xbgr32 RX24
        xrgb32 RGB4 BX24
        rgba32 AB24
        rgbx32 XB24
        argb32 BA24
        gray8 GREY
        gray10 Y10
        gray12 Y12
        gray16 Y16
        yuyv YUYV
        yvyu YVYU
        uyvy UYVY
        vyuy VYUY
        ayuv AYUV
        vuya VUYA
        vuyx VUYX
        y210 Y210
        nv12 NV12 NM12
        nv21 NV21 NM21
        nv16 NV16 NM16
        nv61 NV61 NM61
        nv24 NV24
        nv42 NV42
        p010 P010
        p012 P012
        yuv9 YUV9
        i411 411P
        i420 YU12 YM12
        yv12 YV12 YM21
        i422 422P YM16
        i444 YM24
        bggr8 BA81
        gbrg8 GBRG
        grbg8 GRBG
        rggb8 RGGB
        """

    /// `gst/video/video-format.h`, and the unpack functions in `video-format.c` for the order in a word.
    ///
    /// RGB with 10 bits is named from the lowest bits on: `RGB10x2_LE` has R there. The last four names are those of
    /// `video/x-bayer`.
    private static let gstreamer = """
        i420 I420
        yv12 YV12
        yuyv YUY2
        uyvy UYVY
        ayuv AYUV
        rgbx32 RGBx
        bgrx32 BGRx
        xrgb32 xRGB
        xbgr32 xBGR
        rgba32 RGBA
        bgra32 BGRA
        argb32 ARGB
        abgr32 ABGR
        rgb24 RGB
        bgr24 BGR
        i411 Y41B
        i422 Y42B
        yvyu YVYU
        i444 Y444
        v210 v210
        nv12 NV12
        nv21 NV21
        gray8 GRAY8
        gray16 GRAY16_LE
        rgb565 RGB16
        xrgb1555 RGB15
        i420a A420
        yuv9 YUV9
        gbrp GBR
        gbrp10 GBR_10LE
        i010 I420_10LE
        i210 I422_10LE
        i410 Y444_10LE
        nv16 NV16
        nv24 NV24
        i010a A420_10LE
        i210a A422_10LE
        i410a A444_10LE
        nv61 NV61
        p010 P010_10LE
        vyuy VYUY
        gbrap GBRA
        gbrp12 GBR_12LE
        i012 I420_12LE
        i212 I422_12LE
        i412 Y444_12LE
        gray10 GRAY10_LE16
        y210 Y210
        y410 Y410
        vuya VUYA
        p016 P016_LE
        p012 P012_LE
        i416 Y444_16LE
        rgba64 RGBA64_LE
        x2bgr10 RGB10x2_LE
        x2rgb10 BGR10x2_LE
        gbrp16 GBR_16LE
        i422a A422
        i444a A444
        i412a A444_12LE
        i212a A422_12LE
        i416a A444_16LE
        i216a A422_16LE
        i016a A420_16LE
        bggr8 bggr
        gbrg8 gbrg
        grbg8 grbg
        rggb8 rggb
        """

    /// `VideoFrameBuffer::Type`, `ConvertVideoType` in `common_video/libyuv/webrtc_libyuv.cc`, and
    /// `libyuv/video_common.h`, whose words of 24 and 32 bits are little-endian: ARGB is B, G, R, A in memory.
    private static let webrtc = """
        i420 I420 IYUV YU12 kI420
        yv12 YV12 kYV12 kIYUV
        i422 I422 YU16 kI422
        i444 I444 YU24 kI444
        i411 I411
        gray8 I400
        nv21 NV21
        nv12 NV12 kNV12
        yuyv YUY2 YUYV yuvs kYUY2
        uyvy UYVY HDYC 2vuy kUYVY
        i010 I010 kI010
        i210 I210 kI210
        i410 I410 kI410
        p010 P010
        p210 P210
        i420a I420A kI420A
        bgra32 ARGB kARGB
        argb32 BGRA kBGRA
        rgba32 ABGR kABGR
        abgr32 RGBA
        rgba64 AB64
        bgr24 24BG BGR3 RGB24 kRGB24
        rgb24 raw RGB3 kBGR24
        rgb565 RGBP L565 kRGB565
        rggb8 RGGB
        bggr8 BGGR BA81
        grbg8 GRBG
        gbrg8 GBRG
        """

    /// `AgoraMediaBase.h`, and `AgoraEnumerates.h` for Objective-C; what its `CVPixelBuffer`s hold.
    private static let agora = """
        i420 I420 VIDEO_PIXEL_I420 VIDEO_CVPIXEL_I420
        i420 AgoraVideoFormatI420 AgoraVideoPixelFormatI420 AgoraVideoFormatCVPixelI420
        bgra32 BGRA VIDEO_PIXEL_BGRA VIDEO_CVPIXEL_BGRA
        bgra32 AgoraVideoFormatBGRA AgoraVideoPixelFormatBGRA AgoraVideoFormatCVPixelBGRA
        nv12 NV12 VIDEO_PIXEL_NV12 VIDEO_CVPIXEL_NV12
        nv12 AgoraVideoFormatNV12 AgoraVideoPixelFormatNV12 AgoraVideoFormatCVPixelNV12
        nv21 NV21 VIDEO_PIXEL_NV21 AgoraVideoFormatNV21
        rgba32 RGBA VIDEO_PIXEL_RGBA AgoraVideoFormatRGBA
        argb32 ARGB VIDEO_PIXEL_ARGB AgoraVideoFormatARGB
        i422 I422 VIDEO_PIXEL_I422 AgoraVideoFormatI422
        i010 I010 VIDEO_PIXEL_I010 AgoraVideoFormatI010
        p010 P010 VIDEO_CVPIXEL_P010 AgoraVideoFormatCVPixelP010
        """

    /// `ZegoExpressDefines.h`, in C++ and in Objective-C.
    private static let zego = """
        i420 I420 ZegoVideoFrameFormatI420 ZEGO_VIDEO_FRAME_FORMAT_I420
        nv12 NV12 ZegoVideoFrameFormatNV12 ZEGO_VIDEO_FRAME_FORMAT_NV12
        nv21 NV21 ZegoVideoFrameFormatNV21 ZEGO_VIDEO_FRAME_FORMAT_NV21
        bgra32 BGRA32 ZegoVideoFrameFormatBGRA32 ZEGO_VIDEO_FRAME_FORMAT_BGRA32
        rgba32 RGBA32 ZegoVideoFrameFormatRGBA32 ZEGO_VIDEO_FRAME_FORMAT_RGBA32
        argb32 ARGB32 ZegoVideoFrameFormatARGB32 ZEGO_VIDEO_FRAME_FORMAT_ARGB32
        abgr32 ABGR32 ZegoVideoFrameFormatABGR32 ZEGO_VIDEO_FRAME_FORMAT_ABGR32
        i422 I422 ZegoVideoFrameFormatI422 ZEGO_VIDEO_FRAME_FORMAT_I422
        bgr24 BGR24 ZegoVideoFrameFormatBGR24 ZEGO_VIDEO_FRAME_FORMAT_BGR24
        rgb24 RGB24 ZegoVideoFrameFormatRGB24 ZEGO_VIDEO_FRAME_FORMAT_RGB24
        """
}
