import CVitrailV4L2
import Glibc
import MediaIO

@testable import V4L2Capture

/// Simulated cameras behind the system calls, for behaviour that no real driver can be asked for.
final class FakeDevices: DeviceSystem {
    private struct State {
        var cameras: [FakeCamera] = []
        /// The cameras behind open descriptors.
        var open: [Int32: FakeCamera] = [:]
        /// The cameras whose memory is mapped, by its address.
        var mapped: [UnsafeMutableRawPointer: FakeCamera] = [:]
        var errors: [String: Int32] = [:]
        var users: [String] = []
    }

    private let state = Monitor(State())
    /// The ends of the pipe that stands for events of nodes.
    private let events: (read: Int32, write: Int32)

    init(_ cameras: FakeCamera...) {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        events = (ends[0], ends[1])
        state.withLock { $0.cameras = cameras }
    }

    deinit {
        close(events.read)
        close(events.write)
    }

    // MARK: What a test says

    /// Connects a camera.
    func connect(_ camera: FakeCamera) {
        state.withLock { $0.cameras.append(camera) }
        announce()
    }

    /// Disconnects a camera, while it is used or not.
    func disconnect(_ camera: FakeCamera) {
        state.withLock { state in state.cameras.removeAll { $0 === camera } }
        camera.unplug()
        announce()
    }

    /// Makes every opening of a node fail; 0 for none.
    func setError(_ error: Int32, of path: String) {
        state.withLock { $0.errors[path] = error }
        announce()
    }

    func setUsers(_ users: [String]) { state.withLock { $0.users = users } }

    /// The descriptors that are open, and the memory that is mapped.
    var inUse: (descriptors: Int, mappings: Int) { state.withLock { ($0.open.count, $0.mapped.count) } }

    private func announce() {
        // As the kernel writes it.
        var event = inotify_event()
        event.len = 16
        let name = Array("video0".utf8) + [UInt8](repeating: 0, count: 10)
        let bytes = withUnsafeBytes(of: &event) { Array($0) } + name
        _ = Glibc.write(events.write, bytes, bytes.count)
    }

    // MARK: DeviceSystem

    func nodes() -> [DeviceNode] { state.withLock { $0.cameras.map(\.node) } }

    func open(_ path: String) -> (descriptor: Int32, error: Int32) {
        state.withLock { state in
            guard let camera = state.cameras.first(where: { $0.node.path == path }) else { return (-1, ENOENT) }
            if let error = state.errors[path], error != 0 { return (-1, error) }
            let descriptor = camera.open()
            state.open[descriptor] = camera
            return (descriptor, 0)
        }
    }

    func close(_ descriptor: Int32) {
        let camera = state.withLock { $0.open.removeValue(forKey: descriptor) }
        camera?.close(descriptor)
    }

    func control(_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        guard let camera = state.withLock({ $0.open[descriptor] }) else { return EBADF }
        return camera.control(descriptor, request, argument)
    }

    func map(_ descriptor: Int32, length: Int, offset: Int) -> UnsafeMutableRawBufferPointer? {
        guard let camera = state.withLock({ $0.open[descriptor] }), let memory = camera.map(offset),
            let address = memory.baseAddress
        else { return nil }
        state.withLock { $0.mapped[address] = camera }
        return memory
    }

    func unmap(_ memory: UnsafeMutableRawBufferPointer) {
        let camera = state.withLock { state in memory.baseAddress.flatMap { state.mapped.removeValue(forKey: $0) } }
        camera?.unmap(memory)
    }

    func users(of path: String) -> [String] { state.withLock { $0.users } }

    func isOpenTwice(_ path: String) -> Bool {
        state.withLock { state in state.open.values.count { $0.node.path == path } > 1 }
    }

    func group(of path: String) -> String? { "video" }

    func watchNodes() -> DeviceWatch? { DeviceWatch(takingOver: dup(events.read)) }
}
