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
    private let display: VirtualDisplay
    private let folder = FileManager.default.temporaryDirectory.appending(path: "vitrail-soak-\(UUID().uuidString)")
        .path()
    private var disk: String { "\(folder)/disk" }
    /// The file with the wall as it is at first.
    private var firstWall: String { "\(folder)/first.toml" }
    private let program = Process()
    private let control = Pipe()
    private var inputs: [String] = []
    /// By the number of the tile, from 0.
    private var servers: [Int: SoakServer] = [:]

    init(_ path: String) throws {
        display = try VirtualDisplay()
        records = SoakRecords("\(folder)/statistics.jsonl")
        log = "\(folder)/log"
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

    private func saveEffect(isWhole: Bool) throws {
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
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        program.executableURL = URL(filePath: path)
        program.arguments =
            [
                "view", "--title", "soak", "--size", "960x540", "--verbose", "--control", "--statistics-to",
                "\(folder)/statistics.jsonl",
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
            let newest = try records.newest()
            if let newest, records.all.count > count, isDone(newest) { return true }
            count = records.all.count
            usleep(100_000)
        }
        return false
    }

    /// Lets time pass, while servers are looked after.
    func pass(seconds: Double) throws { _ = try wait(seconds: seconds) { _ in false } }

    private func send(_ action: String) throws {
        try control.fileHandleForWriting.write(contentsOf: Data("{\"do\": \"\(action)\"}\n".utf8))
    }
}

extension SoakWall {
    /// Does something to the wall, and waits until it is as before.
    ///
    /// - Returns: whether it is.
    func inject(_ fault: SoakFault, _ random: inout SeededGenerator) throws -> Bool {
        switch fault {
        case .serverEnds, .serverKilled, .serverHangs, .serverSlow: return try injectNetwork(fault, &random)
        case .keys:
            let keys = [
                "i", "l", "k", "g", "m", "r", "c", "u", "v", "x", "a", "e", "t", "3", "0", "question", "Tab", "F5",
            ]
            for _ in 0..<6 {
                try key(keys.randomElement(using: &random) ?? "i")
                usleep(200_000)
            }
            // So short that it is not taken for a wall without pictures.
            try key("space")
            usleep(300_000)
            try key("space")
            for name in ["Escape", "Escape", "0"] { try key(name) }
            // What would make the wall slower from then on, or take more memory.
            for action in ["help off", "statistics off", "open \(firstWall)"] { try send(action) }
        case .mouse:
            let places = (0..<4).map { _ in
                ["\(Int.random(in: 10..<900, using: &random))", "\(Int.random(in: 10..<500, using: &random))"]
            }
            try display.xdotool(
                ["mousemove"] + places[0] + ["click", "--repeat", "3", "4", "mousemove"] + places[1] + [
                    "mousedown", "1",
                ]
                    + ["mousemove"] + places[2] + ["sleep", "0.1", "mousemove"] + places[3] + ["mouseup", "1"]
                    + [
                        "click", "3", "key", "Escape", "key", "ctrl+z", "key", "ctrl+z", "key", "ctrl+z", "key",
                        "ctrl+z",
                    ])
            try send("open \(firstWall)")
        case .resize:
            let size = [Int.random(in: 320...1270, using: &random), Int.random(in: 240...1000, using: &random)]
            try display.xdotool(["search", "--name", "soak", "windowsize", "\(size[0])", "\(size[1])"])
            try pass(seconds: 1.5)
            try display.xdotool(["search", "--name", "soak", "windowsize", "960", "540"])
        case .layout:
            for name in ["spotlight", "strip", "pip", "free"].shuffled(using: &random) {
                try send("layout \(name)")
                try pass(seconds: 1)
            }
            try send("layout grid")
            try send("page-size 4")
            try pass(seconds: 1)
            try send("page next")
            try pass(seconds: 1)
            try send("page-size all")
        case .effect:
            let count = try mentions(of: "soak.effect.glsl")
            try saveEffect(isWhole: false)
            let end = Date.now + 20
            while try mentions(of: "soak.effect.glsl") == count, Date.now < end { try pass(seconds: 0.5) }
            guard try mentions(of: "soak.effect.glsl") > count else { return false }
            try saveEffect(isWhole: true)
        case .fullDisk: return try fillDisk()
        }
        return try isBack()
    }

    private func key(_ name: String) throws { try display.xdotool("key", name) }

    /// How often the program has said something of a file.
    private func mentions(of name: String) throws -> Int {
        try String(contentsOfFile: log, encoding: .utf8).ranges(of: name).count
    }

    /// Whether all tiles are live and pictures come.
    private func isBack(seconds: Double = 40) throws -> Bool {
        // Lines from before do not count.
        _ = try records.newest()
        return try wait(seconds: seconds) { record in
            hasPictures && record.tiles.allSatisfy { ["live", "late"].contains($0.state) }
        }
    }

    private func injectNetwork(_ fault: SoakFault, _ random: inout SeededGenerator) throws -> Bool {
        guard let number = servers.keys.sorted().randomElement(using: &random), let server = servers[number] else {
            return false
        }
        let seconds = Double.random(in: 1...8, using: &random)
        switch fault {
        case .serverHangs:
            server.hold(true)
            try pass(seconds: seconds)
            server.hold(false)
        case .serverSlow:
            for _ in 0..<40 {
                server.hold(true)
                usleep(100_000)
                server.hold(false)
                usleep(50_000)
            }
        default:
            server.end(by: fault == .serverKilled ? SIGKILL : SIGTERM)
            try pass(seconds: seconds)
            try server.start()
        }
        // Five seconds until a silent server is noticed, ten until the next try.
        return try isBack(seconds: 60)
    }

    /// Has pictures and the wall saved where there is no room, and again where there is.
    private func fillDisk() throws -> Bool {
        let filler = "\(disk)/filler"
        _ = FileManager.default.createFile(atPath: filler, contents: nil)
        if let file = FileHandle(forWritingAtPath: filler) {
            let block = Data(count: 1 << 16)
            while (try? file.write(contentsOf: block)) != nil {}
            try file.close()
        }
        try send("snapshot")
        try send("save full.toml")
        try pass(seconds: 2)
        let isEmpty = try FileManager.default.contentsOfDirectory(atPath: disk).allSatisfy { $0 == "filler" }
        try FileManager.default.removeItem(atPath: filler)
        try send("snapshot")
        try send("save free.toml")
        let end = Date.now + 20
        var names: [String] = []
        repeat {
            try pass(seconds: 0.5)
            names = try FileManager.default.contentsOfDirectory(atPath: disk)
        } while Date.now < end && !(names.contains("free.toml") && names.contains { $0.hasSuffix(".png") })
        for name in names { try FileManager.default.removeItem(atPath: "\(disk)/\(name)") }
        return try isEmpty && names.contains { $0.hasSuffix(".png") } && isBack()
    }
}
