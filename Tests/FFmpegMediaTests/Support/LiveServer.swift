import Foundation

/// FFmpeg's program as a live server on the loopback address: a moving picture in real time, for one client.
final class LiveServer {
    private let child: pid_t

    /// Starts it; connections are refused until it is ready.
    convenience init(port: UInt16) throws {
        try self.init([
            "-c:v", "mpeg2video", "-g", "5", "-bf", "0", "-f", "mpegts", "-flush_packets", "1",
            "tcp://127.0.0.1:\(port)?listen=1",
        ])
    }

    /// Starts it with the options of what it sends, and where.
    init(_ output: [String], hasSound: Bool = false) throws {
        let sound = hasSound ? ["-re", "-f", "lavfi", "-i", "sine=sample_rate=48000"] : []
        let words =
            ["ffmpeg", "-nostdin", "-v", "quiet", "-re", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25"] + sound
            + output
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        guard posix_spawnp(&child, "ffmpeg", nil, nil, &pointers, environ) == 0 else {
            throw ClipFolder.ToolError(description: "ffmpeg cannot be run: install the Debian package ffmpeg")
        }
        self.child = child
    }

    deinit {
        kill(child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    }

    func pause() { kill(child, SIGSTOP) }
    func resume() { kill(child, SIGCONT) }
}
