import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// A USB camera on the kernel's driver for all of them.
@Suite(USBCamera.isThere, .serialized) struct V4L2USBTests {
    private static let name = "Test camera"
    static let small = CameraRequest(format: .yuyv, size: VideoSize(width: 320, height: 240))

    /// Runs a test with a camera that is plugged in, and known to the system.
    static func withCamera(_ test: (USBCamera, CameraDevice) throws -> Void) throws {
        let camera = USBCamera(name, serial: "A1")
        try camera.plugIn()
        defer { camera.unplug() }
        var device: CameraDevice?
        #expect(
            eventually {
                device = all().first { $0.problem == nil }
                return device != nil
            })
        try test(camera, try #require(device))
    }

    static func all() -> [CameraDevice] { CameraDevice.all().filter { $0.name.hasPrefix(name) } }

    private static func reader(
        _ device: CameraDevice, _ request: CameraRequest, isEncoded: Bool = false
    ) throws -> CameraReader {
        try CameraReader(
            device, request, .everything, ReadCancellation(), WakePipe(), isEncoded, LinuxDevices())
    }

    /// What a camera sends in a frame, different for each number.
    static func bytes(_ count: Int, _ number: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ number &* 7) }
    }

    static func check(_ frame: VideoFrame, _ sent: [UInt8]) throws {
        let buffer = try frame.pixelBuffer
        for row in 0..<buffer.size.height {
            let begin = row * buffer.size.width * 2
            let isRight = buffer.withRow(row, ofPlane: 0) { span in
                (0..<span.count).allSatisfy { span[$0] == sent[begin + $0] }
            }
            guard isRight else {
                Issue.record("row \(row)")
                return
            }
        }
    }

    // MARK: Devices

    @Test func itIsListedOnce() throws {
        try Self.withCamera { _, device in
            // The other node gives metadata.
            #expect(eventually { LinuxDevices().nodes().count { $0.serial == "A1" } == 2 })
            #expect(Self.all().count == 1)
            #expect(device.driver == "uvcvideo" && device.serial == "A1" && device.identity == "usb-1209:0001-A1")
            // The driver adds the name of the function to that of the device, which is usually the same.
            #expect(device.name == "\(Self.name): \(Self.name)" && device.bus == "usb-vhci_hcd.0-1")
            let formats = try device.formats()
            #expect(formats.map(\.name) == ["YUYV", "MJPG"])
            #expect(formats.map(\.handling) == [.drawn(.yuyv), .encoded(.motionJPEG)])
            for (format, frames) in zip(
                formats, [USBCameraDescriptors.uncompressed, USBCameraDescriptors.motionJPEG])
            {
                #expect(
                    format.sizes.map(\.largest) == frames.map { VideoSize(width: $0.width, height: $0.height) })
                #expect(format.sizes.map(\.rates) == frames.map { $0.rates.map { Rational($0) } })
            }
        }
    }

    @Test func itsControlsAreSet() throws {
        try Self.withCamera { camera, device in
            let controls = try CameraControls(path: device.path)
            let brightness = try #require(controls.all().first { $0.key == "brightness" })
            #expect(brightness.range == -64...64 && brightness.defaultValue == 0 && brightness.value == 0)
            #expect(try controls.set("brightness", to: "-20").value == -20 && camera.brightness == -20)
        }
    }

    /// `perl`, which every Debian system has, holds the camera as another viewer would.
    @Test func theProgramThatUsesItIsNamed() throws {
        try Self.withCamera { _, device in
            let holder = try DeviceHolder(device.path)
            defer { holder.end() }
            let error = try #require(throws: StreamError.self) { try Self.reader(device, Self.small) }
            #expect(error.code == .cannotOpen)
            #expect(error.description.contains("is in use by perl (process \(holder.process))"), "\(error)")
            // It is still listed with all that it has.
            #expect(try Self.all() == [device] && device.formats().count == 2)
        }
    }

    // MARK: Frames

    @Test(arguments: [false, true]) func framesAreLentAsTheyWereSent(_ exportsMemory: Bool) throws {
        try Self.withCamera { camera, device in
            var request = Self.small
            request.exportsMemory = exportsMemory
            let reader = try Self.reader(device, request)
            #expect(reader.info.size == Self.small.size && reader.info.frameRate == Rational(30))
            let tags = reader.info.attributes.colorTags
            #expect(tags.primaries == .bt709 && tags.transfer == .bt709 && tags.matrix == .bt601)
            var last = Duration.milliseconds(-1)
            for number in 0..<20 {
                let sent = Self.bytes(320 * 240 * 2, number)
                #expect(eventually { camera.send(sent) })
                let frame = try #require(try reader.next())
                if case .dmaBuffer = frame.image { #expect(exportsMemory) } else { #expect(!exportsMemory) }
                try Self.check(frame, sent)
                let time = try #require(frame.presentationTime)
                #expect(time > last)
                last = time
            }
            let report = reader.report
            #expect(report.copied == 0 && report.damaged == 0 && report.lost == 0 && report.captured == 20)
        }
    }

    /// The driver drops them, which its numbers show.
    @Test func damagedFramesAreNotShown() throws {
        try Self.withCamera { camera, device in
            let reader = try Self.reader(device, Self.small)
            let whole = Self.bytes(320 * 240 * 2, 1)
            #expect(eventually { camera.send(whole) })
            try Self.check(#require(try reader.next()), whole)
            // One with an error, one that is too short.
            #expect(eventually { camera.send(Self.bytes(320 * 240 * 2, 2), isDamaged: true) })
            #expect(eventually { camera.send(Self.bytes(5000, 3)) })
            #expect(eventually { camera.send(whole) })
            try Self.check(#require(try reader.next()), whole)
            #expect(reader.report.lost + reader.report.damaged == 2, "\(reader.report)")
        }
    }

    @Test func encodedFramesComeAsTheyWereSent() throws {
        try Self.withCamera { camera, device in
            let request = CameraRequest(size: VideoSize(width: 1280, height: 720))
            let reader = try Self.reader(device, request, isEncoded: true)
            #expect(reader.info.codec == "mjpeg" && reader.info.attributes.colorTags.range == .full)
            var sent: [[UInt8]] = []
            // Payloads have up to 16,382 bytes.
            for (number, count) in [40_000, 1, 16_382, 16_383, 300_000, 700, 32_764].enumerated() {
                sent.append(Self.bytes(count, number))
                #expect(eventually { camera.send(sent[number]) })
                let frame = try #require(try reader.next())
                guard case .encoded(let packet) = frame.image else {
                    Issue.record("The frame is not encoded.")
                    return
                }
                #expect(packet.isKeyFrame && packet.withUnsafeBytes { Array($0) } == sent[number])
            }
            #expect(reader.report.damaged == 0 && reader.report.lost == 0)
        }
    }

    @Test func compressionIsUsedWhereItIsNeeded() throws {
        try Self.withCamera { _, device in
            for (width, height, rate, mode) in [
                (320, 240, 30, "YUYV 320x240 at 30/s"), (640, 480, 10, "YUYV 640x480 at 10/s"),
                (640, 480, 30, "MJPG 640x480 at 30/s"), (1280, 720, 10, "MJPG 1280x720 at 30/s"),
            ] {
                let request = CameraRequest(
                    size: VideoSize(width: width, height: height), frameRate: Rational(rate))
                let reader = try Self.reader(device, request, isEncoded: true)
                #expect(reader.report.given.description == mode)
            }
            // Without encoded frames, there is only the rest.
            let request = CameraRequest(size: VideoSize(width: 1280, height: 720))
            #expect(try Self.reader(device, request).report.given.description == "YUYV 640x480 at 10/s")
        }
    }
}
