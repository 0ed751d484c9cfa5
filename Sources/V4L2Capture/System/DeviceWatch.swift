import Glibc

/// A descriptor that becomes readable when a video node may have come, gone or become accessible.
final class DeviceWatch: Sendable {
    /// For `poll`.
    let descriptor: Int32

    /// Watches `/dev`; `nil` if the system is at its limit.
    init?() {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        // `IN_ATTRIB`, because permissions are set after a node is created. Not `IN_CLOSE`: looking for a camera opens
        // and closes nodes, so two programs that look would wake each other for ever.
        let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_ATTRIB)
        guard inotify_add_watch(descriptor, "/dev", mask) >= 0 else { return nil }
    }

    /// Takes over a descriptor.
    init(takingOver descriptor: Int32) { self.descriptor = descriptor }

    // It runs after a failed initialization, too.
    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes all events so far.
    ///
    /// - Returns: whether one of them concerns a video node.
    func take() -> Bool {
        let size = MemoryLayout<inotify_event>.size
        var isVideo = false
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var place = 0
                while place + size <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                    let name = UnsafeRawBufferPointer(
                        rebasing: buffer[(place + size)..<(place + size + Int(event.len))])
                    // After an overflow, anything may have happened.
                    if name.starts(with: "video".utf8) || event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isVideo = true }
                    place += size + Int(event.len)
                }
            }
        }
        return isVideo
    }
}
