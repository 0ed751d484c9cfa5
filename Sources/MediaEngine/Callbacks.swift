internal import Dispatch
import MediaIO

/// Calls the owner's code, one call after the other and never from within a lock or a frame's way, until it is closed.
final class Callbacks: Sendable {
    private let queue: DispatchQueue
    private let isOpen = Monitor(true)
    private let key = DispatchSpecificKey<ObjectIdentifier>()

    init(_ name: String) {
        queue = DispatchQueue(label: name)
        queue.setSpecific(key: key, value: ObjectIdentifier(queue))
    }

    /// Calls `body` on another thread, after what was posted before.
    func post(_ body: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            if isOpen.withLock({ $0 }) { body() }
        }
    }

    /// Makes no further call; when it returns, none is running, but the one that it is called from.
    func close() {
        isOpen.withLock { $0 = false }
        if DispatchQueue.getSpecific(key: key) != ObjectIdentifier(queue) { queue.sync {} }
    }
}
