import FFmpegMedia
import Foundation
import MediaIO
import PNGFile
import TestSupport
import Testing

/// Decoding in processes that can do nothing else, as the program does it.
@Suite(.timeLimit(.minutes(25)))
final class DecoderSandboxTests {
    private let folder = TemporaryFolder()

    private func render(_ arguments: [String], _ output: String) throws -> [UInt8] {
        let run = try Run(["render"] + arguments + ["-o", output], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        return try folder.read(output)
    }

    @Test(
        "Pictures from a sandbox are the same to the last bit, in every kind of memory and with every option of a codec",
        arguments: [
            ("a.mp4", ["-c:v", "libx264", "-bf", "2"]),
            ("a.mkv", ["-c:v", "libx265", "-x265-params", "log-level=none"]),
            ("a.webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime"]), ("a.avi", ["-c:v", "mjpeg"]),
            ("g.gif", []), ("one-bit.png", ["-frames:v", "1", "-pix_fmt", "monob"]),
            ("p.avi", ["-c:v", "rawvideo", "-pix_fmt", "pal8"]),
            ("ten.mkv", ["-c:v", "ffv1", "-pix_fmt", "yuv422p10le"]),
            ("flipped.avi", ["-c:v", "rawvideo", "-pix_fmt", "bgr24"]),
            (
                "hdr.mkv",
                ["-c:v", "ffv1", "-color_trc", "smpte2084", "-color_primaries", "bt2020", "-colorspace", "bt2020nc"]
            ),
            ("fields.ts", ["-c:v", "mpeg2video", "-flags", "+ilme+ildct", "-top", "1"]),
        ])
    func same(_ name: String, _ encoder: [String]) throws {
        try Clips.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=150x94:rate=25:duration=0.6"] + encoder + [name], in: folder.path)
        let options = ["--frames", "12", "--size", "150x94", "--filter", "nearest"]
        let own = try render([name] + options, "own.y4m")
        let sandboxed = try render([name, "--sandbox", "all"] + options, "sandboxed.y4m")
        let isSame = own == sandboxed
        #expect(isSame)
        #expect(own.count > 12 * 150 * 94)
    }

    @Test("A decoder that is killed costs pictures up to the next key frame, and another one is started")
    func killed() throws {
        try Clips.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-c:v", "libx264", "-g", "12", "a.ts"],
            in: folder.path)
        let display = try VirtualDisplay()
        let program = try startViewer(
            ["a.ts?loop", "--size", "320x192", "--sandbox", "all", "--statistics-to", "s.jsonl"], display, folder)
        func decoders() -> [Int32] {
            let children = "/proc/\(program.process.processIdentifier)/task"
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: children)) ?? []
            return tasks.flatMap { task in
                ((try? String(contentsOfFile: "\(children)/\(task)/children", encoding: .utf8)) ?? "")
                    .split(separator: " ").compactMap { Int32($0) }
            }
        }
        func received() -> Int {
            let lines = (try? String(decoding: folder.read("s.jsonl"), as: UTF8.self)) ?? ""
            let line = lines.split(separator: "\n").last ?? ""
            return line.firstMatch(of: /"received":([0-9]+)/).flatMap { Int($0.1) } ?? 0
        }
        func wait(_ isDone: () throws -> Bool) throws {
            let end = Date.now + 120
            while try !isDone(), Date.now < end, program.process.isRunning { usleep(20_000) }
            #expect(try isDone(), "\(program.errorText)")
        }
        try wait { received() > 10 && decoders().count == 1 }
        let first = decoders()
        // The process of a real decoder is confined, and has nothing open but its connection and its memory.
        let status = try String(contentsOfFile: "/proc/\(first[0])/status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1\n") && status.contains("Seccomp:\t2\n"), "\(status)")
        let files = "/proc/\(first[0])/fd"
        let opened = try FileManager.default.contentsOfDirectory(atPath: files)
            .map { try FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\($0)") }
        let isMeant = opened.allSatisfy {
            $0 == "/dev/null" || $0.hasPrefix("socket:") || $0.contains("memfd:pictures")
        }
        #expect(isMeant && opened.count == 5, "\(opened)")
        kill(first[0], SIGKILL)
        let before = received()
        try wait { decoders().count == 1 && decoders() != first }
        try wait { received() > before + 30 }
        let run = try program.quit(display)
        #expect(run.status == 0, "\(run.errors)")
        #expect(first.allSatisfy { kill($0, 0) != 0 })
    }

    @Test("A decoder's process has no files, no network, no new process, and no code of its own making")
    func confined() throws {
        let program = try RunningProgram.url(of: "SandboxProbe").path(percentEncoded: false)
        for attempt in ["open", "socket", "fork", "exec", "code", "kill", "trace", "thread"] {
            let probe = try RunningProgram(executable: program, [attempt])
            let run = try probe.finish()
            switch attempt {
            case "open": #expect(run.status == 13, "\(attempt): \(run.status)")
            case "thread": #expect(run.status == 0, "\(attempt): \(run.status)")
            // SIGSYS.
            default: #expect(run.status == -31, "\(attempt): \(run.status)")
            }
        }
    }
}
