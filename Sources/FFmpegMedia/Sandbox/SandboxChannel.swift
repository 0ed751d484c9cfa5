internal import CVitrailSeccomp
import Glibc

/// One end of the connection with a decoder's process: whole messages, each after its length, and one at a time.
///
/// **Thread:** one at a time.
final class SandboxChannel {
    private let socket: Int32
    private let limit: Int
    private var received = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    /// Takes over a connected socket.
    ///
    /// - Parameters:
    ///   - socket: a stream of bytes.
    ///   - limit: the most bytes that a received message may have.
    ///   - seconds: how long to wait for each part of a message; 0 for as long as it takes.
    init(_ socket: Int32, limit: Int, patience seconds: Int = 0) {
        (self.socket, self.limit) = (socket, limit)
        // A decoder's process may not.
        guard seconds > 0 else { return }
        vitrail_set_patience(socket, seconds)
    }

    deinit {
        close(socket)
        received.deallocate()
    }

    /// Sends a message; false if the other end is gone.
    func send(_ message: inout SandboxWriter) -> Bool {
        message.withMessage { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
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
        while filled < end {
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

    private func grow(to count: Int, _ filled: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: received[..<filled]))
        received.deallocate()
        received = larger
    }
}
