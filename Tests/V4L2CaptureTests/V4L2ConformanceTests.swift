import MediaConformance
import MediaIO
import Testing

@testable import V4L2Capture

/// A camera keeps the contract of sources, with a real driver.
@Suite(VividCamera.isThere, .serialized) struct V4L2ConformanceTests {
    @Test func aCamera() throws {
        let camera = try #require(VividCamera.all().first)
        let request = CameraRequest(format: .yuyv, size: VideoSize(width: 320, height: 180), frameRate: Rational(60))
        var kit = SourceConformance { Camera(CameraSelector(camera.path), request: request) }
        // An emulated machine is slow.
        kit.patience = .seconds(60)
        kit.rounds = 10
        try kit.check()
    }
}
