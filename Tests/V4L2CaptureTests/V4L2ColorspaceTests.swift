import Glibc
import MediaIO
import TestSupport
import Testing

@testable import V4L2Capture

/// What a real driver says of its colours, in every combination, against the colours that it then gives.
@Suite(VividCamera.isThere, .serialized) struct V4L2ColorspaceTests {
    private static let size = VideoSize(width: 320, height: 180)
    private static let spaces = [
        "SMPTE 170M", "Rec. 709", "sRGB", "opRGB", "BT.2020", "DCI-P3", "SMPTE 240M", "470 System M", "470 System BG",
    ]
    private static let encodings = [
        "Default", "ITU-R 601", "Rec. 709", "xvYCC 601", "xvYCC 709", "BT.2020", "BT.2020 Constant Luminance",
        "SMPTE 240M",
    ]
    private static let ranges = ["Default", "Full Range", "Limited Range"]
    private static let transfers = ["Rec. 709", "sRGB", "opRGB", "SMPTE 240M", "None", "DCI-P3", "SMPTE 2084"]

    @Test func everyCombinationIsUnderstood() throws {
        let camera = try #require(VividCamera.all().first)
        try VividCamera.set(camera, ["test_pattern": "CSC Colorbar"])
        defer {
            try? VividCamera.set(
                camera,
                [
                    "colorspace": "sRGB", "y_cbcr_encoding": "Default", "quantization": "Default",
                    "transfer_function": "Default",
                ])
        }
        for space in Self.spaces {
            for encoding in Self.encodings {
                for range in Self.ranges { try check(camera, space, encoding, range, "Default") }
            }
        }
        for space in Self.spaces {
            for transfer in Self.transfers { try check(camera, space, "Default", "Default", transfer) }
        }
    }

    private func check(
        _ camera: CameraDevice, _ space: String, _ encoding: String, _ range: String, _ transfer: String
    ) throws {
        try VividCamera.set(
            camera,
            ["colorspace": space, "y_cbcr_encoding": encoding, "quantization": range, "transfer_function": transfer])
        let frame = try VividCamera.frame(
            camera, CameraRequest(format: .nv24, size: Self.size, frameRate: Rational(60)))
        let said = frame.attributes.colorTags
        let name = "\(space), \(encoding), \(range), \(transfer)"
        // What has no name here is missing, and not taken for something else.
        #expect((said.primaries == nil) == (space == "470 System M"), "\(name)")
        // Constant luminance is not computed from R', G' and B' alone.
        guard encoding != "BT.2020 Constant Luminance", let primaries = said.primaries else { return }
        let encode = YCbCrTransform.encoding(frame.colorSpace)
        let probe = SampleProbe(try frame.pixelBuffer)
        for (bar, color) in VividCamera.bars.enumerated() {
            let codes = probe.codes(Self.size.width * (2 * bar + 1) / 16, 90)
            let rgb = Self.expected(color, primaries, transfer == "Default" ? Self.usual(space) : transfer)
            let right = encode(SIMD3(rgb[0], rgb[1], rgb[2])) * 255
            for component in 0..<3 {
                // The driver computes with few bits.
                let error = abs(Double(codes[component]) - right[component])
                #expect(error <= 2, "\(name), bar \(bar), \(component): \(codes), \(right)")
            }
        }
    }

    /// The kernel's documentation, “Defining Colorspaces”.
    private static func usual(_ space: String) -> String {
        switch space {
        case "sRGB": "sRGB"
        case "opRGB": "opRGB"
        case "DCI-P3": "DCI-P3"
        case "SMPTE 240M": "SMPTE 240M"
        default: "Rec. 709"
        }
    }

    /// R', G' and B' of a colour in sRGB in other primaries and with another transfer function, 0…1.
    private static func expected(_ color: [Int], _ primaries: ColorSpace.Primaries, _ transfer: String) -> [Double] {
        let light = color.map { code in
            let value = Double(code) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return PrimariesReference.solve(PrimariesReference.rowsToBT709(primaries), light).map { component in
            // Narrower primaries do not contain all of the colours.
            let light = max(component, 0)
            return switch transfer {
            case "sRGB": light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            case "opRGB": pow(light, 256.0 / 563)
            case "SMPTE 240M": light < 0.0228 ? 4 * light : 1.1115 * pow(light, 0.45) - 0.1115
            case "None": light
            case "DCI-P3": pow(light, 1 / 2.6)
            // 1 is 100 cd/m² of the 10,000 of ST 2084.
            case "SMPTE 2084": ColorReference.pqCode(light * 100)
            default: light < 0.018 ? 4.5 * light : 1.099 * pow(light, 0.45) - 0.099
            }
        }
    }
}
