import Glibc
public import MediaIO

/// A camera that is connected, as the system and its driver describe it.
public struct CameraDevice: Hashable, Sendable {
    /// The node, such as `/dev/video0`; it may be another one when the camera is connected again.
    public let path: String
    /// The name that the driver gives it.
    public let name: String
    /// The name of the driver.
    public let driver: String
    /// Where it is connected: `usb-0000:00:14.0-1`.
    public let bus: String
    /// Its serial number, if it has one.
    public let serial: String?
    /// What identifies it when it is connected again: vendor, product and serial number if it has one that no other
    /// connected camera has, otherwise ``bus``; with a number if the device has several cameras.
    public let identity: String
    /// Why nothing more is known, if the node cannot be opened.
    public let problem: String?

    /// The cameras that are connected, by their nodes.
    ///
    /// Nodes that do not capture video are omitted, as are those that are disconnected during the call.
    ///
    /// **Cost:** rare; opens each node for a moment, which does not disturb programs that use it.
    public static func all() -> [CameraDevice] { all(LinuxDevices()) }

    /// What the driver offers, in its order.
    ///
    /// **Cost:** rare; a system call for each rate of each size of each format.
    /// - Throws: ``StreamError/Code/cannotOpen``.
    public func formats() throws(StreamError) -> [CameraFormat] { try formats(LinuxDevices()) }

    func formats(_ system: any DeviceSystem) throws(StreamError) -> [CameraFormat] {
        CameraFormat.all(of: try OpenDevice(path, system))
    }

    static func all(_ system: any DeviceSystem) -> [CameraDevice] {
        let found = system.nodes().compactMap { Candidate($0, system) }
        return found.map { candidate in
            let key = candidate.key(among: found)
            let alike = found.filter { $0.key(among: found) == key }
            let place = alike.sorted { ($0.node.index, $0.node.path) < ($1.node.index, $1.node.path) }
                .firstIndex { $0.node == candidate.node }
            return CameraDevice(candidate, identity: (place ?? 0) > 0 ? "\(key)#\((place ?? 0) + 1)" : key)
        }
    }

    /// Whether a node may become a camera without an event: the kernel module v4l2loopback has nodes that capture only
    /// while a program writes to them.
    static func canAppear(_ system: any DeviceSystem) -> Bool {
        system.nodes().contains { node in
            guard let device = try? OpenDevice(node.path, system) else { return false }
            return !device.captures && device.isOutput
        }
    }

    /// The number among the cameras of one device, as in ``identity``; empty for the first.
    var number: Substring { identity.lastIndex(of: "#").map { identity[$0...] } ?? "" }

    /// Whether its serial number identifies it.
    var hasOwnSerial: Bool { serial != nil && identity.dropLast(number.count) != bus }

    private init(_ candidate: Candidate, identity: String) {
        path = candidate.node.path
        (name, driver, bus) = (candidate.name, candidate.driver, candidate.bus)
        serial = candidate.node.serial
        self.identity = identity
        problem = candidate.problem
    }
}

/// A node that captures, or that may capture but cannot be opened to find out.
private struct Candidate {
    let node: DeviceNode
    let name: String
    var driver = ""
    var bus = ""
    var problem: String?

    init?(_ node: DeviceNode, _ system: any DeviceSystem) {
        self.node = node
        do throws(StreamError) {
            let device = try OpenDevice(node.path, system)
            guard device.captures else { return nil }
            (name, driver, bus) = (device.name, device.driver, device.bus)
        } catch {
            // It may have been disconnected just now.
            let isGone = [ENOENT, ENODEV, ENXIO].contains(error.underlying)
            guard error.code == .cannotOpen, !isGone else { return nil }
            (name, bus, problem) = (node.name, node.bus ?? "", error.description)
        }
    }

    func key(among others: [Candidate]) -> String {
        guard let usbID = node.usbID, let serial = node.serial else { return bus.isEmpty ? node.path : bus }
        // Some makers give all their cameras the same serial number.
        let isUnique = !others.contains { $0.node.serial == serial && $0.node.usbID == usbID && $0.bus != bus }
        return isUnique ? "usb-\(usbID)-\(serial)" : bus
    }
}
