import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing
import VideoSources

/// The outputs of a wall beside its window: `vitrail view --also`.
@Suite(.timeLimit(.minutes(25)), .serialized)
final class ViewOutputTests {
    private let display: VirtualDisplay
    private let folder = TemporaryFolder()

    init() throws { display = try VirtualDisplay() }

    private func frames(_ name: String) throws -> [VideoFrame] {
        let reader = try MediaReader(.file(path: "\(folder.path)/\(name)"))
        var frames: [VideoFrame] = []
        while let frame = try reader.next() { frames.append(frame) }
        return frames
    }

    @Test(
        "A file has what the window shows, to the last code value, at its own size and rate", arguments: ["cpu", "gpu"])
    func sameAsTheWindow(_ renderer: String) throws {
        _ = folder.write("a.y4m", Clips.y4m(frames: 1, width: 320, height: 240))
        try Clips.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=320x240", "-frames:v", "1", "-pix_fmt", "yuv420p", "b.y4m"],
            in: folder.path)
        let wall = ["a.y4m?loop", "b.y4m?loop", "--gap", "0", "--size", "640x240", "--renderer", renderer]
        let program = try startViewer(
            wall + ["--verbose", "--also", "a.mkv?size=640x240&fps=10&lossless", "--also", "b.mp4?size=321x241&fps=5"],
            display,
            folder)
        // Without names.
        try display.xdotool("key", "l")
        usleep(3_000_000)
        let run = try program.quit(display)
        #expect(run.status == 0, "\(run.errors)")
        let reference = try Run(
            ["render"] + wall + ["--frames", "1", "-o", "r.mkv", "--lossless"], in: folder.path)
        #expect(reference.status == 0, "\(reference.errors)")
        let (drawn, expected) = (try frames("a.mkv"), try frames("r.mkv"))
        let bytes = try #require(expected.first).planes.packedBytes
        // The wall may be empty at first, until its inputs are there.
        let last = try #require(drawn.last)
        #expect(last.planes.packedBytes.elementsEqual(bytes), "The samples differ.")
        let interval = Duration.milliseconds(100)
        #expect(drawn.count > 10)
        // Numbers that were missed on a busy machine are counted.
        let line = try #require(run.errors.first { $0.contains("a.mkv: ") })
        let missed = line.firstMatch(of: /([0-9]+) missed/).flatMap { Int($0.1) } ?? 0
        let numbers = drawn.compactMap { $0.presentationTime.map { Int(($0 / interval).rounded()) } }
        #expect(drawn.count == numbers.count && line.contains("\(drawn.count) pictures"))
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(numbers.first == 0 && numbers.last.map { $0 + 1 <= drawn.count + missed } == true, "\(line)")
        #expect(drawn.allSatisfy { $0.presentationTime.map { $0.wholeNanoseconds % 100_000_000 } == 0 })
        let small = try #require(try frames("b.mp4").first)
        #expect(small.planes.size == VideoSize(width: 322, height: 242))
    }

    @Test("Lines of control begin and end outputs, and the statistics have them")
    func control() throws {
        let wall = try TestWall(["--statistics-to", "s.jsonl"])
        func wait(_ what: String, until isTrue: () throws -> Bool) throws {
            let end = Date.now + 120
            while try !isTrue(), Date.now < end, wall.program.process.isRunning { usleep(20_000) }
            #expect(try isTrue(), "\(what): \(wall.program.errorText)")
        }
        func statistics(_ text: String) -> Bool {
            // Made with the first line.
            (try? String(contentsOfFile: "\(wall.folder.path)/s.jsonl", encoding: .utf8))?.split(separator: "\n").last?
                .contains(text) == true
        }
        wall.act("also a.mkv?size=32x16&fps=10")
        try wait("running") { statistics(#""name":"a.mkv""#) && statistics(#""state":"running""#) }
        for words in [
            "also a.mkv?fps=5", "also 1.yuv", "also b.avi", "end-also c.mkv", "also d.mkv?fps=0", "also",
            "also /proc/nowhere/a.mkv", "add a.mkv",
        ] {
            wall.act(words)
        }
        // The tile of the input that cannot be opened.
        wall.act("remove", tile: 4)
        wall.act("also b.mkv?size=32x16&fps=10")
        try wait("both") { statistics(#""name":"b.mkv""#) }
        wall.act("end-also a.mkv")
        try wait("complete") { try wall.folder.names.contains("a.mkv") && !statistics("a.mkv") }
        wall.act("add a.mkv?loop")
        try wait("shown") { statistics(#""name":"a.mkv?loop""#) || statistics(#""name":"a.mkv""#) }
        wall.act("end-also all")
        try wait("all complete") { try wall.folder.names.contains("b.mkv") && !statistics("outputs") }
        wall.act("end-also all")
        wall.act("also c.mkv?size=32x16&fps=10")
        try wait("running at the end") { statistics(#""name":"c.mkv""#) && statistics(#""state":"running""#) }
        let run = try wall.program.quit(wall.display)
        #expect(run.status == 0, "\(run.errors)")
        let refusals = [
            "a.mkv is an output already", "1.yuv", "b.avi is no output", "There is no output c.mkv: there is a.mkv",
            "not a value of fps", "write also OUTPUT", "/proc/nowhere/a.mkv", "a.mkv is both the input",
            "There is no output: also OUTPUT begins one",
        ]
        #expect(run.errors.count == refusals.count, "\(run.errors)")
        for (error, words) in zip(run.errors, refusals) { #expect(error.contains(words), "\(error)") }
        for name in ["a.mkv", "b.mkv", "c.mkv"] {
            let reader = try MediaReader(.file(path: "\(wall.folder.path)/\(name)"))
            var count = 0
            while try reader.next() != nil { count += 1 }
            #expect(count > 3, "\(name)")
        }
    }

    @Test("Without a window and a display, the wall is written all the same, and snapshots are saved")
    func noWindow() throws {
        let pipe = "\(folder.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let writer = open(pipe, O_RDWR)
        defer { close(writer) }
        let program = try RunningProgram(
            [
                "view", "test:clock?size=320x240&fps=20", "test:bars?size=320x240", "--no-window", "--size", "640x240",
                "--control", "--also", "a.mkv?size=640x240&fps=20&lossless", "--effect", "blur:radius=3",
                "--statistics-to", "s.jsonl",
            ], in: folder.path, environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""], input: pipe)
        let end = Date.now + 120
        while outputPictures("s.jsonl") < 40, Date.now < end { usleep(20_000) }
        let line = Array("{\"do\": \"snapshot\"}\n".utf8)
        _ = line.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
        while try !folder.names.contains(where: { $0.hasSuffix(".png") }), Date.now < end { usleep(20_000) }
        kill(program.process.processIdentifier, SIGTERM)
        let run = try program.finish()
        #expect(run.status == -SIGTERM && run.errors.count == 1, "\(run.errors)")
        let pictures = try frames("a.mkv").map { Array($0.planes.packedBytes) }
        let different = zip(pictures.dropFirst(20), pictures.dropFirst(21)).count { !$0.elementsEqual($1) }
        #expect(pictures.count > 30 && different > (pictures.count - 21) / 2, "\(different) of \(pictures.count)")
    }

    /// How many pictures the first output had, as the newest line of statistics says.
    private func outputPictures(_ name: String) -> Int {
        struct Record: Decodable {
            struct Output: Decodable { var pictures: Int }
            var outputs: [Output]?
        }
        let text = (try? String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)) ?? ""
        let records = text.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Record.self, from: Data($0.utf8))
        }
        return records.last?.outputs?.first?.pictures ?? 0
    }

    @Test(
        "Without a window, what makes no sense is refused, and the program ends when no output is left",
        arguments: [
            (["--no-window"], 64, "add --also"),
            (["--no-window", "--also", "a.mkv", "--fullscreen"], 64, "--fullscreen"),
            (["--no-window", "--also", "a.mkv", "--title", "x"], 64, "--title"),
            (["--no-window", "--also", "rtp://127.0.0.1:9?sdp=/proc/nowhere.sdp"], 1, "/proc/nowhere.sdp"),
        ])
    func noWindowRefusals(_ options: [String], _ status: Int32, _ words: String) throws {
        let run = try Run(["view", "test:bars"] + options, in: folder.path, environment: ["DISPLAY": ""])
        #expect(run.status == status && run.errors.joined().contains(words), "\(run.status) \(run.errors)")
    }

    @Test("A minimised window, and a wall that stands still, take no picture from a stream")
    func minimised() throws {
        try display.startWindowManager()
        let program = try startViewer(
            ["test:clock?size=320x240&fps=20", "--size", "320x240", "--also", "a.mkv?size=320x240&fps=20&lossless"],
            display, folder)
        let window = try #require(try display.xdotool("search", "--sync", "--name", "wall").first)
        for _ in 0..<20 {
            try display.xdotool("windowminimize", window)
            usleep(100_000)
        }
        usleep(2_000_000)
        try display.xdotool("windowmap", window)
        let run = try program.quit(display)
        #expect(run.status == 0, "\(run.errors)")
        let pictures = try frames("a.mkv").map { Array($0.planes.packedBytes) }
        #expect(pictures.count > 50)
        // At the beginning the window is being made.
        let different = zip(pictures.dropFirst(20), pictures.dropFirst(21)).count { !$0.elementsEqual($1) }
        #expect(different > (pictures.count - 21) * 3 / 4, "\(different) of \(pictures.count)")
    }

    @Test("A file that cannot grow ends the output, and the wall goes on")
    func noRoom() throws {
        let program = try RunningProgram.url(of: "vitrail").path(percentEncoded: false)
        let wall = "view test:clock?size=320x240 --size 320x240 --quit-after 6"
        let run = try RunningProgram(
            executable: "/bin/bash",
            ["-c", "ulimit -f 200; exec '\(program)' \(wall) --also 'a.mkv?lossless' --also 'b.mkv?size=32x16'"],
            in: folder.path, environment: ["DISPLAY": display.name]
        ).finish()
        #expect(run.status == 1 && run.errors.count { $0.contains("a.mkv cannot be written") } == 1, "\(run.errors)")
        #expect(try folder.names == ["b.mkv"])
        #expect(try frames("b.mkv").count > 50)
    }

    @Test("A signal ends the program when its file is complete", arguments: [SIGTERM, SIGINT])
    func signals(_ signal: Int32) throws {
        let program = try startViewer(
            ["test:clock?size=320x240", "--size", "320x240", "--also", "a.mp4?size=320x240"], display, folder)
        usleep(2_000_000)
        #expect(program.process.isRunning)
        kill(program.process.processIdentifier, signal)
        let run = try program.finish()
        #expect(run.status == -signal, "\(run.errors)")
        #expect(try frames("a.mp4").count > 10)
        #expect(try folder.names == ["a.mp4"])
    }

    @Test(
        "Outputs that make no sense are refused",
        arguments: [
            ("wall.avi", "is no output"), ("rtsps://a/b", "use a file"), ("a.mp4?fps=0", "not a value of fps"),
            ("a.mp4?size=9999999999x2", "not a value of size"),
            ("a.mp4?color=1", "does not exist"), ("a.mp4?crf=1&lossless", "exclude each other"),
            ("a.webm?codec=h264", "cannot hold h264"), ("a.ts?sdp=x.sdp", "rtp:// only"),
            ("rtsps://user:SECRET@host/a", "is no output"), ("clip.mp4", "both the input"),
            ("rtmp://user:SECRET@host/a/KEY?codec=vp9", "cannot take vp9"),
        ])
    func refusals(_ output: String, _ text: String) throws {
        try Clips.ffmpeg(["-f", "lavfi", "-i", "testsrc2=size=32x16", "-frames:v", "2", "clip.mp4"], in: folder.path)
        let run = try Run(
            ["view", "./clip.mp4", "--also", output], in: folder.path, environment: ["DISPLAY": display.name])
        #expect(run.status == 64 && run.errors.joined().contains(text), "\(run.status) \(run.errors)")
        #expect(!run.errors.joined().contains("SECRET") && !run.errors.joined().contains("KEY"))
        #expect(try folder.names == ["clip.mp4"])
    }
}
