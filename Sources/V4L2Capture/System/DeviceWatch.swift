import Glibc
import VitrailSupport

/// A descriptor that becomes readable when a video node may have appeared, disappeared or become accessible.
final class DeviceWatch: Sendable {
    private let events: Inotify
    /// For `poll`.
    var descriptor: Int32 { events.descriptor }

    /// Watches `/dev`; `nil` if the system is at its limit.
    init?() {
        guard let events = Inotify() else { return nil }
        self.events = events
        // `IN_ATTRIB`, because permissions are set after a node is created. Not `IN_CLOSE`: looking for a camera opens
        // and closes nodes, so two programs that look would wake each other for ever.
        let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_ATTRIB)
        guard events.add("/dev", mask: mask) >= 0 else { return nil }
    }

    /// Takes over a descriptor.
    init(takingOver descriptor: Int32) { events = Inotify(takingOver: descriptor) }

    /// Takes all events so far.
    ///
    /// - Returns: whether one of them concerns a video node.
    func take() -> Bool {
        events.readEvents { mask, _, name in
            // After an overflow, anything may have happened.
            name.hasPrefix("video") || mask & UInt32(IN_Q_OVERFLOW) != 0
        }
    }
}
