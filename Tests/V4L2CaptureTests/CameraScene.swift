import MediaIO
import Testing

@testable import V4L2Capture

/// A stream of a camera, and what arrives.
final class CameraScene: Sendable {
    let source: Camera
    let mailbox = FrameMailbox()
    let stream: VideoStream

    init(
        _ selector: String, _ request: CameraRequest = CameraRequest(), system: any DeviceSystem = LinuxDevices()
    ) throws {
        source = Camera(CameraSelector(selector), request, system: system)
        stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
    }

    deinit { stream.dispose() }

    /// Why there is no picture.
    var reason: String? {
        switch mailbox.condition {
        case .waiting(let reason, _, _), .failed(let reason, _): reason
        case .live, .ended: nil
        }
    }

    /// Waits for a reason that contains some words.
    func awaitReason(_ words: String) {
        #expect(eventually { reason?.contains(words) == true }, "\(words)")
    }

    /// Waits for a frame that comes from now on.
    func awaitFrame() {
        _ = mailbox.take()
        #expect(eventually { mailbox.hasFrame && mailbox.condition == .live }, "\(mailbox.condition)")
    }

    /// Fills a buffer of the camera, and waits for the frame; one that was on its way may come before it.
    func show(_ value: UInt8, on camera: FakeCamera, start: Int = 1) throws {
        camera.awaitStart(start)
        camera.fill([value])
        #expect(try eventually { try mailbox.take().map { try CameraReaderTests.first($0) } == value }, "\(value)")
    }
}
