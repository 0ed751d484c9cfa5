import Foundation
import MediaIO
import TestSupport
import VideoSources

/// Shows a wall of four walls, which four other machines make and send to a media server, loses each of them, and measures:
/// `make nodes`.
///
/// The machines are network namespaces of this one. The walls are those of `Resources/deploy`, at five pictures a second.
/// Of each node, the first tile is a clock of fifty a second; the wall has one, too: both say what the time is, so their
/// difference in one picture of the wall is the latency of a level.
@main
struct Nodes {
    private static let names = ["north", "east", "south", "west"]
    private static let hall = "hall"
    /// Of the clocks.
    private static let rate = 50
    /// The size of the wall's window, in which each tile is a third high and half as wide.
    private static let size = VideoSize(width: 1280, height: 960)

    private let program: String
    private let folder: String
    private let network: NodeNetwork
    private let display: VirtualDisplay
    private let records: HallRecords
    /// A line of control, by which nothing lies over the clocks.
    private let namesOff: String
    private var nodes: [String: Process] = [:]

    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            print("Usage: Nodes PROGRAM")
            exit(64)
        }
        // `exit` releases nothing, and the display and the folder are to go.
        exit(try passes(CommandLine.arguments[1]) ? 0 : 1)
    }

    private static func passes(_ program: String) throws -> Bool {
        let folder = TemporaryFolder()
        var nodes = try Nodes(program, folder.path)
        let result = Result { try nodes.run() }
        nodes.end()
        return try result.get()
    }

    private init(_ program: String, _ folder: String) throws {
        (self.program, self.folder) = (URL(filePath: program).standardizedFileURL.path(), folder)
        network = try NodeNetwork(Self.names + [Self.hall], folder: folder)
        display = try VirtualDisplay()
        records = HallRecords("\(folder)/hall.jsonl")
        namesOff = "\(folder)/names-off.json"
        try #"{"do": "names off"}"#.write(toFile: namesOff, atomically: true, encoding: .utf8)
    }

    private mutating func end() {
        for process in nodes.values {
            process.terminate()
            process.waitUntilExit()
        }
        network.end()
    }

    private mutating func run() throws -> Bool {
        for name in Self.names { try startNode(name) }
        try startHall()
        guard records.wait(seconds: 60, until: { $0.tiles.allSatisfy { $0.state == "live" } }) != nil else {
            print("Not every node is shown: \(log(Self.hall))")
            return false
        }
        let isQuick = try measureLatency()
        try measureLoad()
        var isSteady = true
        for name in Self.names { isSteady = try lose(name) && isSteady }
        return isQuick && isSteady
    }

    // MARK: What runs

    private mutating func startNode(_ name: String) throws {
        let wall = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Resources/deploy/north.toml")
        let text = try String(contentsOf: wall, encoding: .utf8).replacing("fps=25", with: "fps=5")
            .replacing("fps=5\"", with: "fps=\(Self.rate)\"", maxReplacements: 1)
        let path = "\(folder)/\(name).toml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        nodes[name] = try network.start(
            program,
            [
                "view", "--no-window", "--control", "--part", "1x1+0+0", "--statistics-to", "\(folder)/\(name).jsonl",
                "--also", "\(Self.address(name))#size=960x540&fps=10&gop=5", path,
            ], on: name, input: namesOff, log: "\(folder)/\(name).log")
    }

    private mutating func startHall() throws {
        let clock = "test:clock?size=640x360&fps=\(Self.rate)"
        nodes[Self.hall] = try network.start(
            program,
            [
                "view", "--control", "--part", "1x1+0+0", "--grid", "3x2", "--gap", "0", "--size",
                Self.size.description,
                "--statistics-to", "\(folder)/hall.jsonl", "--verbose",
            ] + Self.names.map { "\(Self.address($0))#latency=0&label=\($0)" } + [clock],
            on: Self.hall, environment: ["DISPLAY": display.name], input: namesOff, log: "\(folder)/hall.log")
    }

    private static func address(_ name: String) -> String { "rtmp://\(NodeNetwork.server)/live/\(name)" }

    private func log(_ name: String) -> String {
        (try? String(contentsOfFile: "\(folder)/\(name).log", encoding: .utf8)) ?? ""
    }

    // MARK: What is measured

    /// The numbers of all clocks in one picture of the wall, that of the wall itself last; `nil` if one cannot be read.
    private func clocks() throws -> [Int]? {
        let screen = try display.screenshot()
        let cell = VideoSize(width: Self.size.width / 2, height: Self.size.height / 3)
        func number(_ index: Int, _ part: Int) -> Int? {
            // The picture is as high as its tile, and in the middle of it; of a node's, the first of four by four tiles.
            let full = VideoSize(width: cell.height * 16 / 9, height: cell.height)
            // What is left over is in the middle of the last row.
            let room = index < Self.names.count ? cell.width : Self.size.width
            let left = index % 2 * cell.width + (room - full.width) / 2
            let top = index / 2 * cell.height
            return TestPatternClock.frameNumber(
                size: VideoSize(width: full.width / part, height: full.height / part)
            ) { x, y in Int(screen.color(x: left + x, y: top + y)[1]) }
        }
        let numbers = Self.names.indices.map { number($0, 4) } + [number(Self.names.count, 1)]
        return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
    }

    private func measureLatency() throws -> Bool {
        var latencies: [[Double]] = Self.names.map { _ in [] }
        let end = Date.now + 60
        while latencies[0].count < 50, Date.now < end {
            if let numbers = try clocks(), let now = numbers.last {
                for index in latencies.indices {
                    latencies[index].append(Double(now - numbers[index]) / Double(Self.rate))
                }
            }
            usleep(97_000)
        }
        guard latencies[0].count == 50 else {
            print("The clocks cannot be read.")
            return false
        }
        let medians = latencies.map { $0.sorted()[$0.count / 2] }
        for (name, values) in zip(Self.names, latencies) {
            let sorted = values.sorted()
            print("\(name): latency \(Self.text(sorted[sorted.count / 2])) s, at most \(Self.text(sorted.last ?? 0)) s")
        }
        return medians.allSatisfy { $0 <= 0.3 }
    }

    private func measureLoad() throws {
        func sample() throws -> (bytes: Int, seconds: [Double]) {
            let seconds = (Self.names + [Self.hall]).map { name in
                HallRecords("\(folder)/\(name).jsonl").all.last?.process.processorSeconds ?? 0
            }
            return (try network.received(Self.hall), seconds)
        }
        let (begin, first) = (Date.now, try sample())
        sleep(10)
        let last = try sample()
        let time = Date.now.timeIntervalSince(begin)
        let shares = zip(last.seconds, first.seconds).map { ($0 - $1) / time }
        let bits = Double(last.bytes - first.bytes) * 8 / time / 1e6
        print("the wall receives \(Self.text(bits)) Mbit/s, \(Self.text(bits / Double(Self.names.count))) of each node")
        for (name, share) in zip(Self.names + [Self.hall], shares) {
            print("\(name): \(Self.text(share * 100)) % of a processor")
        }
    }

    /// Kills a node, starts it again after a second, as systemd does, and waits until it is shown again.
    private mutating func lose(_ name: String) throws -> Bool {
        guard let node = nodes[name], let index = Self.names.firstIndex(of: name) else { return false }
        let before = records.all.last?.tiles.map(\.received) ?? []
        let logged = log(Self.hall).count
        let begin = Date.now
        kill(node.processIdentifier, SIGKILL)
        node.waitUntilExit()
        let notice = seconds(since: begin, untilLogged: "Connection lost", after: logged)
        let told = records.wait(seconds: 10) { $0.tiles[index].state != "live" }
        let areUnharmed = told.map { record in
            Self.names.indices.filter { $0 != index }.allSatisfy {
                record.tiles[$0].state == "live" && record.tiles[$0].received > before[$0]
            }
        }
        usleep(UInt32(max(0, 1 - Date.now.timeIntervalSince(begin)) * 1e6))
        let restart = Date.now
        try startNode(name)
        let back = seconds(since: restart, untilLogged: " is connected", after: logged)
        let isBack = records.wait(seconds: 10) { $0.tiles[index].state == "live" } != nil
        print(
            "\(name) killed: its tile says so after \(Self.text(notice)) s, the others are "
                + "\(areUnharmed == true ? "unharmed" : "harmed"), back \(Self.text(back)) s after its restart")
        return areUnharmed == true && isBack && notice <= 2 && back <= 3
    }

    /// How long the wall takes to log a phrase, which a tile says at the same time; infinite after 20 s.
    private func seconds(since begin: Date, untilLogged phrase: String, after count: Int) -> Double {
        while Date.now < begin + 20 {
            if log(Self.hall).dropFirst(count).contains(phrase) { return Date.now.timeIntervalSince(begin) }
            usleep(10_000)
        }
        return .infinity
    }

    private static func text(_ number: Double) -> String { String(format: "%.2f", number) }
}
