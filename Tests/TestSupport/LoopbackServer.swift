import Foundation
import MediaIO

/// A server on this machine's loopback address that answers each connection by a fixed rule.
public final class LoopbackServer: Sendable {
    /// What a connection gets.
    public enum Answer: Sendable {
        /// These bytes, then the end.
        case bytes([UInt8])
        /// These bytes, then nothing for as long as the server lives.
        case bytesThenSilence([UInt8])
        /// The response to an HTTP request, by its path.
        case http([String: [UInt8]])
        /// Whatever the closure sends; it gets the connection, which stays open.
        case dialogue(@Sendable (Int32) -> Void)
    }

    private struct State {
        var connections: [Int32] = []
        var requests: [String] = []
        var isClosed = false
    }

    /// Where it listens.
    public let port: UInt16
    private let listener: Int32
    private let state = Monitor(State())
    private let accepted = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Begins to listen, at any port or at one that was free a moment ago.
    public init(_ answer: Answer, port wanted: UInt16 = 0) throws {
        (listener, port) = try Self.listen(wanted)
        let (listener, accepted, ended) = (listener, accepted, ended)
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                let isClosed = state.withLock { state in
                    if connection >= 0 { state.connections.append(connection) }
                    return state.isClosed
                }
                guard connection >= 0, !isClosed else { break }
                accepted.signal()
                serve(connection, answer)
            }
            ended.signal()
        }
    }

    /// Ends the thread and every connection.
    ///
    /// The thread retains the server, so this is explicit and not left to `deinit`.
    public func close() {
        state.withLock { $0.isClosed = true }
        shutdown(listener, Int32(SHUT_RDWR))
        ended.wait()
        for connection in state.withLock({ $0.connections }) { Foundation.close(connection) }
        Foundation.close(listener)
    }

    /// Waits until a client has connected.
    public func waitForConnection() { accepted.wait() }

    /// How many have connected.
    public var connectionCount: Int { state.withLock { $0.connections.count } }

    /// The paths that were asked for.
    public var requests: [String] { state.withLock { $0.requests } }

    /// A port without a listener.
    public static func unusedPort() throws -> UInt16 {
        let (listener, port) = try listen()
        Foundation.close(listener)
        return port
    }

    private func serve(_ connection: Int32, _ answer: Answer) {
        switch answer {
        case .dialogue(let answer): answer(connection)
        case .bytes(let bytes):
            Self.send(bytes, connection)
            shutdown(connection, Int32(SHUT_WR))
        case .bytesThenSilence(let bytes): Self.send(bytes, connection)
        case .http(let files):
            var request = [UInt8](repeating: 0, count: 4096)
            let count = max(recv(connection, &request, request.count, 0), 0)
            let words = String(decoding: request[..<count], as: UTF8.self).split(separator: " ")
            let path = words.count > 1 ? String(words[1]) : ""
            state.withLock { $0.requests.append(path) }
            let body = files[path]
            let head =
                "HTTP/1.0 \(body == nil ? "404 Not Found" : "200 OK")\r\nContent-Length: \(body?.count ?? 0)\r\n\r\n"
            Self.send(Array(head.utf8) + (body ?? []), connection)
            shutdown(connection, Int32(SHUT_WR))
        }
    }

    /// Sends all of the bytes, unless the client has gone.
    @discardableResult
    public static func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// Connects to a port of this machine.
    public static func connect(to port: UInt16) throws -> Int32 {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            Foundation.close(connection)
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        return connection
    }

    private static func listen(_ port: UInt16 = 0) throws -> (Int32, UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var isReused: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(listener, address, length) == 0, Foundation.listen(listener, 8) == 0 else {
                    return Int32(-1)
                }
                return getsockname(listener, address, &length)
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return (listener, UInt16(bigEndian: address.sin_port))
    }
}
