import CVitrailV4L2
import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// The rule by which a mode is chosen.
@Suite struct CameraModeTests {
    private static func format(_ name: String, _ sizes: [(Int, Int, [Int])]) -> CameraFormat {
        let fourCC = name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        return CameraFormat(
            fourCC: fourCC, handling: CameraFormat.handling(of: fourCC), description: name,
            sizes: sizes.map { width, height, rates in
                let size = VideoSize(width: width, height: height)
                return CameraFormat.Sizes(
                    smallest: size, largest: size, step: VideoSize(width: 1, height: 1),
                    rates: rates.map { Rational($0) }, isRateRange: false)
            })
    }

    /// The usual webcam: raw video is slow where it is large.
    private static let webcam = [
        format("YUYV", [(640, 480, [30, 15]), (320, 240, [30]), (1280, 720, [10]), (1920, 1080, [5])]),
        format("MJPG", [(640, 480, [30]), (320, 240, [30]), (1280, 720, [30]), (1920, 1080, [30, 60])]),
    ]

    private static func request(
        _ size: (Int, Int)?, _ rate: Int? = nil, _ format: PixelFormat? = nil, pixels: Int? = nil
    ) -> CameraRequest {
        let request = CameraRequest(
            format: format, size: size.map { VideoSize(width: $0.0, height: $0.1) },
            frameRate: rate.map { Rational($0) })
        return request.adapted(to: VideoSinkWants(maximumPixels: pixels))
    }

    @Test(arguments: [
        // What is drawn as it is, where it is fast enough.
        (request((640, 480)), "YUYV 640x480 at 30/s"), (request((320, 240), 30), "YUYV 320x240 at 30/s"),
        // Compression, where raw video is slow.
        (request((1280, 720)), "MJPG 1280x720 at 30/s"), (request((1920, 1080), 60), "MJPG 1920x1080 at 60/s"),
        (request((1280, 720), 10), "YUYV 1280x720 at 10/s"), (request((1920, 1080), 5), "YUYV 1920x1080 at 5/s"),
        // Everything, and what a small tile needs.
        (request(nil), "MJPG 1920x1080 at 30/s"), (request(nil, pixels: 300_000), "YUYV 640x480 at 30/s"),
        (request(nil, pixels: 80_000), "YUYV 320x240 at 30/s"), (request(nil, pixels: 1), "YUYV 320x240 at 30/s"),
        // The nearest one; a typed size is not made smaller for a tile.
        (request((800, 600)), "MJPG 1280x720 at 30/s"), (request((1920, 1080), pixels: 1000), "MJPG 1920x1080 at 30/s"),
        (request((4000, 3000)), "MJPG 1920x1080 at 30/s"), (request((640, 480), 15), "YUYV 640x480 at 15/s"),
        (request((640, 480), 1000), "YUYV 640x480 at 30/s"),
        // The format that was asked for.
        (request((1280, 720), 30, .yuyv), "YUYV 1280x720 at 10/s"), (request((640, 480), 30, .i420), nil),
    ]) func theNearestIsChosen(_ request: CameraRequest, _ mode: String?) {
        let chosen = CameraMode.nearest(to: request, in: Self.webcam, Set(PacketCodec.video))
        #expect(chosen?.description == mode)
    }

    @Test func withoutADecoderFramesAreNotEncoded() {
        let chosen = CameraMode.nearest(to: Self.request((1280, 720), 15), in: Self.webcam, [])
        #expect(chosen?.description == "YUYV 1280x720 at 10/s")
        #expect(CameraMode.nearest(to: CameraRequest(), in: [Self.webcam[1]], []) == nil)
    }

    @Test func ofEqualSizesTheLighterFormatIsTaken() {
        let sizes = [(640, 480, [30])]
        let formats = ["MJPG", "BGR3", "YUYV", "NV12", "H264"].map { Self.format($0, sizes) }
        for (count, name) in [(5, "NV12"), (3, "YUYV"), (2, "BGR3"), (1, "MJPG")] {
            let chosen = CameraMode.nearest(
                to: Self.request((640, 480)), in: Array(formats[..<count]), Set(PacketCodec.video))
            #expect(chosen.map { CameraFormat.name(of: $0.fourCC) } == name)
        }
    }

    @Test(arguments: [
        (request((1000, 501)), "1000x502"), (request((5000, 10)), "1920x32"), (request(nil), "1920x1080"),
        (request(nil, pixels: 480 * 270), "480x270"),
    ]) func rangesOfSizesAreUsed(_ request: CameraRequest, _ size: String) {
        let sizes = CameraFormat.Sizes(
            smallest: VideoSize(width: 48, height: 32), largest: VideoSize(width: 1920, height: 1080),
            step: VideoSize(width: 2, height: 2), rates: [Rational(60), Rational(1)], isRateRange: true)
        let fourCC = Self.webcam[0].fourCC
        let format = CameraFormat(fourCC: fourCC, handling: .drawn(.yuyv), description: "", sizes: [sizes])
        let chosen = CameraMode.nearest(to: request, in: [format], [])
        #expect(chosen.map { "\($0.size)" } == size && chosen?.frameRate == Rational(30))
    }

    @Test func formatsAreKnownByTheirNumbers() {
        for (name, handling) in [
            ("YUYV", CameraFormat.Handling.drawn(.yuyv)), ("GREY", .drawn(.gray8)), ("Y16 ", .drawn(.gray16)),
            ("BA81", .drawn(.bggr8)), ("422P", .drawn(.i422)), ("MJPG", .encoded(.motionJPEG)),
            ("H264", .encoded(.h264)), ("HM12", .converted),
        ] { #expect(Self.format(name, []).handling == handling) }
        // The same four characters, big-endian.
        let bigEndian = Self.format("Y16 ", []).fourCC | 1 << 31
        #expect(CameraFormat.handling(of: bigEndian) == .converted && CameraFormat.name(of: bigEndian) == "Y16-BE")
    }

    /// A picture in colours counts for more than the work that it takes.
    @Test(arguments: [
        (["YUYV", "GREY"], "YUYV"), (["GREY", "MJPG"], "MJPG"), (["BA81", "YUYV"], "YUYV"), (["BA81", "GREY"], "BA81"),
        (["GREY"], "GREY"),
    ]) func colorsComeFirst(_ names: [String], _ chosen: String) throws {
        let formats = names.map { Self.format($0, [(640, 480, [30])]) }
        #expect(
            CameraMode.nearest(to: CameraRequest(), in: formats, [.motionJPEG])?.description
                == "\(chosen) 640x480 at 30/s")
        if names.contains("GREY") {
            let asked = CameraMode.nearest(to: CameraRequest(format: .gray8), in: formats, [.motionJPEG])
            #expect(asked?.description == "GREY 640x480 at 30/s")
        }
    }

    /// A driver with any size up to a largest one, which is slow.
    @Test(arguments: [UInt32(4096), .max]) func ratesOfARangeAreThoseOfTheSize(_ most: UInt32) throws {
        let camera = FakeCamera("C", [FakeCamera.Format("YUYV", [])])
        let system = HookedDevices(FakeDevices(camera)) { request, argument in
            switch request {
            case vitrail_enum_framesizes:
                let entry = argument.assumingMemoryBound(to: v4l2_frmsizeenum.self)
                guard entry.pointee.index == 0 else { return EINVAL }
                entry.pointee.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
                entry.pointee.stepwise = v4l2_frmsize_stepwise(
                    min_width: 64, max_width: most, step_width: 2, min_height: 48, max_height: most, step_height: 2)
                return 0
            case vitrail_enum_frameintervals:
                let entry = argument.assumingMemoryBound(to: v4l2_frmivalenum.self)
                guard entry.pointee.index == 0 else { return EINVAL }
                entry.pointee.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
                entry.pointee.discrete = v4l2_fract(numerator: 1, denominator: entry.pointee.width > 2000 ? 5 : 60)
                return 0
            default: return nil
            }
        }
        let request = CameraRequest(size: VideoSize(width: 640, height: 480), frameRate: Rational(30))
        let device = try OpenDevice("/dev/video0", system)
        let formats = CameraFormat.all(of: device, near: request)
        #expect(CameraMode.nearest(to: request, in: formats, [])?.description == "YUYV 640x480 at 60/s")
        // The list for people has the rates of the largest size; what no frame can have is no size.
        let listed = try #require(CameraFormat.all(of: device).first?.sizes.first)
        #expect(listed.rates == [Rational(5)] && listed.largest.width == min(Int(most), PixelBuffer.maximumSide))
    }
}
