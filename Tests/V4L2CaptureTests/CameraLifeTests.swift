import CVitrailV4L2
import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// A camera that comes and goes.
@Suite(.timeLimit(.minutes(2))) struct CameraLifeTests {
    private static let formats = [FakeCamera.Format("YUYV", [(64, 48)])]

    private static func camera(_ number: Int = 0, bus: String = "usb-1", serial: String? = nil) -> FakeCamera {
        FakeCamera("C", path: "/dev/video\(number)", bus: bus, serial: serial, formats)
    }

    /// A stream of a camera, and what arrives.
    private final class Scene: Sendable {
        let system: FakeDevices
        let source: Camera
        let mailbox = FrameMailbox()
        let stream: VideoStream

        init(_ selector: String, _ cameras: FakeCamera...) throws {
            system = FakeDevices()
            for camera in cameras { system.connect(camera) }
            source = Camera(CameraSelector(selector), system: system)
            stream = VideoStream(source: source, sinks: [mailbox])
            try stream.initialize()
            try stream.start()
        }

        deinit { stream.dispose() }

        /// Waits for a condition that begins with some words.
        func awaitNotice(_ words: String) -> Duration {
            let begin = MonotonicTime.now
            while true {
                if case .waiting(let reason) = mailbox.condition, reason.contains(words) { break }
                usleep(500)
            }
            return MonotonicTime.now - begin
        }

        /// Fills a buffer of the camera, and waits for the frame.
        func show(_ value: UInt8, on camera: FakeCamera, start: Int = 1) throws {
            camera.awaitStart(start)
            camera.fill([value])
            while !mailbox.hasFrame { usleep(500) }
            #expect(try CameraReaderTests.first(mailbox.take()) == value)
        }
    }

    @Test func anUnpluggedCameraComesBackUnderAnotherNumber() throws {
        let (camera, other) = (Self.camera(0), Self.camera(1, bus: "usb-9"))
        let scene = try Scene("/dev/video0", camera, other)
        try scene.show(1, on: camera)
        scene.system.disconnect(camera)
        #expect(scene.awaitNotice("C is not connected") < .seconds(1))
        // One at another place is not taken for it.
        scene.system.connect(Self.camera(0, bus: "usb-5"))
        usleep(100_000)
        #expect(scene.awaitNotice("C is not connected") < .seconds(1))
        let again = Self.camera(7)
        scene.system.connect(again)
        let begin = MonotonicTime.now
        try scene.show(2, on: again)
        #expect(MonotonicTime.now - begin < .seconds(2))
        #expect(scene.mailbox.condition == .live)
        #expect(scene.source.report?.device.path == "/dev/video7")
        // The counts go on.
        #expect(scene.source.report?.captured == 2)
    }

    @Test func aSerialNumberIsFoundAtAnotherPlace() throws {
        let camera = Self.camera(0, serial: "A1")
        let scene = try Scene("C", camera)
        try scene.show(1, on: camera)
        scene.system.disconnect(camera)
        _ = scene.awaitNotice("not connected")
        let again = Self.camera(3, bus: "usb-4", serial: "A1")
        scene.system.connect(again)
        try scene.show(2, on: again)
    }

    @Test func aMissingCameraIsWaitedFor() throws {
        let scene = try Scene("front")
        _ = scene.awaitNotice("There is no camera “front”: connect one.")
        let camera = FakeCamera("Front door", path: "/dev/video0", bus: "usb-1", Self.formats)
        scene.system.connect(camera)
        try scene.show(1, on: camera)
    }

    @Test func permissionsAreWaitedFor() throws {
        let system = FakeDevices(Self.camera())
        system.setError(EACCES, of: "/dev/video0")
        let camera = Camera(CameraSelector("/dev/video0"), system: system)
        let mailbox = FrameMailbox()
        let stream = VideoStream(source: camera, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
        defer { stream.dispose() }
        while mailbox.condition.text?.contains("join the group video") != true { usleep(500) }
        system.setError(0, of: "/dev/video0")
        while camera.report == nil { usleep(500) }
    }

    @Test func aBusyCameraIsTriedAgain() throws {
        let camera = Self.camera()
        camera.change { $0.errors[vitrail_s_fmt] = EBUSY }
        let scene = try Scene("", camera)
        scene.system.setUsers(["obs (process 7)"])
        _ = scene.awaitNotice("is in use by obs (process 7)")
        camera.change { $0.errors = [:] }
        try scene.show(1, on: camera)
    }

    @Test(arguments: [vitrail_dqbuf, vitrail_qbuf]) func aFaultyCameraIsOpenedAgain(_ call: UInt) throws {
        let camera = Self.camera()
        let scene = try Scene("", camera)
        camera.awaitStart()
        camera.fill([1])
        while !scene.mailbox.hasFrame { usleep(500) }
        // The frame that is shown keeps its memory.
        let held = try #require(scene.mailbox.take())
        defer { withExtendedLifetime(held) {} }
        camera.change { $0.errors[call] = EIO }
        camera.fill([2])
        _ = scene.awaitNotice("no longer delivers")
        camera.change { $0.errors = [:] }
        _ = scene.mailbox.take()
        try scene.show(3, on: camera, start: 2)
    }

    @Test func whatCanNeverBeShownFails() throws {
        var behavior = FakeCamera.Behavior()
        behavior.field = V4L2_FIELD_SEQ_BT.rawValue
        let scene = try Scene("", FakeCamera("C", Self.formats, behavior))
        while true {
            if case .failed(let reason) = scene.mailbox.condition {
                #expect(reason.contains("V4L2_FIELD_SEQ_BT"))
                break
            }
            usleep(500)
        }
    }

    @Test func aStoppedCameraShowsThePresentWhenItIsStarted() throws {
        let camera = Self.camera()
        let scene = try Scene("", camera)
        try scene.show(1, on: camera)
        scene.stream.stop()
        camera.fill([2])
        while scene.source.report?.captured != 2 { usleep(500) }
        camera.fill([3])
        while scene.source.report?.captured != 3 { usleep(500) }
        // By now the first one is discarded; the second one may just be on its way.
        try scene.stream.start()
        camera.fill([4])
        var last: UInt8 = 0
        while last != 4 {
            last = try scene.mailbox.take().map { try CameraReaderTests.first($0) } ?? last
            #expect(last != 2)
            usleep(500)
        }
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
            while source.report == nil { usleep(500) }
            stream.dispose()
        }
        #expect(weakSource == nil && system.inUse.descriptors == 0 && system.inUse.mappings == 0)
    }

    /// Random connections, disconnections and frames: it always comes back, and holds nothing in the end.
    @Test func itSurvivesEverything() throws {
        let system = FakeDevices()
        let source = Camera(CameraSelector("C"), system: system)
        let mailbox = FrameMailbox()
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
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
        while try mailbox.take().map({ try CameraReaderTests.first($0) }) != 255 { usleep(500) }
        stream.dispose()
        #expect(system.inUse.descriptors == 0 && system.inUse.mappings == 0)
    }
}

extension SourceCondition {
    fileprivate var text: String? {
        switch self {
        case .waiting(let reason), .failed(let reason): reason
        case .live, .ended: nil
        }
    }
}
