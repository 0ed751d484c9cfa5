import CVitrailV4L2
import Glibc
import MediaIO
import TestSupport
import Testing

@testable import V4L2Capture

/// Capturing from a real driver, and its failures.
@Suite(VividCamera.isThere, .serialized) struct V4L2StreamTests {
    private static let small = CameraRequest(
        format: .yuyv, size: VideoSize(width: 320, height: 180), frameRate: Rational(30))

    private static func camera(_ index: Int = 0) throws -> CameraDevice {
        let all = VividCamera.all()
        return try #require(all.count > index ? all[index] : nil)
    }

    @Test func framesAreLentInOrder() throws {
        let reader = try VividCamera.reader(Self.camera(), Self.small)
        #expect(reader.info.frameRate == Rational(30) && reader.info.size == Self.small.size)
        var last = Duration.milliseconds(-1)
        for _ in 0..<30 {
            let frame = try #require(try reader.next())
            guard case .planes = frame.image else { return #expect(Bool(false)) }
            let time = try #require(frame.presentationTime)
            #expect(time > last)
            last = time
        }
        #expect(reader.report.copied == 0 && reader.report.damaged == 0)
    }

    @Test func exportedMemoryHasTheSamePixels() throws {
        for index in 0..<2 {
            var request = Self.small
            (request.format, request.exportsMemory) = (.nv12, true)
            try VividCamera.set(Self.camera(index), ["test_pattern": "100% White"])
            let reader = try VividCamera.reader(Self.camera(index), request)
            for _ in 0..<10 {
                let frame = try #require(try reader.next())
                guard case .dmaBuffer(let image) = frame.image else { return #expect(Bool(false), "not exported") }
                #expect(image.format == .nv12 && image.planes.count == 2)
                let luma = try frame.pixelBuffer.withRow(90, ofPlane: 0) { $0[160] }
                #expect(abs(Int(luma) - 235) <= 1)
            }
            #expect(reader.report.copied == 0)
            try VividCamera.set(Self.camera(index), ["test_pattern": "CSC Colorbar"])
        }
    }

    @Test func lostFramesAreCounted() throws {
        let camera = try Self.camera()
        let reader = try VividCamera.reader(camera, Self.small)
        try VividCamera.set(camera, ["percentage_of_dropped_buffers": "50"])
        for _ in 0..<20 { _ = try reader.next() }
        try VividCamera.set(camera, ["percentage_of_dropped_buffers": "0"])
        #expect(reader.report.lost > 0)
    }

    @Test func damagedFramesAreSkipped() throws {
        let camera = try Self.camera()
        let reader = try VividCamera.reader(camera, Self.small)
        _ = try reader.next()
        for _ in 0..<3 {
            try VividCamera.set(camera, ["inject_v4l2_buf_flag_error": "1"])
            for _ in 0..<5 { _ = try reader.next() }
        }
        #expect(reader.corruptCount == 3)
    }

    @Test func aDeviceInUseIsBusy() throws {
        let camera = try Self.camera()
        let reader = try VividCamera.reader(camera, Self.small)
        _ = try reader.next()
        let error = try #require(throws: StreamError.self) { try VividCamera.reader(camera, Self.small) }
        #expect(error.code == .cannotOpen && error.description.contains("is in use by another program"))
        // Controls and the list are open to everybody.
        #expect(CameraDevice.all().contains { $0.path == camera.path && $0.problem == nil })
        _ = try reader.next()
    }

    @Test(arguments: ["inject_vidioc_reqbufs_error", "inject_vidioc_streamon_error", "inject_vidioc_qbuf_error"])
    func failuresAtTheStartAreErrors(_ control: String) throws {
        let camera = try Self.camera()
        try VividCamera.set(camera, [control: "1"])
        #expect(throws: StreamError.self) { try VividCamera.reader(camera, Self.small) }
        _ = try #require(try VividCamera.reader(camera, Self.small).next())
    }

    @Test func controlsAreReadAndSet() throws {
        let camera = try Self.camera()
        let controls = try CameraControls(path: camera.path)
        let all = controls.all()
        let brightness = try #require(all.first { $0.key == "brightness" })
        #expect(brightness.range == 0...255 && brightness.defaultValue == 128 && brightness.kind == .number)
        #expect(try controls.set("brightness", to: "200").value == 200)
        #expect(try controls.set("brightness", to: "default").value == 128)
        #expect(try controls.set("horizontal_flip", to: "on").valueText == "on")
        #expect(try controls.set("horizontal_flip", to: "off").value == 0)
        #expect(try controls.set("integer_menu", to: "13").value == 6)
        #expect(try controls.set("integer_menu", to: "default").value == 4)
        #expect(try controls.set("bitmask", to: "0x400000").value == 0x40_0000)
        for (key, value, words) in [
            ("brightness", "256", "use 0 to 255"), ("brightness", "x", "not a value"),
            ("flip", "on", "horizontal_flip"),
            ("nothing", "1", "has no control “nothing”"), ("menu", "Item 2", "Menu Item 1 (1)"),
            ("read_only_integer_32_bits", "1", "can only be read"),
        ] {
            let error = try #require(throws: StreamError.self) { try controls.set(key, to: value) }
            #expect(error.code == .unsupported && error.description.contains(words), "\(error)")
        }
    }

    @Test func formatsOfNobodyAreConvertedByLibv4l() throws {
        let camera = try Self.camera()
        try VividCamera.set(camera, ["test_pattern": "CSC Colorbar", "osd_text_mode": "None"])
        let device = try OpenDevice(camera.path, LinuxDevices())
        let format = try #require(try camera.formats().first { $0.name == "HSV3" })
        #expect(format.handling == .converted)
        let mode = CameraMode(
            fourCC: format.fourCC, handling: .converted, size: VideoSize(width: 320, height: 180), frameRate: nil)
        let capture = try CaptureFormat(mode, device)
        let converter = try LegacyConverter(capture, device)
        let buffers = try CaptureBuffers(device, capture, count: 4, exports: false)
        try buffers.start()
        var filled: CaptureBuffers.Filled?
        #expect(
            try eventually {
                filled = try buffers.take(); return filled != nil
            })
        let probe = SampleProbe(try converter.convert(buffers.packet(try #require(filled).index)))
        for (bar, color) in VividCamera.bars.enumerated() {
            // The driver's hue has 180 values, and its saturation and value have 8 bits.
            for (code, right) in zip(probe.codes(20 + 40 * bar, 90), color) {
                #expect(abs(code - right) <= 6, "\(bar): \(probe.codes(20 + 40 * bar, 90)), \(color)")
            }
        }
    }

    @Test func startAndStopLeakNothing() throws {
        let camera = try Self.camera()
        func descriptors() -> Int {
            (0..<512).count { fcntl($0, F_GETFD) >= 0 }
        }
        func cycle() throws {
            let mailbox = FrameMailbox()
            let stream = VideoStream(
                source: Camera(CameraSelector(camera.path), request: Self.small), sinks: [mailbox])
            try stream.initialize()
            try stream.start()
            #expect(eventually { mailbox.hasFrame })
            stream.stop()
            stream.dispose()
        }
        for _ in 0..<5 { try cycle() }
        let before = (descriptors(), Self.residentPages())
        // One start in ten seconds, for half an hour.
        for _ in 0..<180 { try cycle() }
        #expect(descriptors() == before.0)
        // Less than 4 MiB more.
        #expect(Self.residentPages() - before.1 < 1024)
    }

    private static func residentPages() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var (total, resident) = (0, 0)
        return withUnsafeMutablePointer(to: &total) { total in
            withUnsafeMutablePointer(to: &resident) { resident in
                withVaList([total, resident]) { _ = vfscanf(file, "%ld %ld", $0) }
                return resident.pointee
            }
        }
    }
}
