import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// A real driver whose device goes and comes back.
@Suite(VividCamera.isThere, .serialized) struct V4L2LifeTests {
    private static let request = CameraRequest(
        format: .yuyv, size: VideoSize(width: 320, height: 180), frameRate: Rational(15))

    private static func bind(_ isBound: Bool) throws {
        try write("vivid.0", to: "/sys/bus/platform/drivers/vivid/\(isBound ? "bind" : "unbind")")
    }

    private static func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        try #require(Glibc.write(file, text, text.utf8.count) == text.utf8.count, "\(path): \(errno)")
    }

    /// All devices of vivid go and come with its driver, under the lowest free numbers.
    @Test func theDriverGoesAndComes() throws {
        let camera = try #require(VividCamera.all().first)
        let scene = try CameraScene(camera.path, Self.request)
        scene.awaitFrame()
        for _ in 0..<3 {
            try Self.bind(false)
            scene.awaitReason("is not connected")
            try Self.bind(true)
            scene.awaitFrame()
        }
    }

    /// The driver's own disconnection, after which the node is dead until the driver is bound again.
    @Test func aDisconnectedDeviceIsNoticed() throws {
        let camera = try #require(VividCamera.all().first)
        let scene = try CameraScene(camera.identity, Self.request)
        scene.awaitFrame()
        try VividCamera.set(camera, ["disconnect": "1"])
        scene.awaitReason("is not connected")
        try Self.bind(false)
        try Self.bind(true)
        scene.awaitFrame()
    }

    /// An error of the hardware, after which the driver delivers nothing until it is started again.
    @Test func afterAFatalErrorItIsOpenedAgain() throws {
        let camera = try #require(VividCamera.all().first)
        let scene = try CameraScene(camera.path, Self.request)
        scene.awaitFrame()
        try VividCamera.set(camera, ["inject_fatal_streaming_error": "1"])
        scene.awaitReason("no longer delivers")
        scene.awaitFrame()
    }

    /// The system's own test of a suspend, which stops all programs for a second.
    @Test func framesGoOnAfterASuspend() throws {
        let camera = try #require(VividCamera.all().first)
        let scene = try CameraScene(camera.path, Self.request)
        scene.awaitFrame()
        try Self.write("freezer", to: "/sys/power/pm_test")
        defer { try? Self.write("none", to: "/sys/power/pm_test") }
        try Self.write("1", to: "/sys/module/suspend/parameters/pm_test_delay")
        for _ in 0..<2 {
            // A pending wake-up ends it at once.
            var isLong = false
            for _ in 0..<10 where !isLong {
                let begin = MonotonicTime.now
                try? Self.write("freeze", to: "/sys/power/state")
                isLong = MonotonicTime.now - begin >= .seconds(1)
            }
            #expect(isLong)
            let received = scene.mailbox.statistics.received
            #expect(eventually { scene.mailbox.statistics.received >= received + 10 })
        }
        #expect(
            scene.mailbox.condition == .live && scene.source.report?.restarts == 0 && scene.source.report?.damaged == 0)
    }

    /// Eight cameras at once lose no frame, and take no more memory the longer they run.
    @Test func aWallOfCamerasLosesNothing() throws {
        let cameras = VividCamera.all().prefix(8)
        #expect(cameras.count == 8)
        var request = Self.request
        (request.size, request.frameRate) = (VideoSize(width: 640, height: 360), Rational(4))
        let scenes = try cameras.map { try CameraScene($0.path, request) }
        func run(to count: Int) {
            #expect(eventually(60) { scenes.allSatisfy { $0.mailbox.statistics.received >= count } })
        }
        run(to: 10)
        let before = ProcessMemory.residentBytes
        run(to: 80)
        #expect(ProcessMemory.residentBytes - before < 1 << 20)
        for scene in scenes {
            let report = try #require(scene.source.report)
            #expect(report.lost == 0 && report.damaged == 0 && report.copied == 0 && report.restarts == 0, "\(report)")
        }
    }

    /// Nobody is woken by those who only look.
    @Test func waitingForACameraIsIdle() throws {
        let camera = try #require(VividCamera.all().first)
        let shown = try CameraScene(camera.path, Self.request)
        shown.awaitFrame()
        // Where there is an output, a camera may appear without an event, and is looked for all the time.
        let outputs = try VividCamera.nodes.map(\.path).filter { try OpenDevice($0, LinuxDevices()).isOutput }
        let system = HookedDevices(LinuxDevices(), hiding: Set(outputs))
        let nodes = system.nodes().count
        let (missing, busy) = (try CameraScene("nobody", system: system), try CameraScene(camera.path, system: system))
        missing.awaitReason("There is no camera")
        busy.awaitReason("is already in use by this program")
        let before = system.openedCount
        sleep(3)
        // The busy one is tried every second: once to find it, and once to open it.
        #expect(system.openedCount - before <= 4 * (nodes + 1))
    }

    @Test func nodesAreRecognized() throws {
        let camera = try #require(VividCamera.all().first)
        #expect(CameraSelector.isVideoNode(camera.path) && !CameraSelector.isVideoNode("/dev/null"))
        let link = "/tmp/vitrail-camera-\(getpid())"
        try #require(symlink(camera.path, link) == 0)
        defer { unlink(link) }
        #expect(CameraSelector.isVideoNode(link))
        #expect(try CameraSelector(link).find(among: CameraDevice.all()).path == camera.path)
    }
}
