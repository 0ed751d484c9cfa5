import Glibc

/// What a wait for a device and a wake-up has found.
struct Readiness {
    /// Neither happened.
    private(set) var isTimeout = false
    /// The device signals an error and has nothing to read.
    private(set) var hasFailed = false
    /// The wake-up came.
    private(set) var isWoken = false

    /// Waits.
    ///
    /// - Parameters:
    ///   - device: a descriptor.
    ///   - wake: another one.
    ///   - time: the longest wait; `nil` for none.
    init(of device: Int32, _ wake: Int32, within time: Duration?) {
        let milliseconds = time.map { Int32(clamping: Int(($0 / .milliseconds(1)).rounded(.up))) } ?? -1
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { requests in
            requests[0] = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
            requests[1] = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
            let count = poll(requests.baseAddress, 2, milliseconds)
            // A signal may end the wait early, which is harmless.
            isTimeout = count == 0
            guard count > 0 else { return }
            hasFailed = Int32(requests[0].revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
            isWoken = requests[1].revents != 0
        }
    }
}
