import CVideoDev2
import CVitrailV4L2
import Glibc
import MediaIO
import TestSupport
import Testing

@testable import V4L2Capture

/// Pictures that are written to a real driver, which shows them to its own camera by a cable from its HDMI output to its
/// HDMI input.
@Suite(VividCamera.isThere, .serialized) struct V4L2OutputTests {
    private static let size = VideoSize(width: 1280, height: 720)

    /// The output, and the camera of the same device.
    private func ends() throws -> (output: String, camera: CameraDevice) {
        for node in VividCamera.nodes {
            let device = try OpenDevice(node.path, LinuxDevices())
            guard device.isOutput, let camera = VividCamera.all().first(where: { $0.bus == device.bus }) else {
                continue
            }
            return (node.path, camera)
        }
        throw StreamError(.cannotOpen, "No vivid device has an output.")
    }

    private func picture(_ number: Int) throws -> PixelBuffer {
        let bytes = (0..<PixelFormat.i420.packedByteCount(Self.size)).map { 16 + UInt8(($0 * 7 + number * 31) % 220) }
        return try PixelBuffer(packed: bytes, format: .i420, size: Self.size)
    }

    @Test func picturesArriveToTheLastCodeValue() throws {
        let (output, camera) = try ends()
        var hdmi: Int32 = 1
        let error = try OpenDevice(output, LinuxDevices()).call(vitrail_s_output, &hdmi)
        try #require(error == 0)
        try VividCamera.choose(2, of: camera)
        try VividCamera.set(camera, ["loop_video": "1"])
        defer { try? VividCamera.set(camera, ["loop_video": "0"]) }
        let sender = CameraSender(to: output, size: Self.size, frameRate: Rational(60))
        let sent = try picture(0)
        try sender.send(sent)
        #expect(sender.condition == .sending, "\(sender.condition)")
        let reader = try VividCamera.reader(
            camera, CameraRequest(format: .i420, size: Self.size, frameRate: Rational(60)))
        let isRight = try eventually {
            try sender.send(sent)
            let frame = try #require(try reader.next()).pixelBuffer
            return (0..<3).allSatisfy { plane in
                (0..<(plane == 0 ? 720 : 360)).allSatisfy { row in
                    frame.withRow(row, ofPlane: plane) { one in
                        sent.withRow(row, ofPlane: plane) { other in
                            one.withUnsafeBytes { one in other.withUnsafeBytes { one.elementsEqual($0) } }
                        }
                    }
                }
            }
        }
        #expect(isRight && sender.counts.sent > 1)
    }
}
