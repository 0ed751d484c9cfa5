/// The names of a format in other projects; several names are separated by spaces.
struct PixelFormatNamesRow {
    let ffmpeg: String
    let v4l2: String
    let gstreamer: String
    let webrtc: String

    init(_ ffmpeg: String = "", v4l2: String = "", gstreamer: String = "", webrtc: String = "") {
        (self.ffmpeg, self.v4l2, self.gstreamer, self.webrtc) = (ffmpeg, v4l2, gstreamer, webrtc)
    }
}

extension PixelFormat {
    private typealias Row = PixelFormatNamesRow

    /// Compared with FFmpeg 5.1 to 8.0, Linux 6.1 to 6.12, GStreamer 1.22 to 1.28 and libyuv.
    ///
    /// Similar but different formats are omitted: in `xv30le`, `AR30` and `BGR10A2_LE` the use of two bits for alpha
    /// differs from ``y410``, ``x2rgb10`` and the like; V4L2's `NV20` has no padding bits.
    ///
    /// The enumerators of WebRTC's `VideoType` mean what its `ConvertVideoType` hands to libyuv: there `kIYUV` is Y, V,
    /// U like `kYV12`, although the four characters `IYUV` are Y, U, V, and `kBGR24` is libyuv's `raw`.
    var namesRow: PixelFormatNamesRow {
        switch self {
        case .i420: Row("yuv420p yuvj420p", v4l2: "YU12 YM12", gstreamer: "I420", webrtc: "I420 kI420 IYUV YU12")
        case .yv12: Row(v4l2: "YV12 YM21", gstreamer: "YV12", webrtc: "YV12 kYV12 kIYUV")
        case .i422: Row("yuv422p yuvj422p", v4l2: "422P YM16", gstreamer: "Y42B", webrtc: "I422 kI422 YU16")
        case .i444: Row("yuv444p yuvj444p", v4l2: "YM24", gstreamer: "Y444", webrtc: "I444 kI444 YU24")
        case .i440: Row("yuv440p yuvj440p")
        case .i411: Row("yuv411p yuvj411p", v4l2: "411P", gstreamer: "Y41B", webrtc: "I411")
        case .yuv9: Row("yuv410p", v4l2: "YUV9", gstreamer: "YUV9")
        case .i420a: Row("yuva420p", gstreamer: "A420", webrtc: "I420A kI420A")
        case .i422a: Row("yuva422p", gstreamer: "A422")
        case .i444a: Row("yuva444p", gstreamer: "A444")
        case .nv12: Row("nv12", v4l2: "NV12 NM12", gstreamer: "NV12", webrtc: "NV12 kNV12")
        case .nv21: Row("nv21", v4l2: "NV21 NM21", gstreamer: "NV21", webrtc: "NV21")
        case .nv16: Row("nv16", v4l2: "NV16 NM16", gstreamer: "NV16")
        case .nv61: Row(v4l2: "NV61 NM61", gstreamer: "NV61")
        case .nv24: Row("nv24", v4l2: "NV24", gstreamer: "NV24")
        case .nv42: Row("nv42", v4l2: "NV42")
        case .i009: Row("yuv420p9le")
        case .i010: Row("yuv420p10le", gstreamer: "I420_10LE", webrtc: "I010 kI010")
        case .i012: Row("yuv420p12le", gstreamer: "I420_12LE")
        case .i014: Row("yuv420p14le")
        case .i016: Row("yuv420p16le")
        case .i209: Row("yuv422p9le")
        case .i210: Row("yuv422p10le", gstreamer: "I422_10LE", webrtc: "I210 kI210")
        case .i212: Row("yuv422p12le", gstreamer: "I422_12LE")
        case .i214: Row("yuv422p14le")
        case .i216: Row("yuv422p16le")
        case .i409: Row("yuv444p9le")
        case .i410: Row("yuv444p10le", gstreamer: "Y444_10LE", webrtc: "I410 kI410")
        case .i412: Row("yuv444p12le", gstreamer: "Y444_12LE")
        case .i414: Row("yuv444p14le")
        case .i416: Row("yuv444p16le", gstreamer: "Y444_16LE")
        case .i440p10: Row("yuv440p10le")
        case .i440p12: Row("yuv440p12le")
        case .i010a: Row("yuva420p10le", gstreamer: "A420_10LE")
        case .i016a: Row("yuva420p16le", gstreamer: "A420_16LE")
        case .i210a: Row("yuva422p10le", gstreamer: "A422_10LE")
        case .i212a: Row("yuva422p12le", gstreamer: "A422_12LE")
        case .i216a: Row("yuva422p16le", gstreamer: "A422_16LE")
        case .i410a: Row("yuva444p10le", gstreamer: "A444_10LE")
        case .i412a: Row("yuva444p12le", gstreamer: "A444_12LE")
        case .i416a: Row("yuva444p16le", gstreamer: "A444_16LE")
        case .p010: Row("p010le", v4l2: "P010", gstreamer: "P010_10LE", webrtc: "P010")
        case .p012: Row("p012le", v4l2: "P012", gstreamer: "P012_LE")
        case .p016: Row("p016le", gstreamer: "P016_LE")
        case .p210: Row("p210le", webrtc: "P210")
        case .p216: Row("p216le")
        case .p410: Row("p410le")
        case .p416: Row("p416le")
        case .nv20: Row("nv20le")
        case .gray8: Row("gray gray8 y8", v4l2: "GREY", gstreamer: "GRAY8", webrtc: "I400")
        case .gray10: Row("gray10le y10le", v4l2: "Y10", gstreamer: "GRAY10_LE16")
        case .gray12: Row("gray12le y12le", v4l2: "Y12")
        case .gray16: Row("gray16le y16le", v4l2: "Y16", gstreamer: "GRAY16_LE")
        case .yuyv: Row("yuyv422", v4l2: "YUYV", gstreamer: "YUY2", webrtc: "YUY2 kYUY2 YUYV yuvs")
        case .uyvy: Row("uyvy422", v4l2: "UYVY", gstreamer: "UYVY", webrtc: "UYVY kUYVY HDYC 2vuy")
        case .yvyu: Row("yvyu422", v4l2: "YVYU", gstreamer: "YVYU")
        case .vyuy: Row(v4l2: "VYUY", gstreamer: "VYUY")
        case .ayuv: Row("ayuv", v4l2: "AYUV", gstreamer: "AYUV")
        case .vuya: Row("vuya", v4l2: "VUYA", gstreamer: "VUYA")
        case .vuyx: Row("vuyx", v4l2: "VUYX")
        case .y210: Row("y210le", v4l2: "Y210", gstreamer: "Y210")
        case .y410: Row(gstreamer: "Y410")
        case .v210: Row(gstreamer: "v210")
        case .gbrp: Row("gbrp", gstreamer: "GBR")
        case .gbrap: Row("gbrap", gstreamer: "GBRA")
        case .gbrp10: Row("gbrp10le", gstreamer: "GBR_10LE")
        case .gbrp12: Row("gbrp12le", gstreamer: "GBR_12LE")
        case .gbrp16: Row("gbrp16le", gstreamer: "GBR_16LE")
        case .bgra32: Row("bgra", v4l2: "AR24", gstreamer: "BGRA", webrtc: "ARGB kARGB")
        case .rgba32: Row("rgba", v4l2: "AB24", gstreamer: "RGBA", webrtc: "ABGR kABGR")
        case .argb32: Row("argb", v4l2: "BA24", gstreamer: "ARGB", webrtc: "BGRA kBGRA")
        case .abgr32: Row("abgr", v4l2: "RA24", gstreamer: "ABGR", webrtc: "RGBA")
        case .bgrx32: Row("bgr0", v4l2: "XR24 BGR4", gstreamer: "BGRx")
        case .rgbx32: Row("rgb0", v4l2: "XB24", gstreamer: "RGBx")
        case .xrgb32: Row("0rgb", v4l2: "BX24 RGB4", gstreamer: "xRGB")
        case .xbgr32: Row("0bgr", v4l2: "RX24", gstreamer: "xBGR")
        case .bgr24: Row("bgr24", v4l2: "BGR3", gstreamer: "BGR", webrtc: "RGB24 kRGB24 24BG BGR3")
        case .rgb24: Row("rgb24", v4l2: "RGB3", gstreamer: "RGB", webrtc: "raw kBGR24 RGB3")
        case .rgb565: Row("rgb565le", v4l2: "RGBP", gstreamer: "RGB16", webrtc: "RGBP kRGB565 L565")
        case .xrgb1555: Row("rgb555le", v4l2: "XR15 RGBO", gstreamer: "RGB15")
        case .x2rgb10: Row("x2rgb10le", gstreamer: "BGR10x2_LE")
        case .x2bgr10: Row("x2bgr10le", gstreamer: "RGB10x2_LE")
        case .rgba64: Row("rgba64le", gstreamer: "RGBA64_LE", webrtc: "AB64")
        case .rgba64f: Row("rgbaf16le")
        case .rggb8: Row("bayer_rggb8", v4l2: "RGGB", gstreamer: "rggb", webrtc: "RGGB")
        case .bggr8: Row("bayer_bggr8", v4l2: "BA81", gstreamer: "bggr", webrtc: "BGGR BA81")
        case .gbrg8: Row("bayer_gbrg8", v4l2: "GBRG", gstreamer: "gbrg", webrtc: "GBRG")
        case .grbg8: Row("bayer_grbg8", v4l2: "GRBG", gstreamer: "grbg", webrtc: "GRBG")
        }
    }

    /// The enumerators of C++ and of Objective-C, in SDK 3 and 4, and those for a `CVPixelBuffer`.
    var agoraNames: String {
        switch self {
        case .i420:
            "I420 VIDEO_PIXEL_I420 AgoraVideoFormatI420 AgoraVideoPixelFormatI420 VIDEO_CVPIXEL_I420 "
                + "AgoraVideoFormatCVPixelI420"
        case .nv12:
            "NV12 VIDEO_PIXEL_NV12 AgoraVideoFormatNV12 AgoraVideoPixelFormatNV12 VIDEO_CVPIXEL_NV12 "
                + "AgoraVideoFormatCVPixelNV12"
        case .bgra32:
            "BGRA VIDEO_PIXEL_BGRA AgoraVideoFormatBGRA AgoraVideoPixelFormatBGRA VIDEO_CVPIXEL_BGRA "
                + "AgoraVideoFormatCVPixelBGRA"
        case .nv21: "NV21 VIDEO_PIXEL_NV21 AgoraVideoFormatNV21"
        case .rgba32: "RGBA VIDEO_PIXEL_RGBA AgoraVideoFormatRGBA"
        case .argb32: "ARGB VIDEO_PIXEL_ARGB AgoraVideoFormatARGB"
        case .i422: "I422 VIDEO_PIXEL_I422 AgoraVideoFormatI422"
        case .i010: "I010 VIDEO_PIXEL_I010 AgoraVideoFormatI010"
        case .p010: "P010 VIDEO_CVPIXEL_P010 AgoraVideoFormatCVPixelP010"
        default: ""
        }
    }

    /// The suffix of `ZegoVideoFrameFormat` in Objective-C, and of `ZEGO_VIDEO_FRAME_FORMAT_` in C++.
    var zegoName: String? {
        switch self {
        case .i420: "I420"
        case .nv12: "NV12"
        case .nv21: "NV21"
        case .bgra32: "BGRA32"
        case .rgba32: "RGBA32"
        case .argb32: "ARGB32"
        case .abgr32: "ABGR32"
        case .i422: "I422"
        case .bgr24: "BGR24"
        case .rgb24: "RGB24"
        default: nil
        }
    }
}
