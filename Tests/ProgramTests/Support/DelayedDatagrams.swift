import Glibc
import MediaIO
import TestSupport

/// A network that takes its time: what is sent to its port arrives at another one later.
final class DelayedDatagrams: Sendable {
    private struct Datagram {
        var bytes: [UInt8]
        var due: MonotonicTime
    }

    private struct State {
        var waiting: [Datagram] = []
        var isOver = false
    }

    private let state = Monitor(State())

    /// Begins.
    ///
    /// - Parameters:
    ///   - port: where datagrams are sent to.
    ///   - target: where they arrive.
    ///   - delay: how long they take.
    /// - Throws: what starting threads throws.
    init(from port: UInt16, to target: UInt16, delay: Duration) throws {
        let state = state
        let (receiver, sender) = (Self.socket(), Self.socket())
        var own = Self.address(port)
        let isBound = withUnsafePointer(to: &own) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(receiver, $0, UInt32(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(isBound == 0, "The port is taken.")
        try SystemThread(for: "datagrams in") {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(receiver, &buffer, buffer.count, 0)
                guard count >= 0 || errno == EAGAIN || errno == EINTR else { break }
                let isOver = state.change { state in
                    if count > 0 { state.waiting.append(Datagram(bytes: Array(buffer[..<count]), due: .now + delay)) }
                    return state.isOver
                }
                if isOver { break }
            }
            close(receiver)
        }.detach()
        try SystemThread(for: "datagrams out") {
            var address = Self.address(target)
            while true {
                let next = state.wait { state -> [Datagram]? in
                    if state.isOver { return [] }
                    return state.waiting.isEmpty ? nil : [state.waiting.removeFirst()]
                }
                guard let datagram = next?.first else { break }
                let wait = datagram.due - .now
                if wait > .zero { usleep(useconds_t(wait / .microseconds(1))) }
                _ = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        sendto(
                            sender, datagram.bytes, datagram.bytes.count, 0, $0, UInt32(MemoryLayout<sockaddr_in>.size))
                    }
                }
            }
            close(sender)
        }.detach()
    }

    deinit { state.change { $0.isOver = true } }

    private static func socket() -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var limit = timeval(tv_sec: 0, tv_usec: 100_000)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, UInt32(MemoryLayout<timeval>.size))
        return socket
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }
}
