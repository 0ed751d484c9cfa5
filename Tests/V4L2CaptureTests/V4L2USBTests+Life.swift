import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// It comes and goes.
extension V4L2USBTests {
    /// A stream of the camera, and what it sends.
    private struct Scene {
        let camera: USBCamera
        let scene: CameraScene
        let sent = V4L2USBTests.bytes(320 * 240 * 2, 1)

        init(_ camera: USBCamera, _ selector: String, _ request: CameraRequest = small) throws {
            self.camera = camera
            scene = try CameraScene(selector, request)
        }

        var source: Camera { scene.source }
        var mailbox: FrameMailbox { scene.mailbox }
        var stream: VideoStream { scene.stream }

        /// Waits for a frame.
        func arrives() -> Bool {
            eventually {
                camera.send(sent)
                return mailbox.hasFrame && mailbox.condition == .live
            }
        }
    }

    @Test(arguments: [false, true]) func itComesBackUnderAnotherNumberAndAtAnotherPort(_ exportsMemory: Bool) throws {
        try Self.withCamera { camera, device in
            var request = Self.small
            request.exportsMemory = exportsMemory
            let scene = try Scene(camera, device.path, request)
            defer { scene.stream.dispose() }
            #expect(scene.arrives())
            // Another program keeps the old node.
            let node = open(device.path, O_RDWR | O_CLOEXEC)
            defer { close(node) }
            for port in 1...3 {
                // The frame that is shown keeps its memory.
                let held = try #require(scene.mailbox.take())
                camera.unplug()
                let begin = MonotonicTime.now
                #expect(eventually { Self.isNotConnected(scene.mailbox.condition) })
                #expect(MonotonicTime.now - begin < .seconds(1))
                try camera.plugIn(port: port)
                let back = MonotonicTime.now
                #expect(scene.arrives(), "port \(port): \(scene.mailbox.condition)")
                #expect(MonotonicTime.now - back < .seconds(2))
                try Self.check(held, scene.sent)
            }
            let found = try #require(scene.source.report?.device)
            #expect(found.path != device.path && found.bus == "usb-vhci_hcd.0-4" && found.identity == device.identity)
        }
    }

    private static func isNotConnected(_ condition: SourceCondition) -> Bool {
        guard case .waiting(let reason, _, _) = condition else { return false }
        return reason.contains("is not connected: connect it again.")
    }

    /// The driver has other errors then: at a proposal of a mode, the answer to it, and the start.
    @Test(arguments: [(UInt8(0x01), UInt8(1)), (0x81, 1), (0x01, 2)])
    func itMayBePulledOutWhileItIsOpened(_ request: UInt8, _ selector: UInt8) throws {
        try Self.withCamera { camera, device in
            camera.setLast(request, selector)
            let scene = try Scene(camera, device.identity)
            defer { scene.stream.dispose() }
            #expect(eventually { Self.isNotConnected(scene.mailbox.condition) }, "\(scene.mailbox.condition)")
            camera.unplug()
            try camera.plugIn()
            #expect(scene.arrives(), "\(scene.mailbox.condition)")
        }
    }

    /// It is pulled out while it is found, opened, started and read.
    @Test func itSurvivesBeingPulledOutAtAnyMoment() throws {
        try Self.withCamera { camera, device in
            let scene = try Scene(camera, device.identity)
            defer { scene.stream.dispose() }
            var random = SystemRandomNumberGenerator()
            for round in 0..<6 {
                // Nodes come some tenths of a second after the camera is plugged in.
                _ = eventually { !Self.all().isEmpty }
                usleep(UInt32.random(in: 0...60_000, using: &random))
                if round % 2 == 0 { camera.send(scene.sent) }
                camera.unplug()
                try camera.plugIn(port: round % 3)
            }
            _ = scene.mailbox.take()
            #expect(scene.arrives(), "\(scene.mailbox.condition)")
        }
    }

    /// As one does whose firmware is not ready, or whose cable is bad.
    @Test func oneThatRefusesForATimeIsTriedAgain() throws {
        try Self.withCamera { camera, device in
            camera.refusesVideo = true
            let scene = try Scene(camera, device.identity)
            defer { scene.stream.dispose() }
            #expect(
                eventually {
                    guard case .waiting(let reason, _, _) = scene.mailbox.condition else { return false }
                    return reason.contains("cannot be set to YUYV 320x240 at 30/s: Input/output error")
                }, "\(scene.mailbox.condition)")
            camera.refusesVideo = false
            #expect(scene.arrives(), "\(scene.mailbox.condition)")
        }
    }

    @Test func oneThatDeliversNothingIsRestarted() throws {
        try Self.withCamera { camera, device in
            let scene = try Scene(camera, device.identity)
            defer { scene.stream.dispose() }
            #expect(scene.arrives())
            #expect(eventually { scene.source.report?.restarts == 1 })
            _ = scene.mailbox.take()
            #expect(scene.arrives())
        }
    }
}
