import MediaIO
import TestSupport
import Testing

@testable import V4L2Capture

/// Every format of a real driver that is drawn as it is, against the known colours of its test pattern.
@Suite(VividCamera.isThere, .serialized) struct V4L2FormatTests {
    private static let size = VideoSize(width: 320, height: 180)

    @Test func everyFormatHasTheColorsOfTheBars() throws {
        var tested = 0
        for camera in VividCamera.all() {
            try VividCamera.set(
                camera, ["test_pattern": "CSC Colorbar", "colorspace": "sRGB", "quantization": "Default"])
            for format in try camera.formats() {
                guard case .drawn(let pixels) = format.handling else { continue }
                try check(camera, format, pixels)
                tested += 1
            }
        }
        // Both devices count; the second one also has the formats with one memory plane for each plane.
        #expect(tested > 60)
    }

    private func check(_ camera: CameraDevice, _ format: CameraFormat, _ pixels: PixelFormat) throws {
        // One format may have two names, with planes in one memory and in several.
        var only = CameraMode(
            fourCC: format.fourCC, handling: format.handling, size: Self.size, frameRate: Rational(60))
        if format.sizes.isEmpty {
            only = CameraMode(fourCC: format.fourCC, handling: format.handling, size: Self.size, frameRate: nil)
        }
        let device = try OpenDevice(camera.path, LinuxDevices())
        let capture = try CaptureFormat(only, device)
        try VividCamera.set(camera, ["osd_text_mode": "None"])
        let buffers = try CaptureBuffers(device, capture, count: 4, exports: false)
        try buffers.start()
        var filled: CaptureBuffers.Filled?
        #expect(
            try eventually {
                filled = try buffers.take(); return filled != nil
            }, "\(format.name)")
        let index = try #require(filled).index
        #expect(buffers.isComplete(index), "\(format.name)")
        let buffer = try VideoFrame(buffers.lend(index, pixels)).pixelBuffer
        let probe = SampleProbe(buffer)
        let space = capture.attributes.colorTags.colorSpace(of: pixels, size: Self.size)
        for (bar, color) in VividCamera.bars.enumerated() {
            // The middle of a bar, where chroma is not mixed with that of its neighbours.
            let (x, y) = (Self.size.width * (2 * bar + 1) / 16, Self.size.height / 2)
            let codes = probe.codes(x, y)
            let expected = Self.codes(color, pixels, space, x, y)
            for (code, right) in zip(codes, expected) {
                #expect(
                    abs(Double(code) - right) <= Self.tolerance(pixels),
                    "\(format.name) bar \(bar): \(codes), \(expected)")
            }
        }
    }

    /// The driver computes with few bits, and its bars are up to 1.2 code values of 8 bits darker than they should be.
    private static func tolerance(_ pixels: PixelFormat) -> Double {
        1.5 * Double(1 << max(pixels.layout.depth - 8, 0))
    }

    /// The code values of a colour in sRGB.
    private static func codes(
        _ color: [Int], _ pixels: PixelFormat, _ space: ColorSpace, _ x: Int, _ y: Int
    ) -> [Double] {
        let rgb = color.map { Double($0) / 255 }
        var space = space
        // The driver's grey is the luma of BT.709, whatever its colour space.
        if pixels.layout.model == .gray { space.matrix = .bt709 }
        // It has 8 bits, also of formats with more.
        let scale = 255 * Double(1 << max(pixels.layout.depth - 8, 0))
        let ycc = YCbCrTransform.encoding(space)(SIMD3(rgb[0], rgb[1], rgb[2])) * scale
        switch pixels {
        case .rgb565: return [31, 63, 31].enumerated().map { Double(color[$0.offset] >> ($0.element == 63 ? 2 : 3)) }
        case .xrgb1555: return color.map { Double($0 >> 3) }
        default: break
        }
        switch pixels.layout.model {
        case .yCbCr: return [ycc.x, ycc.y, ycc.z]
        case .gray: return [ycc.x]
        case .rgb: return color.map { Double($0) }
        case .bayer:
            guard case .bayer(let redColumn, let redRow) = pixels.layout.packing else { return [] }
            let (isRedColumn, isRedRow) = (x % 2 == redColumn, y % 2 == redRow)
            return [Double(isRedColumn && isRedRow ? color[0] : isRedColumn || isRedRow ? color[1] : color[2])]
        }
    }
}
