import Foundation
import MediaIO
import TestSupport

/// A camera that shows the time, behind a network that takes some, with a clock that may be wrong.
final class ClockCamera {
    /// A connection of the network.
    private final class Connection: Sendable {
        private let waiting = Monitor<[(due: MonotonicTime, bytes: [UInt8])]>([])
        private let hasEnded = Monitor(false)
        private let (client, server): (Int32, Int32)

        init(_ client: Int32, _ server: Int32, _ delay: Duration, clockError: Int) {
            (self.client, self.server) = (client, server)
            Thread.detachNewThread { [self] in
                copy(from: client) { LoopbackServer.send($0, server) }
                shutdown(server, Int32(SHUT_RDWR))
            }
            Thread.detachNewThread { [self] in
                var reports = SenderReports(error: clockError)
                copy(from: server) { bytes in
                    let bytes = reports.rewrite(bytes)
                    waiting.change { $0.append((.now + delay, bytes)) }
                    return true
                }
                hasEnded.withLock { $0 = true }
                waiting.change { $0.append((.now + delay, [])) }
                close(server)
            }
            Thread.detachNewThread { [self] in
                while true {
                    guard let next = waiting.wait({ $0.isEmpty ? nil : $0.removeFirst() }), !next.bytes.isEmpty else {
                        return
                    }
                    let rest = next.due - .now
                    if rest > .zero { usleep(useconds_t(rest / .microseconds(1))) }
                    guard LoopbackServer.send(next.bytes, client) else { return }
                }
            }
        }

        private func copy(from source: Int32, to send: ([UInt8]) -> Bool) {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = recv(source, &bytes, bytes.count, 0)
                guard count > 0, send(Array(bytes[..<count])) else { return }
            }
        }
    }

    /// Moves the clock in the sender reports (RFC 3550, 6.4.1) among the interleaved packets of RTSP (RFC 2326, 10.12).
    private struct SenderReports {
        let error: Int
        private var rest: [UInt8] = []

        init(error: Int) { self.error = error }

        mutating func rewrite(_ bytes: [UInt8]) -> [UInt8] {
            guard error != 0 else { return bytes }
            rest += bytes
            var done: [UInt8] = []
            while let length = firstLength, rest.count >= length {
                var part = Array(rest[..<length])
                rest.removeFirst(length)
                if part[0] == UInt8(ascii: "$"), part[1] == 1, part.count >= 16, part[5] == 200 {
                    let stated = part[12..<16].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                    let seconds = stated &+ UInt32(bitPattern: Int32(error))
                    for byte in 0..<4 { part[12 + byte] = UInt8(truncatingIfNeeded: seconds >> (24 - 8 * byte)) }
                }
                done += part
            }
            return done
        }

        /// The length of the packet or the response that comes next; `nil` if it is not known yet.
        private var firstLength: Int? {
            guard rest.count >= 4 else { return nil }
            if rest[0] == UInt8(ascii: "$") { return 4 + Int(rest[2]) << 8 + Int(rest[3]) }
            let text = String(decoding: rest, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { return nil }
            let head = text[..<end.upperBound]
            let length = head.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
            return head.utf8.count + length
        }
    }

    /// Where the viewer connects.
    let address: String
    private let process = Process()
    private let network: LoopbackServer

    /// Starts the camera, and waits until it can be connected to.
    ///
    /// - Parameters:
    ///   - delay: how long the network takes.
    ///   - clockError: how many seconds the camera's clock is ahead.
    /// - Throws: what starting it throws.
    init(delay: Duration, clockError: Int = 0) throws {
        let port = try LoopbackServer.unusedPort()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "clock-server.py").path()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [script, "\(port)"]
        process.standardOutput = output
        try process.run()
        _ = output.fileHandleForReading.availableData
        network = try LoopbackServer(
            .dialogue { client in
                guard let server = try? LoopbackServer.connect(to: port) else { return }
                _ = Connection(client, server, delay, clockError: clockError)
            })
        address = "rtsp://127.0.0.1:\(network.port)/1"
    }

    deinit {
        // Threads of tests block other signals, and the program that they start inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        network.close()
    }
}
