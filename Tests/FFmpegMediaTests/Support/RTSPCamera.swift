import Foundation
import TestSupport

/// A camera that speaks RTSP over TCP: it sends its packets as soon as it is asked to play, and then falls silent.
struct RTSPCamera {
    /// The answer of a ``LoopbackServer``.
    let answer: LoopbackServer.Answer

    /// Encodes a moving picture as H.264 in RTP packets.
    ///
    /// - Parameters:
    ///   - folder: for the description of the stream.
    ///   - frames: the number of frames.
    ///   - lost: which of them are lost on the way, all of their packets.
    /// - Throws: what FFmpeg says.
    init(_ folder: ClipFolder, frames: Int, losing lost: Set<Int> = []) throws {
        let receiver = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(receiver) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(receiver, address, length)
                _ = getsockname(receiver, address, &length)
            }
        }
        let port = UInt16(bigEndian: address.sin_port)
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25", "-frames:v", "\(frames)", "-pix_fmt", "yuv420p", "-c:v",
            "libx264", "-tune", "zerolatency", "-g", "10", "-flags", "+global_header", "-f", "rtp", "-sdp_file",
            folder.file("camera.sdp"), "rtp://127.0.0.1:\(port)",
        ])
        let description = try folder.bytes("camera.sdp")
        var stream: [UInt8] = []
        var packet = [UInt8](repeating: 0, count: 2000)
        var picture = 0
        while case let count = recv(receiver, &packet, packet.count, Int32(MSG_DONTWAIT)), count > 0 {
            // The marker says that it is the last one of its picture: RFC 6184, 5.1.
            defer { picture += Int(packet[1] >> 7) }
            if lost.contains(picture) { continue }
            // Interleaved with the answers: RFC 2326, 10.12.
            let header: [UInt8] = [0x24, 0, UInt8(count >> 8), UInt8(count & 255)]
            stream += header
            stream += packet[..<count]
        }
        let packets = stream
        answer = .dialogue { connection in
            Thread.detachNewThread { Self.talk(connection, description, packets) }
        }
    }

    private static func talk(_ connection: Int32, _ description: [UInt8], _ packets: [UInt8]) {
        var received: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(connection, &bytes, bytes.count, 0), count > 0 {
            received += bytes[..<count]
            while let end = received.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
                let request = String(decoding: received[..<end], as: UTF8.self)
                received.removeFirst(end)
                reply(to: request, connection, description)
                if request.hasPrefix("PLAY") { LoopbackServer.send(packets, connection) }
            }
        }
    }

    private static func reply(to request: String, _ connection: Int32, _ description: [UInt8]) {
        let lines = request.split(separator: "\r\n")
        let number = lines.first { $0.hasPrefix("CSeq") } ?? "CSeq: 0"
        var (status, header, body) = ("200 OK", "", [UInt8]())
        if request.hasPrefix("OPTIONS") { header = "Public: DESCRIBE, SETUP, PLAY, TEARDOWN\r\n" }
        if request.hasPrefix("DESCRIBE") {
            header = "Content-Type: application/sdp\r\nContent-Length: \(description.count)\r\n"
            body = description
        }
        if request.hasPrefix("SETUP") {
            // Only TCP, which the client tries after UDP.
            if request.contains("interleaved") {
                header = "Session: 1\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n"
            } else {
                status = "461 Unsupported Transport"
            }
        }
        let head = "RTSP/1.0 \(status)\r\n\(number)\r\n\(header)\r\n"
        LoopbackServer.send(Array(head.utf8) + body, connection)
    }
}
