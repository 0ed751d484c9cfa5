import CVitrailV4L2
import MediaIO
import Testing

@testable import V4L2Capture

/// The signal of a real driver, which delivers frames of noise without one.
@Suite(VividCamera.isThere, .serialized) struct V4L2SignalTests {
    private static let request = CameraRequest(
        format: .yuyv, size: VideoSize(width: 320, height: 180), frameRate: Rational(15))

    /// The inputs of the last camera: S-Video, whose status says it, and HDMI, whose timings say it, too.
    @Test(arguments: [
        (1, "standard_signal_mode", "No Signal", "gets no signal at “S-Video"),
        (2, "dv_timings_signal_mode", "No Signal", "gets no signal at “HDMI"),
        (2, "dv_timings_signal_mode", "No Lock", "cannot lock on to the signal at “HDMI"),
    ]) func aLostSignalIsSaid(_ input: Int32, _ control: String, _ mode: String, _ words: String) throws {
        let camera = try #require(VividCamera.all().last)
        try VividCamera.choose(input, of: camera)
        defer { try? VividCamera.choose(0, of: camera) }
        let scene = try CameraScene(camera.path, Self.request)
        scene.awaitFrame()
        try VividCamera.set(camera, [control: mode])
        defer { try? VividCamera.set(camera, [control: "default"]) }
        scene.awaitReason(words)
        #expect(scene.mailbox.condition.code == .noSignal)
        _ = scene.mailbox.take()
        // The driver goes on.
        let captured = try #require(scene.source.report).captured
        #expect(eventually { scene.source.report.map { $0.captured > captured } == true })
        #expect(!scene.mailbox.hasFrame)
        try VividCamera.set(camera, [control: "default"])
        scene.awaitFrame()
        #expect(scene.source.report?.restarts == 0)
        scene.stream.dispose()
    }

    /// Without a signal from the beginning, there is never a frame.
    @Test func noiseIsNeverShown() throws {
        let camera = try #require(VividCamera.all().last)
        try VividCamera.choose(1, of: camera)
        defer { try? VividCamera.choose(0, of: camera) }
        try VividCamera.set(camera, ["standard_signal_mode": "No Signal"])
        defer { try? VividCamera.set(camera, ["standard_signal_mode": "default"]) }
        let scene = try CameraScene(camera.path, Self.request)
        scene.awaitReason("gets no signal")
        #expect(scene.mailbox.statistics.received == 0)
        scene.stream.dispose()
    }
}
