import Foundation
import TestSupport

/// The program with its wall, its display and its servers.
final class SoakWall {
    let records: SoakRecords
    /// The file that the program's messages go to.
    let log: String
    /// Whether the program's folder is a disk of its own, which can be filled.
    let hasSmallDisk: Bool
    var inputCount: Int { inputs.count }
    let display: VirtualDisplay
    private let folder = FileManager.default.temporaryDirectory.appending(path: "vitrail-soak-\(UUID().uuidString)")
        .path()
    var disk: String { "\(folder)/disk" }
    /// The file with the wall as it is at first.
    var firstWall: String { "\(folder)/first.toml" }
    private let program = Process()
    private let control = Pipe()
    private var inputs: [String] = []
    /// By the number of the tile, from 0.
    private(set) var servers: [Int: SoakServer] = [:]
    /// What takes the wall as a stream.
    let receiver: SoakServer
    private let output: String

    init(_ path: String) throws {
        display = try VirtualDisplay()
        records = SoakRecords("\(folder)/statistics.jsonl")
        log = "\(folder)/log"
        let address = "tcp://127.0.0.1:\(Int.random(in: 30_000...39_000))"
        output = "\(address)?size=320x180&fps=10"
        receiver = SoakServer(
            address,
            [
                "/usr/bin/ffmpeg", "-v", "quiet", "-nostdin", "-i", "\(address)?listen=1", "-c", "copy", "-f", "null",
                "-",
            ])
        try FileManager.default.createDirectory(atPath: "\(folder)/disk", withIntermediateDirectories: true)
        hasSmallDisk =
            try Self.run(
                "/usr/bin/mount", ["-t", "tmpfs", "-o", "size=16m", "soak", "\(folder)/disk"]) == 0
        do {
            try makeClips()
            makeInputs()
            try start(path)
        } catch {
            end(keepsStatistics: false)
            throw error
        }
    }

    private static func run(_ executable: String, _ arguments: [String]) throws -> Int32 {
        let tool = Process()
        tool.executableURL = URL(filePath: executable)
        tool.arguments = arguments
        tool.standardError = FileHandle.nullDevice
        try tool.run()
        tool.waitUntilExit()
        return tool.terminationStatus
    }

    private func makeClips() throws {
        for (name, source) in [("a", "testsrc2"), ("b", "mandelbrot"), ("c", "life=mold=10:ratio=0.3")] {
            let separator = source.contains("=") ? ":" : "="
            let status = try Self.run(
                "/usr/bin/ffmpeg",
                ["-v", "error", "-f", "lavfi", "-i", "\(source)\(separator)size=320x240:rate=25", "-t", "6"]
                    + ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "25", "-bf", "0", "\(folder)/\(name).ts"])
            guard status == 0 else { throw SoakError("FFmpeg makes no clip.") }
        }
        _ = try Self.run("/usr/bin/ffmpeg", ["-v", "error", "-i", "\(folder)/a.ts", "-c", "copy", "\(folder)/a.mp4"])
        _ = try Self.run("/usr/bin/ffmpeg", ["-v", "error", "-i", "\(folder)/b.ts", "-t", "2", "\(folder)/b.y4m"])
        try saveEffect(isWhole: true)
    }

    func saveEffect(isWhole: Bool) throws {
        let gain = Int.random(in: 50...100)
        let text = "vec4 effect(vec2 uv) { return sample(uv) * vec4(vec3(0.\(gain)), 1.0)\(isWhole ? ";" : "") }\n"
        try text.write(toFile: "\(folder)/soak.effect.glsl", atomically: true, encoding: .utf8)
    }

    private func makeInputs() {
        inputs = [
            "\(folder)/a.mp4?loop&effect=\(folder)/soak.effect.glsl", "\(folder)/b.ts?loop&effect=sharpen",
            "\(folder)/b.y4m?loop&rotate=90", "\(folder)/c.ts?loop&effect=privacy-mask", "test:clock",
            "test:bars?fps=30",
            "test:gradient?effect=grayscale",
        ]
        if FileManager.default.isReadableFile(atPath: "/dev/video0") { inputs.append("/dev/video0") }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "rtsp-server.py").path()
        let port = Int.random(in: 20_000...29_000)
        var number = 0
        while inputs.count < 16 {
            let place = port + number
            let clip = "\(folder)/\(["a", "b", "c"][number % 3]).ts"
            let server =
                switch number % 3 {
                case 0:
                    SoakServer("rtsp://127.0.0.1:\(place)/1", ["/usr/bin/python3", script, "\(place)"])
                case 1:
                    SoakServer.ffmpeg(
                        clip, "http://127.0.0.1:\(place)/live.ts", at: "-listen 1 http://127.0.0.1:\(place)/live.ts")
                default:
                    SoakServer.ffmpeg(
                        clip, "udp://127.0.0.1:\(place)", at: "udp://127.0.0.1:\(place)?pkt_size=1316")
                }
            servers[inputs.count] = server
            inputs.append(server.url)
            number += 1
        }
    }

    private func start(_ path: String) throws {
        for server in servers.values { try server.start() }
        try receiver.start()
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        program.executableURL = URL(filePath: path)
        program.arguments =
            [
                "view", "--title", "soak", "--size", "960x540", "--verbose", "--control", "--statistics-to",
                "\(folder)/statistics.jsonl", "--also", output,
            ] + inputs
        program.currentDirectoryURL = URL(filePath: disk)
        program.environment = ProcessInfo.processInfo.environment
            .merging(["DISPLAY": display.name, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder]) { $1 }
        program.standardInput = control
        program.standardError = FileHandle(forWritingAtPath: log)
        try program.run()
        guard try wait(seconds: 60, until: { _ in true }) else {
            throw SoakError("The program shows no wall: \((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
        }
        _ = try display.xdotool("search", "--sync", "--onlyvisible", "--name", "soak", "windowfocus")
        try send("save \(firstWall)")
    }

    /// Ends the program and the servers, and removes all files but the log, and the statistics if they are to be read.
    func end(keepsStatistics: Bool) {
        if program.isRunning {
            program.terminate()
            program.waitUntilExit()
        }
        for server in servers.values { server.end(by: SIGKILL) }
        receiver.end(by: SIGKILL)
        if hasSmallDisk { _ = try? Self.run("/usr/bin/umount", [disk]) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name != "log" && (name != "statistics.jsonl" || !keepsStatistics) {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    var isRunning: Bool { program.isRunning }
    /// Whether pictures were drawn in the last second.
    var hasPictures: Bool {
        guard records.all.count > 1 else { return false }
        return records.all[records.all.count - 1].pictures > records.all[records.all.count - 2].pictures
    }
    /// The state of each tile.
    var states: String {
        records.all.last.map { record in
            zip(inputs, record.tiles).filter { $1.state != "live" }
                .map { "\($0.split(separator: "/").last ?? ""): \($1.state)" }.joined(separator: ", ")
        } ?? ""
    }

    /// Waits for a new line of statistics of which something is true.
    func wait(seconds: Double, until isDone: (SoakRecords.Record) -> Bool) throws -> Bool {
        let end = Date.now + seconds
        var count = records.all.count
        while Date.now < end, isRunning {
            for server in servers.values { try server.lookAfter() }
            try receiver.lookAfter()
            let newest = try records.newest()
            if let newest, records.all.count > count, isDone(newest) { return true }
            count = records.all.count
            usleep(100_000)
        }
        return false
    }

    /// Lets time pass, while servers are looked after.
    func pass(seconds: Double) throws { _ = try wait(seconds: seconds) { _ in false } }

    func send(_ action: String) throws {
        try control.fileHandleForWriting.write(contentsOf: Data("{\"do\": \"\(action)\"}\n".utf8))
    }
}
