import CVitrailV4L2
import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// The devices of vivid, the kernel's test driver, where it is loaded.
enum VividCamera {
    /// Those that are there; without their formats.
    static var nodes: [DeviceNode] { LinuxDevices().nodes().filter { $0.name.hasPrefix("vivid") } }

    /// The condition of all tests with a real driver.
    static let isThere: ConditionTrait = .enabled(
        if: !nodes.isEmpty, "There is no vivid driver here: make test-v4l2 runs these tests in a virtual machine.")

    /// All of them, in the order of the driver's parameters.
    ///
    /// The order of the nodes may differ: one that is closed while the driver is being bound again frees its number for a
    /// later device.
    static func all() -> [CameraDevice] {
        CameraDevice.all().filter { $0.driver == "vivid" }.sorted { $0.bus < $1.bus }
    }

    /// Sets controls.
    static func set(_ camera: CameraDevice, _ settings: KeyValuePairs<String, String>) throws {
        let controls = try CameraControls(path: camera.path)
        let all = controls.all()
        for (key, text) in settings {
            let control = try #require(all.first { $0.key == key })
            try controls.set(control, to: try #require(control.value(of: text)))
        }
    }

    /// Chooses an input.
    static func choose(_ input: Int32, of camera: CameraDevice) throws {
        var number = input
        let error = try OpenDevice(camera.path, LinuxDevices()).call(vitrail_s_input, &number)
        try #require(error == 0 && number == input, "\(error)")
    }

    /// Opens one, without text in its picture.
    static func reader(_ camera: CameraDevice, _ request: CameraRequest) throws -> CameraReader {
        try set(camera, ["osd_text_mode": "None"])
        return try CameraReader(
            camera, request, .everything, ReadCancellation(), WakePipe(), false, LinuxDevices())
    }

    /// The first frame in which a control that was set before the start takes effect.
    static func frame(_ camera: CameraDevice, _ request: CameraRequest) throws -> VideoFrame {
        try #require(try reader(camera, request).next())
    }

    /// R', G' and B' of the bars of the driver's pattern “CSC Colorbar”, which all its colour spaces contain, from the
    /// left; in sRGB.
    static let bars: [[Int]] = [
        [191, 191, 191], [191, 191, 50], [50, 191, 191], [50, 191, 50], [191, 50, 191], [191, 50, 50], [50, 50, 191],
        [50, 50, 50],
    ]
}

/// Waits for something that another thread does.
///
/// - Returns: false after a time that is long even in an emulated machine.
func eventually(_ seconds: Int = 30, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = MonotonicTime.now + .seconds(seconds)
    while try !condition() {
        guard MonotonicTime.now < end else { return false }
        usleep(1000)
    }
    return true
}
