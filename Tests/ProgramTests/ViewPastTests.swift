import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// A wall is wound back: what it shows is read from numbers in the pictures.
@Suite(.timeLimit(.minutes(25)), .serialized)
final class ViewPastTests {
    private static let rate = 25
    private let folder = TemporaryFolder()
    private let clip: [UInt8]
    private let isOver = Monitor(false)
    /// When picture 0 was sent.
    private let begin = MonotonicTime.now

    /// Picture n has the digits of n as three grey columns; a constant rate of bytes tells when each is sent.
    init() throws {
        let digits = "20+22*mod(floor(N/pow(10,2-floor(X/32))),10)"
        try Clips.ffmpeg(
            ["-f", "lavfi", "-i", "color=black:size=96x64:rate=25,geq=lum='\(digits)':cb=128:cr=128", "-t", "40"]
                + ["-c:v", "libx264", "-g", "25", "-bf", "2", "-qp", "10", "-pix_fmt", "yuv420p"]
                + ["-muxrate", "400k", "-muxdelay", "0", "numbers.ts"],
            in: folder.path)
        clip = try folder.read("numbers.ts")
    }

    deinit { isOver.withLock { $0 = true } }

    /// A camera that sends what all others send at the same time.
    private func makeCamera() throws -> LoopbackServer {
        let step = 188 * max(1, clip.count / 188 / 40 / 50)
        return try LoopbackServer(
            .dialogue { [isOver, begin, clip] connection in
                let rate = Double(clip.count) / 40
                var place = Int((MonotonicTime.now - begin) / .seconds(1) * rate) / step * step
                while place < clip.count, !isOver.withLock(\.self) {
                    let due = begin + .seconds(Double(place) / rate)
                    let wait = due - .now
                    if wait > .zero { usleep(useconds_t(wait / .microseconds(1))) }
                    let piece = Array(clip[place..<min(place + step, clip.count)])
                    guard LoopbackServer.send(piece, connection) else { return }
                    place += step
                }
            })
    }

    /// The numbers that two tiles show, side by side.
    private func numbers(_ display: VirtualDisplay) throws -> [Int] {
        let screen = try display.screenshot()
        return (0..<2).map { tile in
            (0..<3).reduce(0) { number, column in
                let gray = Double(screen.color(x: tile * 320 + 70 + column * 90, y: 90)[1])
                return number * 10 + Int(((gray * 219 / 255 - 4) / 22).rounded())
            }
        }
    }

    /// Waits for two numbers of the same instant that are as they should be.
    private func wait(
        _ display: VirtualDisplay, _ reason: String, for condition: ([Int]) -> Bool
    ) throws -> [Int] {
        let end = MonotonicTime.now + .seconds(60)
        var last: [Int] = []
        while MonotonicTime.now < end {
            last = try numbers(display)
            if condition(last) { return last }
            usleep(20_000)
        }
        Issue.record("\(reason): \(last)")
        return last
    }

    /// Waits until two tiles play, and returns what they show then.
    ///
    /// Words without a picture are read as some number, too.
    private func firstNumbers(_ display: VirtualDisplay) throws -> [Int] {
        var rising: [Int] = []
        return try wait(display, "live") { numbers in
            if rising.last != numbers[0] { rising = (rising.last ?? 0) < numbers[0] ? rising + [numbers[0]] : [] }
            return rising.count > 5 && isSame(numbers) && (0...75).contains(present - numbers[0])
        }
    }

    /// The numbers that two tiles come to show, and go on to show for a quarter of a second.
    private func settled(
        _ display: VirtualDisplay, _ reason: String, for condition: ([Int]) -> Bool
    ) throws -> [Int] {
        var (last, since): ([Int], MonotonicTime) = ([], .now)
        return try wait(display, reason) { numbers in
            if numbers != last { (last, since) = (numbers, .now) }
            return condition(numbers) && .now - since >= .milliseconds(250)
        }
    }

    private func isSame(_ numbers: [Int]) -> Bool { abs(numbers[0] - numbers[1]) <= 1 }

    private var present: Int { Int((MonotonicTime.now - begin) / .seconds(1) * Double(Self.rate)) }

    @Test("Keys wind all tiles to the same instant, step, stop, and go back to the present; a clip is saved from there")
    func keys() throws {
        let display = try VirtualDisplay()
        let (yard, door) = (try makeCamera(), try makeCamera())
        defer {
            isOver.withLock { $0 = true }
            yard.close()
            door.close()
        }
        let program = try startViewer(
            ["tcp://127.0.0.1:\(yard.port)#label=yard", "tcp://127.0.0.1:\(door.port)#label=door"]
                + ["--size", "640x180", "--grid", "1x2", "--gap", "0", "--record-to", "films", "--verbose"]
                + ["--record-names", "{date}/{name}_{time}.mkv"],
            display, folder)
        // More than is wound back.
        let first = try firstNumbers(display)
        let live = try wait(display, "live") { $0[0] > max(225, first[0] + 175) && self.isSame($0) }
        #expect(live[0] <= present)
        try display.xdotool("key", "space")
        let stopped = try settled(display, "stopped", for: isSame)
        // The picture before the one that is shown, which has been received and decoded some time ago.
        try display.xdotool("key", "comma")
        let before = try settled(display, "before \(stopped)") { $0 != stopped && self.isSame($0) }
        // The other tile is within a picture of the first one before and after: so it may go back by one more.
        #expect((0...2).contains(stopped[0] - before[0]), "\(stopped) \(before)")
        #expect((0...3).contains(stopped[1] - before[1]), "\(stopped) \(before)")
        try display.xdotool("key", "shift+Left")
        let back = try settled(display, "back from \(stopped[0])") {
            (110...140).contains(stopped[0] - $0[0]) && self.isSame($0)
        }
        // One tile shows its previous picture; the other the one of the same instant, which may be another one earlier.
        try display.xdotool("key", "comma")
        let previous = try settled(display, "previous") { $0[0] < back[0] || $0[1] < back[1] }
        #expect(isSame(previous) && back[0] - previous[0] <= 2 && back[1] - previous[1] <= 2, "\(back) \(previous)")
        try display.xdotool("key", "period")
        let next = try settled(display, "next") { $0[0] > previous[0] || $0[1] > previous[1] }
        #expect(isSame(next) && next[0] - previous[0] <= 2 && next[1] - previous[1] <= 2, "\(previous) \(next)")
        try display.xdotool("key", "shift+c")
        try wait(program, for: "2 streams saved")
        let shown = try numbers(display)
        try display.xdotool("key", "space")
        let goesOn = try wait(display, "goes on") { $0[0] > shown[0] + 20 && self.isSame($0) }
        #expect(goesOn[0] < present - 100)
        try display.xdotool("key", "shift+l")
        _ = try wait(display, "live again") { $0[0] > self.present - 25 && self.isSame($0) }
        #expect(try program.quit(display).status == 0)
        try checkClip(upTo: shown[0])
    }

    @Test("What was sent before a stream was lost can be looked at, without words over it")
    func lost() throws {
        let display = try VirtualDisplay()
        let cameras = [try makeCamera(), try makeCamera()]
        defer { for camera in cameras { camera.close() } }
        let program = try startViewer(
            // A slow machine may need more than half a minute up to the end: then each would begin with a key frame of its own.
            cameras.map { "tcp://127.0.0.1:\($0.port)" }
                + ["--size", "640x180", "--grid", "1x2", "--gap", "0", "--history", "5min"],
            display, folder)
        let first = try firstNumbers(display)
        let live = try wait(display, "live") { $0[0] > first[0] + 150 && self.isSame($0) }
        isOver.withLock { $0 = true }
        try wait(program, for: "Connection lost")
        try display.xdotool("key", "space")
        try display.xdotool(["key"] + Array(repeating: "shift+Left", count: 12))
        let oldest = try settled(display, "oldest") { (1..<live[0] - 100).contains($0[0]) && self.isSame($0) }
        try display.xdotool("key", "period")
        _ = try settled(display, "next of \(oldest)") { (1...2).contains($0[0] - oldest[0]) && self.isSame($0) }
        #expect(try program.quit(display).status == 0)
    }

    private func wait(_ program: RunningProgram, for text: String) throws {
        let end = Date.now + 120
        while !program.errorText.contains(text), Date.now < end, program.process.isRunning { usleep(20_000) }
        #expect(program.errorText.contains(text), "\(program.errorText)")
    }

    /// What `clip.json` says.
    private struct Manifest: Decodable {
        struct Stream: Decodable {
            var names: [String]
            var file: String
            var begin: String
            var offset: Double
        }
        var begin: String
        var end: String
        var streams: [Stream]
    }

    /// Each file ends with the picture that was shown, or the one that it is decoded from, and all are at the same one where
    /// the clip begins.
    private func checkClip(upTo last: Int) throws {
        let films = "\(folder.path)/films"
        let clip = try #require(try FileManager.default.contentsOfDirectory(atPath: films).first)
        #expect(clip.wholeMatch(of: /vitrail-\d{8}-\d{6}/) != nil, "\(clip)")
        let data = try Data(contentsOf: URL(filePath: "\(films)/\(clip)/clip.json"))
        let manifest = try JSONDecoder().decode(Manifest.self, from: data)
        #expect(manifest.streams.map(\.names) == [["yard"], ["door"]])
        // The number of the picture that each shows where the clip begins, or would show.
        var begins: [Int] = []
        for stream in manifest.streams {
            let reader = try MediaReader(.file(path: "\(films)/\(clip)/\(stream.file)"))
            var numbers: [(time: Duration, number: Int)] = []
            while let frame = try reader.next() {
                let number = try frame.pixelBuffer.withRow(32, ofPlane: 0) { row in
                    (0..<3).reduce(0) { $0 * 10 + Int(((Double(row[16 + 32 * $1]) - 20) / 22).rounded()) }
                }
                numbers.append((frame.presentationTime ?? .zero, number))
            }
            let first = try #require(numbers.first)
            #expect(numbers.last.map { (-1...3).contains($0.number - last) } == true, "\(numbers.suffix(3)) \(last)")
            #expect(numbers.map(\.number) == Array(first.number..<first.number + numbers.count))
            // A key frame before the clip begins, or as soon as there is one.
            #expect(stream.offset < 1.1, "\(stream)")
            begins.append(first.number + Int((stream.offset * Double(Self.rate)).rounded()))
        }
        // The stream has sent for less than ten seconds: what it would have sent before is counted from how it was sent.
        #expect(isSame(begins) && abs(last - begins[0] - 250) <= 2, "\(begins) \(last)")
    }

    /// A viewer without a window of one camera, and the pipe of the lines that control it.
    private func startControlled(
        _ camera: LoopbackServer, _ options: [String]
    ) throws -> (program: RunningProgram, lines: FileHandle) {
        let pipe = "\(folder.path)/lines"
        try #require(mkfifo(pipe, 0o600) == 0)
        let lines = FileHandle(fileDescriptor: open(pipe, O_RDWR), closeOnDealloc: true)
        let program = try RunningProgram(
            ["view", "--no-window", "--control", "tcp://127.0.0.1:\(camera.port)"] + options,
            in: folder.path, input: pipe)
        return (program, lines)
    }

    private func send(_ action: String, _ lines: FileHandle) throws {
        try lines.write(contentsOf: Data("{\"do\": \"\(action)\"}\n".utf8))
    }

    @Test("A clip that has begun is whole, even if the viewer is told to end meanwhile")
    func interruptedClip() throws {
        let camera = try makeCamera()
        defer {
            isOver.withLock { $0 = true }
            camera.close()
        }
        let (program, lines) = try startControlled(camera, ["--record-to", "films"])
        let films = "\(folder.path)/films"
        let end = Date.now + 60
        while !FileManager.default.fileExists(atPath: films), Date.now < end {
            try send("clip", lines)
            for _ in 0..<300 where !FileManager.default.fileExists(atPath: films) { usleep(1000) }
        }
        program.process.terminate()
        #expect(try program.finish().status == -SIGTERM)
        let clip = try #require(try FileManager.default.contentsOfDirectory(atPath: films).first)
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(films)/\(clip)")
        #expect(names.count == 2 && names.contains("clip.json"), "\(names)")
    }

    @Test("Without anything of the past, the wall says so")
    func nothing() throws {
        let camera = try makeCamera()
        defer {
            isOver.withLock { $0 = true }
            camera.close()
        }
        let (program, lines) = try startControlled(camera, ["--history", "0", "--verbose"])
        for action in ["wind -5", "step previous", "clip", "wind soon"] { try send(action, lines) }
        try wait(program, for: "There is nothing to look back at")
        try wait(program, for: "There is nothing to save")
        try wait(program, for: "wind: “soon” cannot be used")
        program.process.terminate()
        _ = try program.finish()
    }
}
