internal import CVitrailSeccomp
import Glibc
import MediaIO

/// One end of the connection with a decoder's process: whole messages, each after its length, and one at a time.
///
/// **Thread:** one at a time.
final class SandboxChannel {
    private let socket: Int32
    private let limit: Int
    /// `nil` for as long as it takes.
    private let patience: Duration?
    private var received = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    /// Takes over a connected socket.
    ///
    /// - Parameters:
    ///   - socket: a stream of bytes.
    ///   - limit: the most bytes that a received message may have.
    ///   - seconds: how long to wait for a message, and for room for what is sent; 0 for as long as it takes.
    init(_ socket: Int32, limit: Int, patience seconds: Int = 0) {
        (self.socket, self.limit) = (socket, limit)
        patience = seconds > 0 ? .seconds(seconds) : nil
        // A decoder's process may not.
        if seconds > 0 { vitrail_set_patience(socket, seconds) }
    }

    deinit {
        close(socket)
        received.deallocate()
    }

    /// Sends a message; false if the other end is gone, or does not read it.
    func send(_ message: inout SandboxWriter) -> Bool {
        message.withMessage { bytes in
            var rest = bytes
            let latest = latest
            let flags = Int32(MSG_NOSIGNAL | (latest == nil ? 0 : MSG_DONTWAIT))
            while !rest.isEmpty {
                let count = Glibc.send(socket, rest.baseAddress, rest.count, flags)
                if count < 0, errno == EAGAIN, let latest {
                    guard isReady(POLLOUT, until: latest) else { return false }
                    continue
                }
                guard count > 0 || errno == EINTR else { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
            }
            return true
        }
    }

    /// Receives the next message, which is there until the one after it is received.
    ///
    /// - Returns: `nil` if the other end is gone, says nothing, or says too much.
    func receive() -> SandboxReader? {
        let head = SandboxWriter.headByteCount
        var (filled, end) = (0, head)
        let latest = latest
        while filled < end {
            // The socket's own limit is for each part.
            if filled > 0, let latest, !isReady(POLLIN, until: latest) { return nil }
            // Of what was sent in one piece, all that there is.
            let count = recv(
                socket, received.baseAddress.map { $0 + filled }, received.count - filled, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            filled += count
            guard filled >= head else { continue }
            let length = received.loadUnaligned(as: UInt32.self)
            guard length <= limit else { return nil }
            end = head + Int(length)
            if end > received.count { grow(to: end, filled) }
        }
        // No more is sent before an answer.
        return filled == end ? SandboxReader(UnsafeRawBufferPointer(rebasing: received[head..<end])) : nil
    }

    /// When a message that begins now must be over.
    private var latest: MonotonicTime? { patience.map { .now + $0 } }

    /// Waits until something can be received or sent; false if that is not in time.
    private func isReady(_ events: Int32, until latest: MonotonicTime) -> Bool {
        let rest = (latest.sinceBoot - MonotonicTime.now.sinceBoot) / .milliseconds(1)
        var wanted = pollfd(fd: socket, events: Int16(events), revents: 0)
        return rest > 0 && poll(&wanted, 1, Int32(rest.rounded(.up))) != 0
    }

    private func grow(to count: Int, _ filled: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: received[..<filled]))
        received.deallocate()
        received = larger
    }
}
