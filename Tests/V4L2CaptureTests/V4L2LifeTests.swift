import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// A real driver whose device goes and comes back.
@Suite(VividCamera.isThere, .serialized) struct V4L2LifeTests {
    private static let request = CameraRequest(
        format: .yuyv, size: VideoSize(width: 320, height: 180), frameRate: Rational(15))

    private static func bind(_ isBound: Bool) throws {
        let path = "/sys/bus/platform/drivers/vivid/\(isBound ? "bind" : "unbind")"
        let file = try #require(fopen(path, "w"))
        fputs("vivid.0", file)
        fclose(file)
    }

    private static func isWaiting(_ mailbox: FrameMailbox) -> Bool {
        if case .waiting(let reason) = mailbox.condition { return reason.contains("is not connected") }
        return false
    }

    /// All devices of vivid go and come with its driver, under the lowest free numbers.
    @Test func theDriverGoesAndComes() throws {
        let camera = try #require(VividCamera.all().first)
        let mailbox = FrameMailbox()
        let source = Camera(CameraSelector(camera.path), request: Self.request)
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
        defer { stream.dispose() }
        #expect(eventually { mailbox.hasFrame })
        for _ in 0..<3 {
            try Self.bind(false)
            #expect(eventually { Self.isWaiting(mailbox) })
            _ = mailbox.take()
            try Self.bind(true)
            #expect(eventually { mailbox.hasFrame && mailbox.condition == .live })
        }
    }

    /// The driver's own disconnection, after which the node is dead until the driver is bound again.
    @Test func aDisconnectedDeviceIsNoticed() throws {
        let camera = try #require(VividCamera.all().first)
        let mailbox = FrameMailbox()
        let source = Camera(CameraSelector(camera.identity), request: Self.request)
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
        defer { stream.dispose() }
        #expect(eventually { mailbox.hasFrame })
        try VividCamera.set(camera, ["disconnect": "1"])
        #expect(eventually { if case .waiting = mailbox.condition { true } else { false } })
        try Self.bind(false)
        try Self.bind(true)
        _ = mailbox.take()
        #expect(eventually { mailbox.hasFrame && mailbox.condition == .live })
    }

    /// An error of the hardware, after which the driver delivers nothing until it is started again.
    @Test func afterAFatalErrorItIsOpenedAgain() throws {
        let camera = try #require(VividCamera.all().first)
        let mailbox = FrameMailbox()
        let source = Camera(CameraSelector(camera.path), request: Self.request)
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
        defer { stream.dispose() }
        #expect(eventually { mailbox.hasFrame })
        try VividCamera.set(camera, ["inject_fatal_streaming_error": "1"])
        #expect(eventually { if case .waiting = mailbox.condition { true } else { false } })
        #expect(eventually { mailbox.condition == .live }, "\(mailbox.condition)")
    }

    /// Eight cameras at once.
    @Test func aWallOfCamerasLosesNothing() throws {
        let cameras = VividCamera.all().prefix(8)
        #expect(cameras.count == 8)
        var request = Self.request
        (request.size, request.frameRate) = (VideoSize(width: 640, height: 360), Rational(2))
        let scenes = try cameras.map { camera in
            let mailbox = FrameMailbox()
            let source = Camera(CameraSelector(camera.path), request: request)
            let stream = VideoStream(source: source, sinks: [mailbox])
            try stream.initialize()
            try stream.start()
            return (source, stream, mailbox)
        }
        defer { for (_, stream, _) in scenes { stream.dispose() } }
        #expect(eventually { scenes.allSatisfy { $0.2.statistics.received >= 20 } })
        for (source, _, _) in scenes {
            let report = try #require(source.report)
            #expect(report.lost == 0 && report.damaged == 0 && report.copied == 0 && report.restarts == 0, "\(report)")
        }
    }
}
