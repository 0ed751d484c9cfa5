internal import Dispatch
import MediaIO

/// Makes calls to the owner's code on a thread of its own, one after the other, until it is closed.
///
/// The owner may then call the engine, or take its time: no lock is held, and no frame waits.
final class Callbacks: Sendable {
    private let queue: DispatchQueue
    /// The calls that are still to be made; `nil` once it is closed.
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

    /// Makes the calls that were posted, and none afterwards.
    ///
    /// When it returns, no call is running, except the one that it was called from.
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
