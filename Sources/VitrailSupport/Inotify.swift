import Glibc

/// The kernel's events of folders and files, by inotify.
///
/// **Thread:** any.
package final class Inotify: Sendable {
    /// For `poll`: readable when there are events.
    package let descriptor: Int32

    /// Watches nothing yet; `nil` if the system is at its limit, and `errno` says which.
    package init?() {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
    }

    /// Takes over a descriptor that events are read from, and that does not block.
    package init(takingOver descriptor: Int32) { self.descriptor = descriptor }

    // It runs after a failed initialization, too.
    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches a folder or a file.
    ///
    /// - Returns: the number of the watch, the same for what is already watched; negative if it cannot be, and `errno`
    ///   says why.
    package func add(_ path: String, mask: UInt32) -> Int32 { inotify_add_watch(descriptor, path, mask) }

    /// Ends a watch.
    package func remove(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

    /// Takes all events so far.
    ///
    /// - Parameter body: gets the mask, the watch and the name of each event, and returns whether it matters.
    /// - Returns: whether one of them matters.
    package func readEvents(_ body: (_ mask: UInt32, _ watch: Int32, _ name: String) -> Bool) -> Bool {
        let size = MemoryLayout<inotify_event>.size
        var matters = false
        // The longest event is a header and a name of 256 bytes.
        withUnsafeTemporaryAllocation(byteCount: 16 * (size + 256), alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var place = 0
                while place + size <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                    place += size
                    let name = buffer[place..<(place + Int(event.len))].prefix { $0 != 0 }
                    place += Int(event.len)
                    if body(event.mask, event.wd, String(decoding: name, as: UTF8.self)) { matters = true }
                }
            }
        }
        return matters
    }
}
