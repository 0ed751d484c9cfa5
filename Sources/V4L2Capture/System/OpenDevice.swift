import CVitrailV4L2
import Glibc
import MediaIO
import VitrailSupport

/// An open video node.
///
/// **Thread:** one at a time.
final class OpenDevice {
    /// The path of the node.
    let path: String
    /// For `poll`; −1 once it is closed.
    private(set) var descriptor: Int32
    /// What the driver says of itself.
    let capability: v4l2_capability
    let system: any DeviceSystem

    /// Opens a node.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen`` if it cannot be opened, ``StreamError/Code/unsupported`` if it does
    ///   not capture video.
    init(_ path: String, _ system: any DeviceSystem) throws(StreamError) {
        let (descriptor, error) = system.open(path)
        guard descriptor >= 0 else { throw Self.cannotOpen(path, error, system) }
        var capability = v4l2_capability()
        let failure = system.control(descriptor, vitrail_querycap, &capability)
        guard failure == 0 else {
            system.close(descriptor)
            throw StreamError(
                failure == ENODEV ? .cannotOpen : .unsupported,
                "\(path) is not a video device (\(systemMessage(failure))): vitrail devices lists the cameras.",
                underlying: failure)
        }
        (self.path, self.descriptor, self.capability, self.system) = (path, descriptor, capability, system)
    }

    deinit { close() }

    /// Closes the node, so that it can be opened again; every call fails from then on.
    func close() {
        if descriptor >= 0 { system.close(descriptor) }
        descriptor = -1
    }

    /// Calls the driver.
    ///
    /// - Returns: 0, or the error.
    func call<Argument>(_ request: UInt, _ argument: inout Argument) -> Int32 {
        guard descriptor >= 0 else { return EBADF }
        return withUnsafeMutablePointer(to: &argument) { system.control(descriptor, request, $0) }
    }

    /// The capabilities of this node alone, not of the whole device.
    private var capabilities: UInt32 {
        let hasOwn = capability.capabilities & vitrail_cap_device_caps != 0
        return hasOwn ? capability.device_caps : capability.capabilities
    }

    /// Whether frames can be captured, with one or with several memory planes.
    var captures: Bool {
        capabilities & (vitrail_cap_video_capture | vitrail_cap_video_capture_mplane) != 0
    }

    /// Whether frames can be written to it.
    var isOutput: Bool { capabilities & UInt32(V4L2_CAP_VIDEO_OUTPUT) != 0 }

    /// Whether it has the multi-planar interface only.
    var isMultiPlanar: Bool { capabilities & vitrail_cap_video_capture == 0 }

    /// Whether frames can be captured without copying them.
    var streams: Bool { capabilities & vitrail_cap_streaming != 0 }

    /// The kind of buffer, in the kernel's numbers.
    var bufferType: UInt32 {
        (isMultiPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
    }

    /// The camera's name.
    var name: String { text(of: capability.card) }

    /// The driver's name.
    var driver: String { text(of: capability.driver) }

    /// Where the camera is connected.
    var bus: String { text(of: capability.bus_info) }

    private static func cannotOpen(_ path: String, _ error: Int32, _ system: any DeviceSystem) -> StreamError {
        let reason =
            switch error {
            case EACCES, EPERM:
                if let group = system.group(of: path), group != "root" {
                    "may not be opened by this user: join the group \(group) (sudo usermod -aG \(group) $USER), then log in again."
                } else {
                    "may not be opened by this user: change its permissions."
                }
            case ENOENT, ENXIO, ENODEV: "is not there: connect the camera."
            case EBUSY: DeviceUse.sentence(path, system)
            case EMFILE, ENFILE:
                "cannot be opened: too many files are open. Close some, or raise the limit (ulimit -n)."
            default: "cannot be opened: \(systemMessage(error))."
            }
        return StreamError(.cannotOpen, "\(path) \(reason)", underlying: error)
    }
}

/// Who uses a device.
enum DeviceUse {
    /// The end of a sentence that begins with the name of a busy device.
    static func sentence(_ path: String, _ system: any DeviceSystem) -> String {
        let users = system.users(of: path)
        if users.isEmpty, system.isOpenTwice(path) { return "is already in use by this program: show it once." }
        let who = users.isEmpty ? "another program" : users.joined(separator: " and ")
        return "is in use by \(who): close that program."
    }
}

/// The text in a field of a structure of the kernel's, which ends at its first zero.
func text<Field>(of field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
