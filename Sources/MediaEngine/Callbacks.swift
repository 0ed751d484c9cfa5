internal import Dispatch
import MediaIO

/// Calls the owner's code, one call after the other and never from within a lock or a frame's way, until it is closed.
final class Callbacks: Sendable {
    private let queue: DispatchQueue
    /// What is still to be called; `nil` once it is closed.
    private let pending = Monitor<[@Sendable () -> Void]?>([])
    private let key = DispatchSpecificKey<ObjectIdentifier>()

    init(_ name: String) {
        queue = DispatchQueue(label: name)
        queue.setSpecific(key: key, value: ObjectIdentifier(queue))
    }

    /// Calls `body` on another thread, after what was posted before.
    func post(_ body: @escaping @Sendable () -> Void) {
        pending.withLock { $0?.append(body) }
        queue.async { self.callNext() }
    }

    /// Makes the calls that are still to be made, and none afterwards; when it returns, none is running, but the one that it
    /// is called from.
    func close() {
        if DispatchQueue.getSpecific(key: key) == ObjectIdentifier(queue) {
            finish()
        } else {
            queue.sync { finish() }
        }
    }

    private func finish() {
        while callNext() {}
        pending.withLock { $0 = nil }
    }

    @discardableResult private func callNext() -> Bool {
        let next = pending.withLock { pending in
            pending?.isEmpty == false ? pending?.removeFirst() : nil
        }
        next?()
        return next != nil
    }
}
