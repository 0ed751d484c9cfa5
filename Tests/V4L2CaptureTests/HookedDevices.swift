import MediaIO

@testable import V4L2Capture

/// Other devices, with a hook before each call of a driver, and a count of the nodes that were opened; some may be hidden.
final class HookedDevices: DeviceSystem {
    /// Answers a call instead of the driver; `nil` if the driver shall.
    typealias Hook = @Sendable (_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32?

    private let inner: any DeviceSystem
    private let hook: Hook
    private let hidden: Set<String>
    private let opened = Monitor(0)

    init(
        _ inner: any DeviceSystem, hiding hidden: Set<String> = [], _ hook: @escaping Hook = { _, _ in nil }
    ) {
        (self.inner, self.hook, self.hidden) = (inner, hook, hidden)
    }

    /// How often a node was opened.
    var openedCount: Int { opened.withLock { $0 } }

    func nodes() -> [DeviceNode] { inner.nodes().filter { !hidden.contains($0.path) } }

    func open(_ path: String) -> (descriptor: Int32, error: Int32) {
        opened.withLock { $0 += 1 }
        return inner.open(path)
    }

    func close(_ descriptor: Int32) { inner.close(descriptor) }

    func control(_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        hook(request, argument) ?? inner.control(descriptor, request, argument)
    }

    func map(_ descriptor: Int32, length: Int, offset: Int) -> UnsafeMutableRawBufferPointer? {
        inner.map(descriptor, length: length, offset: offset)
    }

    func unmap(_ memory: UnsafeMutableRawBufferPointer) { inner.unmap(memory) }

    func users(of path: String) -> [String] { inner.users(of: path) }

    func isOpenTwice(_ path: String) -> Bool { inner.isOpenTwice(path) }

    func group(of path: String) -> String? { inner.group(of: path) }

    func watchNodes() -> DeviceWatch? { inner.watchNodes() }
}
