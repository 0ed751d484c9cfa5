import Foundation
import MediaIO
import PNGFile
import TestSupport
import Testing

@testable import vitrail

/// The command `view` in a real window, on an X server of its own.
///
/// Wayland is not covered here.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct ViewTests {
    @Test(
        "Keys: a snapshot is saved and logged, statistics and focus work, q quits; one input was missing, so with 1",
        arguments: ["gpu", "cpu"])
    func keys(_ renderer: String) throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let program = try startViewer(
            ["test:bars", "test:clock", "missing.mp4", "--size", "320x240", "--renderer", renderer], display, folder)
        for key in ["i", "2", "Right", "f", "f", "space", "space", "0", "s"] { try display.xdotool("key", key) }
        while try folder.names.isEmpty, program.process.isRunning { try display.xdotool("key", "s") }
        let run = try program.quit(display)
        #expect(run.status == 1)
        #expect(run.errors.contains { $0.contains("missing.mp4") })
        let name = try #require(try folder.names.first { $0.hasPrefix("vitrail-") && $0.hasSuffix(".png") })
        #expect(run.errors.contains { $0.contains(name) })
        #expect(run.output.isEmpty)
        let picture = try PNG.read("\(folder.path)/\(name)")
        #expect(Set(picture.rgba).count > 2)
    }

    @Test("An unchanged wall uploads and draws nothing", arguments: ["gpu", "cpu"])
    func idle(_ renderer: String) throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        _ = folder.write("still.y4m", Clips.y4m(frames: 1))
        let run = try Run(
            ["still.y4m", "--verbose", "--quit-after", "2", "--renderer", renderer], in: folder.path,
            environment: ["DISPLAY": display.name])
        #expect(run.status == 0, "\(run.errors)")
        let line = try #require(
            run.errors.last?.firstMatch(
                of: /1 frames received.* 1 uploaded, (\d+) pictures drawn; latency \d+\.\d ms, p99 \d+\.\d/))
        // The empty wall, the picture, the end of the stream, and what the window system asks for at the beginning.
        #expect((1...6).contains(Int(line.1) ?? 0), "\(run.errors)")
    }

    @Test(
        "The exit status is 66 when no input could be opened, and 1 when some could not or what was shown broke off",
        arguments: [
            (["http://127.0.0.1:1/a", "rtsp://127.0.0.1:1/b"], 66), (["http://127.0.0.1:1/a", "test:bars"], 1),
            (["short.y4m"], 1), (["empty.y4m"], 66),
        ] as [([String], Int32)])
    func exitStatus(_ inputs: [String], _ status: Int32) throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        _ = folder.write("short.y4m", Clips.y4m(frames: 3).dropLast(1))
        _ = folder.write("empty.y4m", [])
        let run = try Run(
            inputs + ["--size", "320x240", "--quit-after", "3"], in: folder.path, environment: ["DISPLAY": display.name]
        )
        #expect(run.status == status, "\(run.errors)")
    }

    @Test("An input that fails twice counts once")
    func failuresOfOneInput() throws {
        var failures = InputFailures(of: 2, LineLogHandler.logger())
        for _ in 0..<2 { failures.add(StreamError(.readFailed, "It broke off."), of: 1) }
        #expect(!failures.isAll)
        try failures.checkAny()
        failures.add(StreamError(.readFailed, "It broke off."), of: 0)
        #expect(failures.isAll)
    }

    @Test("Two snapshots in one second have two names")
    func snapshots() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let program = try startViewer(["test:bars", "--size", "64x64"], display, folder)
        while try folder.names.count(where: { $0.hasSuffix("-2.png") }) == 0, program.process.isRunning {
            try display.xdotool("key", "s", "s", "s", "s")
        }
        #expect(try program.quit(display).status == 0)
    }

    @Test("A pipe without data delays neither the other streams nor the exit")
    func silentPipe() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        try #require(mkfifo("\(folder.path)/a.y4m", 0o600) == 0)
        let program = try startViewer(["test:bars", "a.y4m", "--verbose", "--size", "64x64"], display, folder)
        while try folder.names.count == 1, program.process.isRunning { try display.xdotool("key", "s") }
        let run = try program.quit(display)
        #expect(run.status == 0)
        #expect(run.errors.last?.contains("pictures drawn") == true, "\(run.errors)")
    }

    @Test("An interrupted program ends by the signal")
    func interrupted() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let program = try startViewer(["test:bars", "--size", "64x64"], display, folder)
        kill(program.process.processIdentifier, SIGINT)
        #expect(try program.finish().status == -SIGINT)
        #expect(try folder.names == [])
    }

    @Test("Keys try out other colours; Backspace resets them")
    func otherColors() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        _ = folder.write(
            "a.yuv",
            Array(repeating: 100, count: 4096) + Array(repeating: 90, count: 1024) + Array(repeating: 200, count: 1024))
        let program = try startViewer(["a.yuv?size=64x64&loop=yes", "--size", "320x240"], display, folder)
        /// Presses a key and waits until the picture is of that colour.
        func middle(after key: String?, _ matrix: ColorSpace.Matrix, _ range: ColorSpace.Range, swapped: Bool = false)
            throws
        {
            if let key { try display.xdotool("key", key) }
            let color = ReferenceColors(ColorSpace(matrix: matrix, range: range), depth: 8)
                .color(100, swapped ? 200 : 90, swapped ? 90 : 200).map { $0 * 255 }
            var drawn: [UInt8] = []
            let end = Date.now + 120
            repeat {
                drawn = try display.screenshot().color(x: Self.middle.x, y: Self.middle.y)
            } while zip(drawn, color).contains { abs(Double($0) - $1) > 1 } && Date.now < end
                && program.process.isRunning
            #expect(zip(drawn, color).allSatisfy { abs(Double($0) - $1) <= 1 }, "\(key ?? "") \(drawn) \(color)")
        }
        try middle(after: nil, .bt601, .limited)
        try middle(after: "m", .bt709, .limited)
        try middle(after: "r", .bt709, .full)
        try middle(after: "u", .bt709, .full, swapped: true)
        try middle(after: "BackSpace", .bt601, .limited)
        #expect(try program.quit(display).status == 0)
    }

    @Test("A colour key acts on the tile under the mouse, or on the only visible one")
    func pointedTile() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let inputs = ["test:bars?size=32x18", "test:clock?size=320x180"]
        let program = try startViewer(inputs + ["--verbose", "--size", "640x120"], display, folder)
        /// Presses a key with the mouse at a column until a line says so; only what does no harm is pressed again.
        func press(_ key: String, at x: Int, _ line: String, again: Bool = false) throws {
            try display.xdotool("mousemove", "\(x)", "60")
            let end = Date.now + 120
            repeat {
                if again || !program.errorText.contains(line) { try display.xdotool("key", key) }
                let next = Date.now + 5
                while !program.errorText.contains(line), Date.now < next, program.process.isRunning { usleep(10_000) }
            } while again && !program.errorText.contains(line) && Date.now < end && program.process.isRunning
            #expect(program.errorText.contains(line), "\(program.errorText)")
        }
        // A reset only says that the tile has a frame.
        try press("BackSpace", at: 100, "bars: as at first", again: true)
        try press("BackSpace", at: 540, "clock: as at first: matrix", again: true)
        let sitings = ChromaLocation.allCases
        func next(_ own: ChromaLocation) -> String {
            let index = (sitings.firstIndex(of: own) ?? 0) + 1
            return "siting \(sitings[index % sitings.count].rawValue) (at first \(own.rawValue))"
        }
        try press("c", at: 540, "clock: \(next(.left)).")
        try press("c", at: 100, "bars: \(next(.left)).")
        try press("u", at: 540, "clock: U and V swapped.")
        // Wherever the mouse is, as soon as one tile is alone.
        try display.xdotool("key", "1")
        try press("r", at: 540, "bars: range full (at first limited).")
        let run = try program.quit(display)
        #expect(run.status == 0)
        let changes = run.errors.filter { $0.contains("siting ") && $0.contains("(at first") }
        #expect(changes.count == 2, "\(run.errors)")
    }

    @Test("The pixel inspector follows the mouse; without it a moving mouse draws nothing")
    func inspector() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", Clips.y4m(frames: 1, width: 320, height: 240))
        let program = try startViewer(["a.y4m", "--verbose", "--size", "320x240"], display, folder)
        for step in 0..<40 { try display.xdotool("mousemove", "\(100 + step)", "150") }
        /// How many pixels of the upper part differ from the grey of the picture: the letters and their background.
        func written() throws -> [Int: Int] {
            let screen = try display.screenshot()
            var counts: [Int: Int] = [:]
            for y in 0..<60 { for x in 0..<320 { counts[Int(screen.color(x: x, y: y)[0]), default: 0] += 1 } }
            return counts
        }
        func wait(_ condition: ([Int: Int]) -> Bool) throws -> [Int: Int] {
            let end = Date.now + 120
            var now = try written()
            while !condition(now), Date.now < end, program.process.isRunning { now = try written() }
            #expect(condition(now))
            return now
        }
        let plain = try wait { $0.count == 1 }
        try display.xdotool("key", "p")
        let first = try wait { $0.count > 10 }
        try display.xdotool("mousemove", "3", "7")
        _ = try wait { $0 != first && $0.count > 10 }
        try display.xdotool("key", "p")
        _ = try wait { $0 == plain }
        let run = try program.quit(display)
        #expect(run.status == 0)
        let line = try #require(run.errors.last?.firstMatch(of: /, (\d+) pictures drawn/))
        // Beginning and end of the stream, what the window system asks for, and four for the line: not the forty moves.
        #expect((4...16).contains(Int(line.1) ?? 0), "\(run.errors)")
    }

    private static let middle = (x: 160, y: 200)
}
