import CVitrailV4L2
import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// The list of cameras, and finding one in it.
@Suite struct CameraDeviceTests {
    private static let formats = [FakeCamera.Format("YUYV", [(640, 480), (320, 240)], rates: [15, 30])]

    private static func camera(
        _ name: String, _ number: Int, bus: String = "usb-1", serial: String? = nil,
        capabilities: UInt32 = vitrail_cap_video_capture | vitrail_cap_streaming
    ) -> FakeCamera {
        var behavior = FakeCamera.Behavior()
        behavior.capabilities = capabilities
        return FakeCamera(name, path: "/dev/video\(number)", bus: bus, serial: serial, formats, behavior)
    }

    @Test func onlyNodesThatCaptureAreListed() throws {
        // The usual webcam has a second node, for metadata; codecs have one, too.
        let system = FakeDevices(
            Self.camera("C", 0), Self.camera("C", 1, capabilities: UInt32(V4L2_CAP_META_CAPTURE)),
            Self.camera("codec", 2, capabilities: UInt32(V4L2_CAP_VIDEO_M2M)), Self.camera("D", 3, bus: "usb-2"))
        system.setError(EACCES, of: "/dev/video3")
        let cameras = CameraDevice.all(system)
        #expect(cameras.map(\.path) == ["/dev/video0", "/dev/video3"])
        let first = try #require(cameras.first)
        #expect(first.name == "C" && first.driver == "fake" && first.bus == "usb-1" && first.problem == nil)
        let format = try #require(try first.formats(system).first)
        #expect(format.name == "YUYV" && format.handling == .drawn(.yuyv))
        #expect(format.sizes.map { "\($0.largest)" } == ["640x480", "320x240"])
        #expect(format.sizes.first?.rates == [Rational(30), Rational(15)])
        #expect(cameras.last?.name == "D" && cameras.last?.problem?.contains("join the group video") == true)
        #expect(system.inUse.descriptors == 0)
        // One that is disconnected just now.
        system.setError(ENXIO, of: "/dev/video3")
        #expect(CameraDevice.all(system).map(\.path) == ["/dev/video0"])
    }

    @Test func identitiesStay() {
        func identities(_ cameras: FakeCamera...) -> [String] {
            let system = FakeDevices()
            for camera in cameras { system.connect(camera) }
            return CameraDevice.all(system).map(\.identity)
        }
        #expect(identities(Self.camera("C", 7)) == ["usb-1"])
        #expect(identities(Self.camera("C", 7, serial: "A1")) == ["usb-046d:0825-A1"])
        // Two of one maker that all have the same number, and one device with two cameras.
        #expect(
            identities(Self.camera("C", 0, serial: "1"), Self.camera("C", 2, bus: "usb-2", serial: "1"))
                == ["usb-1", "usb-2"])
        #expect(
            identities(Self.camera("C", 0, serial: "A"), Self.camera("C", 2, serial: "A"))
                == ["usb-046d:0825-A", "usb-046d:0825-A#2"])
    }

    @Test(arguments: [
        ("", "/dev/video0"), ("/dev/video2", "/dev/video2"), ("usb-2", "/dev/video2"), ("A1", "/dev/video4"),
        ("usb-046d:0825-A1", "/dev/video4"), ("Front door", "/dev/video0"), ("front", "/dev/video0"),
        ("BRIO", "/dev/video4"), ("046d:0825", "/dev/video4"),
    ]) func camerasAreFound(_ text: String, _ path: String) throws {
        #expect(try CameraSelector(text).find(among: Self.three).path == path)
    }

    private static var three: [CameraDevice] {
        CameraDevice.all(
            FakeDevices(
                camera("Front door", 0), camera("Back door", 2, bus: "usb-2"),
                camera("Logitech BRIO", 4, bus: "usb-3", serial: "A1")))
    }

    @Test(arguments: [
        ("door", "Several cameras are called “door”"), ("roof", "There is no camera “roof”"),
        ("/dev/video9", "There is no camera at /dev/video9"),
    ]) func othersAreNamed(_ text: String, _ words: String) throws {
        let error = try #require(throws: StreamError.self) { try CameraSelector(text).find(among: Self.three) }
        #expect(error.code == .cannotOpen && error.description.hasPrefix(words), "\(error)")
        #expect(error.description.contains("Logitech BRIO (usb-046d:0825-A1, /dev/video4)"))
        let none = try #require(throws: StreamError.self) { try CameraSelector(text).find(among: []) }
        #expect(none.description.hasSuffix(": connect one."))
    }

    @Test(arguments: [
        (EACCES, "join the group video"), (EBUSY, "is in use by obs (process 7)"), (ENOENT, "connect the camera"),
        (EMFILE, "too many files"),
    ]) func whyItCannotBeOpenedIsSaid(_ error: Int32, _ words: String) throws {
        let system = FakeDevices(Self.camera("C", 0))
        system.setError(error, of: "/dev/video0")
        system.setUsers(["obs (process 7)"])
        let failure = try #require(throws: StreamError.self) { try OpenDevice("/dev/video0", system) }
        #expect(failure.code == .cannotOpen && failure.description.contains(words) && failure.underlying == error)
    }

    /// The system's own nodes, whatever it has.
    @Test func theSystemIsRead() throws {
        for node in LinuxDevices().nodes() { #expect(node.path.hasPrefix("/dev/video")) }
        let error = try #require(throws: StreamError.self) { try OpenDevice("/dev/null", LinuxDevices()) }
        #expect(error.code == .unsupported && error.description.contains("not a video device"))
        let missing = try #require(throws: StreamError.self) { try OpenDevice("/dev/video99", LinuxDevices()) }
        #expect(missing.code == .cannotOpen)
        #expect(LinuxDevices().users(of: "/dev/video99").isEmpty && LinuxDevices().group(of: "/dev/null") == "root")
    }

    /// What may not be opened is known by its place all the same, and any message about it says why.
    @Test func lockedCamerasAreFound() throws {
        let system = FakeDevices(Self.camera("C", 0), Self.camera("C", 2, bus: "usb-2"))
        system.setError(EACCES, of: "/dev/video0")
        let error = try #require(throws: StreamError.self) {
            try CameraSelector("usb-7").find(among: CameraDevice.all(system))
        }
        #expect(error.description.contains("join the group video"))
        // Two of one name: the first is not just taken.
        let several = try #require(throws: StreamError.self) {
            try CameraSelector("C").find(among: CameraDevice.all(system))
        }
        #expect(several.description.hasPrefix("Several cameras are called “C”"))
    }
}
