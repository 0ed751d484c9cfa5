import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

/// Recordings of streams on the wall: `?record`, `--record`, keys and control.
@Suite(.timeLimit(.minutes(25)), .serialized)
final class ViewRecordingTests {
    private let folder = TemporaryFolder()
    private let server: LoopbackServer
    private let isOver = Monitor(false)
    /// The pieces that the camera has sent, 20 a second.
    private let sent = Monitor(0)

    /// A camera sends half a minute of pictures and sound, with a key frame each second, as fast as they are shown.
    init() throws {
        try Clips.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25", "-f", "lavfi", "-i", "sine", "-t", "30"]
                + ["-c:v", "libx264", "-g", "25", "-preset", "ultrafast", "-c:a", "aac", "camera.ts"], in: folder.path)
        let bytes = try folder.read("camera.ts")
        server = try LoopbackServer(
            .dialogue { [isOver, sent] connection in
                let step = max(188, bytes.count / 600)
                for place in stride(from: 0, to: bytes.count, by: step) where !isOver.withLock({ $0 }) {
                    let piece = Array(bytes[place..<min(place + step, bytes.count)])
                    guard LoopbackServer.send(piece, connection) else { return }
                    sent.withLock { $0 += 1 }
                    usleep(50_000)
                }
            })
    }

    deinit {
        isOver.withLock { $0 = true }
        server.close()
    }

    private var address: String { "tcp://127.0.0.1:\(server.port)" }

    /// The pictures and the packets of sound of a recording.
    private func counts(_ name: String) throws -> (pictures: Int, sounds: Int) {
        let reader = try MediaPacketReader(.file(path: "\(folder.path)/\(name)"))
        reader.select(Set(reader.tracks.map(\.id)))
        var counts = (pictures: 0, sounds: 0)
        while let packet = try reader.next() {
            if packet.track.kind == .video { counts.pictures += 1 } else { counts.sounds += 1 }
        }
        return counts
    }

    private func wait(_ program: RunningProgram, for text: String) throws {
        let end = Date.now + 120
        while !program.errorText.contains(text), Date.now < end, program.process.isRunning { usleep(20_000) }
        #expect(program.errorText.contains(text), "\(program.errorText)")
    }

    private var recordings: [String] {
        get throws { try folder.names.filter { $0.hasPrefix("yard") } }
    }

    @Test("One input is recorded by its option, in MP4 with an index after SIGTERM")
    func option() throws {
        let program = try RunningProgram(
            [
                "view", "--no-window", "--control", "\(address)#record&label=yard", "--record-names",
                "{name}-{number}.mp4", "--verbose",
            ],
            in: folder.path)
        try wait(program, for: "yard is recorded: ./yard-001.mp4")
        usleep(3_000_000)
        program.process.terminate()
        _ = try program.finish()
        #expect(try recordings == ["yard-001.mp4"])
        let bytes = try folder.read("yard-001.mp4")
        #expect(bytes.ranges(of: Array("moof".utf8)).isEmpty && !bytes.ranges(of: Array("stss".utf8)).isEmpty)
        let counts = try counts("yard-001.mp4")
        #expect(counts.pictures > 30 && counts.sounds > 30, "\(counts)")
    }

    @Test("A camera of Motion JPEG is recorded, whose size only its pictures say", arguments: ["mkv", "mp4"])
    func motionJPEG(_ ending: String) throws {
        let camera = try ClockCamera(delay: .zero)
        let program = try RunningProgram(
            ["view", "--no-window", "--control", "\(camera.address)#record&label=yard", "--verbose"]
                + ["--record-names", "{name}-{number}.\(ending)"], in: folder.path)
        try wait(program, for: "yard is recorded: ./yard-001.\(ending)")
        usleep(2_000_000)
        program.process.terminate()
        _ = try program.finish()
        #expect(try counts("yard-001.\(ending)").pictures > 10)
        let reader = try MediaReader(.file(path: "\(folder.path)/yard-001.\(ending)"))
        #expect(reader.info.size == VideoSize(width: 96, height: 64))
    }

    @Test("All are recorded in parts; a killed program leaves files that play", arguments: ["mkv", "mp4", "ts"])
    func killed(_ ending: String) throws {
        let program = try RunningProgram(
            [
                "view", "--no-window", "--control", "\(address)#label=yard", "test:bars", "--record", "--record-part",
                "2s",
            ]
                + ["--record-names", "{name}-{number}.\(ending)", "--verbose"], in: folder.path)
        try wait(program, for: "yard-002.\(ending)")
        usleep(1_500_000)
        kill(program.process.processIdentifier, SIGKILL)
        #expect(program.errorText.contains("bars is not recorded: files, test patterns, "))
        _ = try program.finish()
        #expect(try counts("yard-001.\(ending)").pictures == 50)
        #expect(try counts("yard-002.\(ending)").pictures > 10)
    }

    @Test("The key and lines of control begin and end recordings; the tile says so")
    func keys() throws {
        let display = try VirtualDisplay()
        let program = try startViewer(
            [
                "\(address)#label=yard", "--size", "320x240", "--record-to", "films/new", "--statistics-to", "s.jsonl",
                "--verbose",
            ],
            display, folder)
        func red() throws -> Int {
            let screen = try display.screenshot()
            return (0..<60).reduce(0) { count, y in
                count
                    + (160..<320).count { x in
                        let color = screen.color(x: x, y: y).map { Int($0) }
                        return (140...200).contains(color[0]) && color[1] < 40 && color[2] < 40
                    }
            }
        }
        let end = Date.now + 120
        func statistics() throws -> String {
            let names = try folder.names
            return names.contains("s.jsonl") ? String(decoding: try folder.read("s.jsonl"), as: UTF8.self) : ""
        }
        while try !statistics().contains("\"state\":\"live\""), Date.now < end { usleep(50_000) }
        try display.xdotool("key", "shift+r")
        try wait(program, for: "yard is recorded: films/new/yard_")
        while try red() < 20, Date.now < end { usleep(50_000) }
        #expect(try red() >= 20)
        while try !statistics().contains("\"state\":\"recording\""), Date.now < end { usleep(50_000) }
        try display.xdotool("key", "shift+r")
        while try red() >= 20, Date.now < end { usleep(50_000) }
        #expect(try red() < 20)
        #expect(try program.quit(display).status == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/films/new")
        #expect(files.count == 1 && files[0].wholeMatch(of: /yard_[-\d]+_[-\d]+\.mkv/) != nil, "\(files)")
        #expect(try counts("films/new/\(files[0])").pictures > 0)
        #expect(try statistics().contains(/"recording":\{[^}]*"state":"recording"/))
    }

    @Test(
        "A recording begins before it was asked for, as far as that is kept",
        arguments: [([], 4...11), (["--record-before", "0"], 0...1), (["--history", "0"], 0...1)])
    func before(_ row: (options: [String], seconds: ClosedRange<Int>)) throws {
        let pipe = "\(folder.path)/lines"
        #expect(mkfifo(pipe, 0o600) == 0)
        // Open for both, so that neither side waits for the other.
        let lines = open(pipe, O_RDWR)
        defer { close(lines) }
        func send(_ line: String) { #expect(write(lines, line + "\n", line.utf8.count + 1) > 0) }
        let program = try RunningProgram(
            ["view", "--no-window", "--control", "\(address)#label=yard", "--verbose"] + row.options, in: folder.path,
            input: pipe)
        while sent.withLock({ $0 < 120 }), program.process.isRunning { usleep(20_000) }
        send("{\"do\": \"record on\", \"tile\": 1}")
        try wait(program, for: "yard is recorded")
        usleep(500_000)
        program.process.terminate()
        _ = try program.finish()
        let name = try #require(try recordings.first)
        // A key frame comes each second; what is recorded later is less than three.
        let seconds = try counts(name).pictures / 25
        #expect((row.seconds.lowerBound...row.seconds.upperBound + 3).contains(seconds), "\(seconds)")
    }

    @Test(
        "What names no files, and no lengths, is refused before anything is opened",
        arguments: [
            (["--record-names", "{name}.mkv"], "add {time} or {number}"),
            (["--record-part", "10"], "such as 90s, 10min"), (["--record-reserve", "many"], "such as 500MB"),
            (["--record-before", "soon"], "such as 10s"), (["--history", "2h"], "up to an hour"),
            (["--history-memory", "much"], "such as 64MB"),
        ])
    func refused(_ row: (options: [String], reason: String)) throws {
        let run = try Run(["view", "--no-window", "--control", address, "--record"] + row.options, in: folder.path)
        #expect(run.status == 64 && run.errors.contains { $0.contains(row.reason) }, "\(run.status): \(run.errors)")
    }
}
