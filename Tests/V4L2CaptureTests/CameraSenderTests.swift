import CVitrailV4L2
import Glibc
import MediaIO
import TestSupport
import Testing

@testable import V4L2Capture

/// Pictures that are written to devices which no real driver can be asked to be.
@Suite(.timeLimit(.minutes(25))) struct CameraSenderTests {
    private static let size = VideoSize(width: 8, height: 6)
    private static let sizes: [(width: UInt32, height: UInt32)] = [(8, 6)]

    private func device(
        _ formats: [FakeCamera.Format] = [FakeCamera.Format("YU12", sizes)],
        _ change: (inout FakeCamera.Behavior) -> Void = { _ in }
    ) -> FakeCamera {
        var behavior = FakeCamera.Behavior()
        behavior.capabilities = UInt32(V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING)
        change(&behavior)
        return FakeCamera("Loopback", path: "/dev/video9", formats, behavior)
    }

    private func sender(_ devices: any DeviceSystem) -> CameraSender {
        CameraSender(
            to: "/dev/video9", size: Self.size, frameRate: Rational(25),
            retries: RetrySchedule(waits: [.milliseconds(20)]), system: devices)
    }

    private func samples(_ number: Int) -> [UInt8] {
        (0..<PixelFormat.i420.packedByteCount(Self.size)).map { UInt8(($0 * 7 + number * 31) % 256) }
    }

    private func picture(_ number: Int) throws -> PixelBuffer {
        try PixelBuffer(packed: samples(number), format: .i420, size: Self.size)
    }

    /// The reason why a sender waits.
    private func reason(_ sender: CameraSender) -> String {
        if case .waiting(let reason) = sender.condition { return reason }
        return "\(sender.condition)"
    }

    @Test("Every sample arrives where the driver wants it", arguments: [0, 4])
    func strides(_ extra: UInt32) throws {
        let camera = device { ($0.extraStride, $0.bufferLength) = (extra, 4096) }
        let asked = Monitor(v4l2_pix_format())
        let devices = HookedDevices(FakeDevices(camera)) { request, argument in
            guard request == vitrail_s_fmt else { return nil }
            asked.change { $0 = argument.assumingMemoryBound(to: v4l2_format.self).pointee.fmt.pix }
            return nil
        }
        let sender = sender(devices)
        for number in 0..<3 { try sender.send(try picture(number)) }
        #expect(sender.condition == .sending && sender.counts.sent == 3 && sender.counts.omitted == 0)
        let pixels = asked.withLock { $0 }
        #expect(pixels.colorspace == V4L2_COLORSPACE_REC709.rawValue)
        #expect(pixels.quantization == V4L2_QUANTIZATION_LIM_RANGE.rawValue)
        #expect(camera.written.count == 3)
        for (number, frame) in camera.written.enumerated() {
            let (samples, stride) = (samples(number), Int(8 + extra))
            var found: [UInt8] = []
            for row in 0..<6 { found += frame[(row * stride)...].prefix(8) }
            for row in 0..<6 { found += frame[(6 * stride + row * stride / 2)...].prefix(4) }
            #expect(found == samples && frame.count == stride * 9)
        }
    }

    @Test("A device without room delays nobody")
    func full() throws {
        let camera = device { $0.isSlow = true }
        let devices = FakeDevices(camera)
        do {
            let sender = sender(devices)
            for number in 0..<7 { try sender.send(try picture(number)) }
            #expect(sender.condition == .sending && sender.counts.sent == 4 && sender.counts.omitted == 3)
            #expect(sender.counts.connections == 1 && camera.written == (0..<4).map { samples($0) })
        }
        #expect(devices.inUse.descriptors == 0 && devices.inUse.mappings == 0)
    }

    @Test("A device that comes, goes and comes again is written to each time")
    func comesAndGoes() throws {
        let devices = FakeDevices()
        let sender = sender(devices)
        try sender.send(try picture(0))
        #expect(reason(sender).contains("is not there"))
        for round in 1...2 {
            let camera = device()
            devices.connect(camera)
            #expect(
                try eventually {
                    try sender.send(try picture(round))
                    return sender.condition == .sending
                })
            #expect(camera.written.allSatisfy { $0 == samples(round) } && sender.counts.connections == round)
            devices.disconnect(camera)
            try sender.send(try picture(9))
            #expect(reason(sender).contains("takes no more pictures"))
            #expect(devices.inUse.descriptors == 0 && devices.inUse.mappings == 0)
        }
    }

    @Test("What takes no pictures says why, and is asked again")
    func refusals() throws {
        let cases: [(String, (inout FakeCamera.Behavior) -> Void)] = [
            ("takes no pictures", { $0.capabilities = vitrail_cap_video_capture }),
            ("is in use by", { $0.errors[vitrail_s_fmt] = EBUSY }),
            ("takes no pictures in I420", { $0.errors[vitrail_s_fmt] = EINVAL }),
        ]
        for (words, change) in cases {
            let sender = sender(FakeDevices(device([FakeCamera.Format("YU12", Self.sizes)], change)))
            try sender.send(try picture(0))
            #expect(reason(sender).contains(words), "\(sender.condition)")
        }
        let other = sender(FakeDevices(device([FakeCamera.Format("YUYV", [(640, 480)])])))
        try other.send(try picture(0))
        #expect(reason(other).contains("keeps 640x480 in YUYV") && reason(other).contains("size=640x480"))
        let mapped = sender(
            FakeDevices(device { $0.capabilities = UInt32(V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_READWRITE) }))
        try mapped.send(try picture(0))
        guard case .failed(let reason) = mapped.condition else {
            Issue.record("\(mapped.condition)")
            return
        }
        #expect(reason.contains("no memory"))
    }

    @Test("Pictures of another size or format are refused")
    func wrongPictures() throws {
        let sender = sender(FakeDevices(device()))
        let wrong = try PixelBuffer(
            packed: [UInt8](repeating: 0, count: 8 * 6 * 4), format: .rgba32, size: Self.size)
        let error = #expect(throws: StreamError.self) { try sender.send(wrong) }
        #expect(error?.code == .unsupported && error?.description.contains("i420") == true)
    }
}
