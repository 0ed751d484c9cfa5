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

    /// With the format's planes in one memory and in several, mapped and exported.
    @Test(
        .enabled(if: HeapCounter.isAvailable, "A sanitizer has an allocator of its own."),
        arguments: [(0, false), (0, true), (1, false), (1, true)])
    func framesTakeNoMemory(_ index: Int, _ exports: Bool) throws {
        var request = Self.small
        (request.format, request.exportsMemory) = (.nv12, exports)
        let reader = try VividCamera.reader(Self.camera(index), request)
        for _ in 0..<10 { _ = try reader.next() }
        #expect(try HeapCounter.count { for _ in 0..<20 { _ = try reader.next() } } == 0)
        #expect(reader.report.copied == 0)
    }

    /// From the driver's timestamp to the mailbox; printed, because a busy machine takes longer.
    @Test func framesArriveSoon() throws {
        let camera = try Self.camera()
        // By default, its timestamps are those of the end of a frame that it delivers at the beginning.
        try VividCamera.set(camera, ["timestamp_source": "Start of Exposure"])
        let scene = try CameraScene(camera.path, Self.small)
        scene.awaitFrame()
        var latencies: [Duration] = []
        while latencies.count < 60 {
            scene.awaitFrame()
            latencies.append(try #require(scene.source.report).latency)
        }
        let median = latencies.sorted()[latencies.count / 2]
        print("From the driver's timestamp to the mailbox: \(median / .microseconds(1)) µs at the median")
        #expect(median < .milliseconds(30))
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
        #expect(error.code == .cannotOpen && error.description.contains("is already in use by this program"))
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

    @Test func otherFormatsAreConvertedByLibv4l() throws {
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
            let scene = try CameraScene(camera.path, Self.small)
            scene.awaitFrame()
            scene.stream.stop()
        }
        for _ in 0..<5 { try cycle() }
        let before = (descriptors(), ProcessMemory.residentBytes)
        // One start in ten seconds, for half an hour.
        for _ in 0..<180 { try cycle() }
        #expect(descriptors() == before.0)
        #expect(ProcessMemory.residentBytes - before.1 < 4 << 20)
    }
}
