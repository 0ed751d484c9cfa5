import CVitrailV4L2
import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// A camera that comes and goes.
@Suite struct CameraLifeTests {
    private static let formats = [FakeCamera.Format("YUYV", [(64, 48)])]

    /// A stream of one of some cameras.
    private static func scene(_ selector: String, _ cameras: FakeCamera...) throws -> (CameraScene, FakeDevices) {
        let system = FakeDevices()
        for camera in cameras { system.connect(camera) }
        return (try CameraScene(selector, system: system), system)
    }

    private static func camera(_ number: Int = 0, bus: String = "usb-1", serial: String? = nil) -> FakeCamera {
        FakeCamera("C", path: "/dev/video\(number)", bus: bus, serial: serial, formats)
    }

    @Test func anUnpluggedCameraComesBackUnderAnotherNumber() throws {
        let (camera, other) = (Self.camera(0), Self.camera(1, bus: "usb-9"))
        let (scene, system) = try Self.scene("/dev/video0", camera, other)
        try scene.show(1, on: camera)
        system.disconnect(camera)
        scene.awaitReason("C is not connected")
        // One at another place is not taken for it.
        system.connect(Self.camera(0, bus: "usb-5"))
        usleep(100_000)
        scene.awaitReason("C is not connected")
        let again = Self.camera(7)
        system.connect(again)
        try scene.show(2, on: again)
        #expect(scene.mailbox.condition == .live)
        #expect(scene.source.report?.device.path == "/dev/video7")
        // The counts go on.
        #expect(scene.source.report?.captured == 2)
    }

    @Test func aSerialNumberIsFoundAtAnotherPlace() throws {
        let camera = Self.camera(0, serial: "A1")
        let (scene, system) = try Self.scene("C", camera)
        try scene.show(1, on: camera)
        system.disconnect(camera)
        scene.awaitReason("not connected")
        let again = Self.camera(3, bus: "usb-4", serial: "A1")
        system.connect(again)
        try scene.show(2, on: again)
    }

    /// Some makers give all their cameras one number.
    @Test func anotherCameraWithTheSameSerialNumberIsNotTakenForIt() throws {
        let (camera, other) = (Self.camera(0, serial: "1"), Self.camera(1, bus: "usb-2", serial: "1"))
        let (scene, system) = try Self.scene("/dev/video0", camera, other)
        try scene.show(1, on: camera)
        system.disconnect(camera)
        scene.awaitReason("not connected")
        let second = Self.camera(5, serial: "1")
        system.connect(second)
        try scene.show(2, on: second)
        #expect(other.status.starts == 0)
        // Without the other one, it has another identity.
        system.disconnect(other)
        system.disconnect(second)
        scene.awaitReason("not connected")
        let third = Self.camera(2, serial: "1")
        system.connect(third)
        try scene.show(3, on: third)
    }

    @Test func oneThatCouldNotBeOpenedIsFoundUnderAnotherNumber() throws {
        let camera = Self.camera()
        camera.change { $0.errors[vitrail_s_fmt] = EBUSY }
        let (scene, system) = try Self.scene("/dev/video0", camera)
        scene.awaitReason("is in use")
        system.disconnect(camera)
        scene.awaitReason("C is not connected")
        let again = Self.camera(4)
        system.connect(again)
        try scene.show(1, on: again)
    }

    @Test func aMissingCameraIsWaitedFor() throws {
        let (scene, system) = try Self.scene("front")
        scene.awaitReason("There is no camera “front”: connect one.")
        let camera = FakeCamera("Front door", path: "/dev/video0", bus: "usb-1", Self.formats)
        system.connect(camera)
        try scene.show(1, on: camera)
    }

    @Test func permissionsAreWaitedFor() throws {
        let system = FakeDevices(Self.camera())
        system.setError(EACCES, of: "/dev/video0")
        let scene = try CameraScene("/dev/video0", system: system)
        scene.awaitReason("join the group video")
        system.setError(0, of: "/dev/video0")
        #expect(eventually { scene.source.report != nil })
    }

    @Test func aBusyCameraIsTriedAgain() throws {
        let camera = Self.camera()
        camera.change { $0.errors[vitrail_s_fmt] = EBUSY }
        let (scene, system) = try Self.scene("", camera)
        system.setUsers(["obs (process 7)"])
        scene.awaitReason("is in use by obs (process 7)")
        camera.change { $0.errors = [:] }
        try scene.show(1, on: camera)
    }

    @Test(arguments: [vitrail_dqbuf, vitrail_qbuf]) func aFaultyCameraIsOpenedAgain(_ call: UInt) throws {
        let camera = Self.camera()
        let (scene, _) = try Self.scene("", camera)
        camera.awaitStart()
        camera.fill([1])
        #expect(eventually { scene.mailbox.hasFrame })
        // The frame that is shown keeps its memory.
        let held = try #require(scene.mailbox.take())
        defer { withExtendedLifetime(held) {} }
        camera.change { $0.errors[call] = EIO }
        camera.fill([2])
        scene.awaitReason("no longer delivers")
        camera.change { $0.errors = [:] }
        _ = scene.mailbox.take()
        try scene.show(3, on: camera, start: 2)
    }

    @Test func whatCanNeverBeShownFails() throws {
        var behavior = FakeCamera.Behavior()
        behavior.field = V4L2_FIELD_SEQ_BT.rawValue
        let (scene, _) = try Self.scene("", FakeCamera("C", Self.formats, behavior))
        #expect(eventually { if case .failed = scene.mailbox.condition { true } else { false } })
        #expect(scene.reason?.contains("V4L2_FIELD_SEQ_BT") == true)
    }

    @Test func aStoppedCameraShowsThePresentWhenItIsStarted() throws {
        let camera = Self.camera()
        let (scene, _) = try Self.scene("", camera)
        try scene.show(1, on: camera)
        scene.stream.stop()
        camera.fill([2])
        #expect(eventually { scene.source.report?.captured == 2 })
        camera.fill([3])
        #expect(eventually { scene.source.report?.captured == 3 })
        // By now the first one is discarded; the second one may just be on its way.
        try scene.stream.start()
        camera.fill([4])
        var shown: [UInt8] = []
        #expect(
            try eventually {
                if let frame = scene.mailbox.take() { shown.append(try CameraReaderTests.first(frame)) }
                return shown.last == 4
            })
        #expect(!shown.contains(2))
    }

    @Test func everythingIsReleased() throws {
        let system = FakeDevices(Self.camera())
        weak var weakSource: Camera?
        do {
            let source = Camera(CameraSelector(""), system: system)
            weakSource = source
            let mailbox = FrameMailbox()
            let stream = VideoStream(source: source, sinks: [mailbox])
            try stream.initialize()
            try stream.start()
            #expect(eventually { source.report != nil })
            stream.dispose()
        }
        #expect(weakSource == nil && system.inUse.descriptors == 0 && system.inUse.mappings == 0)
    }

    /// Random connections, disconnections and frames: it always comes back, and holds nothing in the end.
    @Test func itSurvivesEverything() throws {
        let system = FakeDevices()
        let scene = try CameraScene("C", system: system)
        var random = SystemRandomNumberGenerator()
        for round in 0..<100 {
            let camera = Self.camera(round % 10)
            system.connect(camera)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                camera.awaitStart()
                camera.fill([UInt8(round)])
            }
            usleep(UInt32.random(in: 0...3000, using: &random))
            system.disconnect(camera)
        }
        let last = Self.camera(3)
        system.connect(last)
        last.awaitStart()
        last.fill([255])
        #expect(try eventually { try scene.mailbox.take().map { try CameraReaderTests.first($0) } == 255 })
        scene.stream.dispose()
        #expect(system.inUse.descriptors == 0 && system.inUse.mappings == 0)
    }

    @Test func aCameraThatIsShownTwiceIsReported() throws {
        let camera = Self.camera()
        let (first, system) = try Self.scene("", camera)
        try first.show(1, on: camera)
        let second = try CameraScene("C", system: system)
        second.awaitReason("C (/dev/video0) is already in use by this program: show it once.")
    }

    /// A virtual camera captures only while another program writes to it, and no event says so.
    @Test func aVirtualCameraIsNoticed() throws {
        let camera = Self.camera()
        camera.change { $0.capabilities = UInt32(V4L2_CAP_VIDEO_OUTPUT) | vitrail_cap_streaming }
        let (scene, _) = try Self.scene("C", camera)
        scene.awaitReason("There is no camera")
        camera.change { $0.capabilities = vitrail_cap_video_capture | vitrail_cap_streaming }
        try scene.show(1, on: camera)
    }

    @Test func damagedFramesAloneAreAStall() throws {
        let camera = Self.camera()
        let (scene, _) = try Self.scene("", camera)
        try scene.show(1, on: camera)
        #expect(
            eventually {
                camera.fill([2], flags: vitrail_buf_flag_error)
                return scene.source.report?.restarts == 1
            })
        // What was counted is said without a frame.
        #expect(try #require(scene.source.report).damaged > 3)
        try scene.show(3, on: camera, start: 2)
    }

    @Test func aRefusedChangeOfTheModeIsNoEnd() throws {
        let calls = Monitor(0)
        let camera = FakeCamera("C", [FakeCamera.Format("YUYV", [(64, 48), (640, 480)])])
        let system = HookedDevices(FakeDevices(camera)) { request, _ in
            guard request == vitrail_s_fmt else { return nil }
            return calls.withLock { count in
                count += 1
                return count == 2 ? ENOMEM : nil
            }
        }
        let scene = try CameraScene("", system: system)
        try scene.show(1, on: camera)
        scene.source.adapt(to: VideoSinkWants(maximumPixels: 64 * 48))
        #expect(
            eventually {
                camera.fill([2])
                return calls.withLock { $0 } == 3
            })
        _ = scene.mailbox.take()
        try scene.show(3, on: camera, start: 2)
        #expect(scene.source.report?.given.size == VideoSize(width: 640, height: 480))
        #expect(scene.mailbox.condition == .live)
    }
}
