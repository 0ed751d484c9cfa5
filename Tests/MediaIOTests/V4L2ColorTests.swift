import CVideoDev2
import MediaIO
import Testing

/// Colours of cameras, against the kernel's own header.
struct V4L2ColorTests {
    /// Every combination of the numbers that the header knows and of a few that it does not.
    @Test(arguments: [false, true]) func defaultsAreTheKernels(_ isRGB: Bool) {
        for colorspace: UInt32 in 0...20 {
            let space = colorspace == 0 ? vitrail_v4l2_colorspace(0, 0) : colorspace
            for encoding: UInt32 in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 128, 129] {
                for quantization: UInt32 in 0...3 {
                    for transfer: UInt32 in 0...9 {
                        let said = V4L2Color(
                            colorspace: colorspace, encoding: encoding, quantization: quantization,
                            transferFunction: transfer)
                        let wanted = V4L2Color(
                            colorspace: space, encoding: encoding == 0 ? vitrail_v4l2_encoding(space) : encoding,
                            quantization: quantization == 0
                                ? vitrail_v4l2_quantization(isRGB ? 1 : 0, space, encoding) : quantization,
                            transferFunction: transfer == 0 ? vitrail_v4l2_transfer(space) : transfer)
                        #expect(said.resolved(isRGB: isRGB) == wanted)
                        #expect(ColorTags(v4l2: said, isRGB: isRGB) == ColorTags(v4l2: wanted, isRGB: isRGB))
                    }
                }
            }
        }
    }

    @Test(
        arguments: [
            (V4L2_YCBCR_ENC_601, .bt601), (V4L2_YCBCR_ENC_709, .bt709), (V4L2_YCBCR_ENC_XV601, .bt601),
            (V4L2_YCBCR_ENC_XV709, .bt709), (V4L2_YCBCR_ENC_SYCC, .bt601), (V4L2_YCBCR_ENC_BT2020, .bt2020),
            (V4L2_YCBCR_ENC_BT2020_CONST_LUM, .bt2020), (V4L2_YCBCR_ENC_SMPTE240M, .smpte240m),
            (v4l2_ycbcr_encoding(9), nil),
        ] as [(v4l2_ycbcr_encoding, ColorSpace.Matrix?)]) func matrices(
            _ encoding: v4l2_ycbcr_encoding, _ matrix: ColorSpace.Matrix?
        )
    {
        let color = V4L2Color(colorspace: V4L2_COLORSPACE_SRGB.rawValue, encoding: encoding.rawValue)
        #expect(ColorTags(v4l2: color, isRGB: false).matrix == matrix)
        #expect(ColorTags(v4l2: color, isRGB: true).matrix == nil)
    }

    @Test(
        arguments: [
            (V4L2_COLORSPACE_DEFAULT, .bt709), (V4L2_COLORSPACE_SMPTE170M, .bt601Lines525),
            (V4L2_COLORSPACE_SMPTE240M, .bt601Lines525), (V4L2_COLORSPACE_REC709, .bt709),
            (V4L2_COLORSPACE_BT878, .bt601Lines525), (V4L2_COLORSPACE_470_SYSTEM_M, nil),
            (V4L2_COLORSPACE_470_SYSTEM_BG, .bt601Lines625), (V4L2_COLORSPACE_JPEG, .bt709),
            (V4L2_COLORSPACE_SRGB, .bt709), (V4L2_COLORSPACE_OPRGB, .adobe), (V4L2_COLORSPACE_BT2020, .bt2020),
            (V4L2_COLORSPACE_RAW, nil), (V4L2_COLORSPACE_DCI_P3, .dciP3), (v4l2_colorspace(13), nil),
        ] as [(v4l2_colorspace, ColorSpace.Primaries?)]) func primaries(
            _ colorspace: v4l2_colorspace, _ primaries: ColorSpace.Primaries?
        )
    {
        #expect(ColorTags(v4l2: V4L2Color(colorspace: colorspace.rawValue), isRGB: false).primaries == primaries)
    }

    @Test(
        arguments: [
            (V4L2_XFER_FUNC_709, .bt709), (V4L2_XFER_FUNC_SRGB, .sRGB), (V4L2_XFER_FUNC_OPRGB, .gamma22),
            (V4L2_XFER_FUNC_SMPTE240M, .bt709), (V4L2_XFER_FUNC_NONE, .linear), (V4L2_XFER_FUNC_DCI_P3, nil),
            (V4L2_XFER_FUNC_SMPTE2084, .pq), (v4l2_xfer_func(8), nil),
        ] as [(v4l2_xfer_func, ColorSpace.Transfer?)]) func transfers(
            _ function: v4l2_xfer_func, _ transfer: ColorSpace.Transfer?
        )
    {
        let color = V4L2Color(transferFunction: function.rawValue)
        #expect(ColorTags(v4l2: color, isRGB: false).transfer == transfer)
    }

    @Test func ranges() {
        let full = V4L2Color(quantization: V4L2_QUANTIZATION_FULL_RANGE.rawValue)
        let limited = V4L2Color(quantization: V4L2_QUANTIZATION_LIM_RANGE.rawValue)
        for isRGB in [false, true] {
            #expect(ColorTags(v4l2: full, isRGB: isRGB).range == .full)
            #expect(ColorTags(v4l2: limited, isRGB: isRGB).range == .limited)
        }
    }

    /// What most webcams say of YUYV, whatever their size, and of Motion JPEG.
    @Test(arguments: [VideoSize(width: 640, height: 480), VideoSize(width: 1920, height: 1080)])
    func usualWebcam(_ size: VideoSize) {
        let said = V4L2Color(colorspace: V4L2_COLORSPACE_SRGB.rawValue)
        let space = ColorTags(v4l2: said, isRGB: false).colorSpace(of: .yuyv, size: size)
        #expect(space == ColorSpace(matrix: .bt601, range: .limited, primaries: .bt709, transfer: .sRGB))
        #expect(ColorTags(v4l2: V4L2Color(), isRGB: false).colorSpace(of: .yuyv, size: size) == space)
        let jpeg = V4L2Color(colorspace: V4L2_COLORSPACE_JPEG.rawValue)
        let full = ColorTags(v4l2: jpeg, isRGB: false).colorSpace(of: .i422, size: size)
        #expect(full == ColorSpace(matrix: .bt601, range: .full, primaries: .bt709, transfer: .sRGB))
        let rgb = ColorTags(v4l2: said, isRGB: true).colorSpace(of: .bgr24, size: size)
        #expect(rgb == ColorSpace(matrix: .rgb, range: .full, primaries: .bt709, transfer: .sRGB))
    }
}
