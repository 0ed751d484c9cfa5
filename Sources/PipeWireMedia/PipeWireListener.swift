import CVitrailPipeWire

/// The functions that PipeWire calls for an object, at addresses that stay the same.
final class PipeWireListener<Events> {
    let hook: UnsafeMutablePointer<spa_hook>
    let events: UnsafeMutablePointer<Events>

    init(_ events: Events) {
        hook = .allocate(capacity: 1)
        hook.initialize(to: spa_hook())
        self.events = .allocate(capacity: 1)
        self.events.initialize(to: events)
    }

    /// Removed before its object is destroyed.
    func remove() { spa_hook_remove(hook) }

    deinit {
        hook.deallocate()
        events.deallocate()
    }
}
