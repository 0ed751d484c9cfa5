import Foundation

/// A server whose stream a tile shows; it is ended, stopped and started again while the tile is there.
final class SoakServer {
    /// What a tile opens.
    let url: String
    private let command: [String]
    private var process: Process?
    /// Whether it is meant to be there.
    private var isWanted = false

    init(_ url: String, _ command: [String]) {
        (self.url, self.command) = (url, command)
    }

    /// FFmpeg that sends a clip again and again, at its own pace.
    static func ffmpeg(_ clip: String, _ url: String, at target: String) -> SoakServer {
        SoakServer(
            url,
            [
                "/usr/bin/ffmpeg", "-v", "quiet", "-nostdin", "-re", "-stream_loop", "-1", "-i", clip, "-c", "copy",
                "-f",
                "mpegts",
            ] + target.split(separator: " ").map(String.init))
    }

    deinit { end(by: SIGKILL) }

    /// Starts it unless it runs.
    func start() throws {
        isWanted = true
        guard process?.isRunning != true else { return }
        let new = Process()
        new.executableURL = URL(filePath: command[0])
        new.arguments = Array(command.dropFirst())
        (new.standardInput, new.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        new.standardError = FileHandle.nullDevice
        try new.run()
        process = new
    }

    /// Starts it again if it has ended by itself, as FFmpeg's server does when its one client has left.
    func lookAfter() throws { if isWanted { try start() } }

    /// Ends it; it does not come back by itself.
    func end(by signal: Int32) {
        isWanted = false
        guard let process, process.isRunning else { return }
        // One that is stopped takes no other signal.
        kill(process.processIdentifier, SIGCONT)
        kill(process.processIdentifier, signal)
        let end = Date.now + 2
        while process.isRunning, Date.now < end { usleep(10_000) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        self.process = nil
    }

    /// Holds it, or lets it go on.
    func hold(_ isHeld: Bool) {
        if let process, process.isRunning { kill(process.processIdentifier, isHeld ? SIGSTOP : SIGCONT) }
    }
}
