import FFmpegMedia
import Foundation
import MediaIO
import TestSupport

/// A temporary folder with clips in it, gone with the object.
final class ClipFolder: Sendable {
    struct ToolError: Error, CustomStringConvertible {
        let description: String
    }

    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/vitrail-clips-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw ToolError(description: "no temporary folder: \(errno)") }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func location(_ name: String) -> MediaLocation { .file(path: file(name)) }

    func reader(_ name: String) throws -> MediaReader { try MediaReader(location(name)) }

    func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: file(name)))) }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    }

    /// Makes a clip of FFmpeg's moving test picture; the extension of its name chooses the container.
    func makeClip(
        _ name: String, size: String = "64x48", frames: Int = 10, rate: String = "25", _ arguments: [String]
    ) throws {
        // The picture itself has even sides only; the scaler makes odd ones.
        let picture = "testsrc2=size=320x240:rate=\(rate),scale=\(size.replacing("x", with: ":"))"
        try ffmpeg(
            ["-f", "lavfi", "-i", picture, "-frames:v", "\(frames)"] + taggingPictures(arguments) + [file(name)])
    }

    /// Copies a clip with other colour tags of the container's, which the encoder may not take.
    func retag(_ name: String, as copy: String, _ tags: [String]) throws {
        try ffmpeg(["-i", file(name), "-c", "copy"] + tags + [file(copy)])
    }

    /// Every decoded byte of a clip by FFmpeg's own program, in memory order and not rotated.
    func decodedBytes(_ name: String, pixelFormat: String = "yuv420p", _ options: [String] = ["-noautorotate"]) throws
        -> [UInt8]
    {
        let raw = "\(name).\(pixelFormat).raw"
        try ffmpeg(
            options + ["-i", file(name), "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo"]
                + ["-pix_fmt", pixelFormat, file(raw)])
        return try bytes(raw)
    }

    func ffmpeg(_ arguments: [String]) throws {
        let log = file("log-\(UUID().uuidString)")
        let words = ["ffmpeg", "-nostdin", "-v", "error", "-y"] + arguments
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT, 0o600)
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        guard posix_spawnp(&child, "ffmpeg", &actions, nil, &pointers, environ) == 0 else {
            throw ToolError(description: "ffmpeg cannot be run: install the Debian package ffmpeg")
        }
        var status: Int32 = -1
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw ToolError(description: "\(words.joined(separator: " ")) failed: \(text)")
        }
    }
}
