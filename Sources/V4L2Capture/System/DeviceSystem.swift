/// The system calls for cameras, and what the system knows about cameras; tests replace it by simulated devices.
///
/// Errors are `errno` values.
///
/// **Thread:** any.
protocol DeviceSystem: Sendable {
    /// The video nodes, by their numbers, including those that do not capture.
    func nodes() -> [DeviceNode]

    /// Opens a node without waiting; −1 and an error if that fails.
    func open(_ path: String) -> (descriptor: Int32, error: Int32)

    /// Closes a node.
    func close(_ descriptor: Int32)

    /// Calls the driver; 0 if it succeeds.
    func control(_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32

    /// Maps the driver's memory; `nil` if that fails.
    func map(_ descriptor: Int32, length: Int, offset: Int) -> UnsafeMutableRawBufferPointer?

    /// Unmaps memory that was mapped with ``map(_:length:offset:)``.
    func unmap(_ memory: UnsafeMutableRawBufferPointer)

    /// The names of other programs that have a node open, as far as this user may know.
    func users(of path: String) -> [String]

    /// Whether this program has a node open more than once.
    func isOpenTwice(_ path: String) -> Bool

    /// The group that a node belongs to; `nil` if it has no name.
    func group(of path: String) -> String?

    /// Watches for nodes that appear, disappear or become accessible; `nil` if the system's limit is reached.
    func watchNodes() -> DeviceWatch?
}

/// A video node of the system.
struct DeviceNode: Hashable, Sendable {
    /// `/dev/video0`.
    var path: String
    /// The name that the driver gave it.
    var name = ""
    /// The index among the nodes of one device, from 0.
    var index = 0
    /// Where a USB device is connected, which its driver says, too.
    var bus: String?
    /// Vendor and product, `046d:0825`, of a USB device.
    var usbID: String?
    /// The serial number of a USB device that has one.
    var serial: String?
}
