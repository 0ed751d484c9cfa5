import Foundation
import MediaIO
import TestSupport
import Testing
import VideoSources

/// One wall on several screens: `--part`, `--bezel` and `--monitor`.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct ViewPartTests {
    @Test("Each window shows its part of the wall, and tiles are changed by hand as on the whole wall")
    func parts() throws {
        let wall = try TestWall(["--grid", "1x3", "--gap", "0", "--part", "2x1+1+0", "--bezel", "60"])
        // The whole wall is 1260 wide: its columns are 420, this window begins at 660.
        try wall.wait([(50, 20), (170, 20), (190, 20), (590, 20)], [2, 2, 3, 3])
        wall.act("focus 2")
        try wall.wait([(50, 20), (590, 20)], [2, 2])
        wall.act("all")
        try wall.wait([(170, 20), (190, 20)], [2, 3])
        // The edge between the second and the third tile, which is at 840 - 660.
        try wall.display.xdotool(
            "mousemove", "180", "60", "mousedown", "1", "mousemove", "200", "60", "mousemove", "280", "60", "mouseup",
            "1")
        try wall.wait([(170, 20), (270, 20), (290, 20)], [2, 2, 3])
        wall.act("layout free")
        try wall.wait([(170, 20), (270, 20), (290, 20)], [2, 2, 3])
        let run = try wall.program.quit(wall.display)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }

    @Test("Both parts that are rendered are the whole picture, without what is behind the bezel")
    func rendered() throws {
        let folder = TemporaryFolder()
        try Clips.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=204x60", "-frames:v", "1", "-pix_fmt", "yuv444p", "a.y4m"],
            in: folder.path)
        func picture(_ options: [String]) throws -> [UInt8] {
            let run = try Run(
                ["render", "a.y4m", "-o", "o.y4m", "--frames", "1", "--filter", "nearest"] + options, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            let pixels = try Data(contentsOf: URL(filePath: "\(folder.path)/o.y4m"))
            let header = try #require(pixels.firstRange(of: Data("FRAME\n".utf8)))
            return Array(pixels[header.upperBound...])
        }
        let whole = try picture(["--size", "204x60"])
        let left = try picture(["--size", "100x60", "--part", "2x1+0+0", "--bezel", "4"])
        let right = try picture(["--size", "100x60", "--part", "2x1+1+0", "--bezel", "4"])
        // Of the luma: 204 × 60 bytes, and 100 × 60 of each part.
        for row in 0..<60 {
            let line = Array(whole[row * 204..<(row + 1) * 204])
            let (first, second) = (left[row * 100..<(row + 1) * 100], right[row * 100..<(row + 1) * 100])
            try #require(first.elementsEqual(line[..<100]) && second.elementsEqual(line[104...]), "row \(row)")
        }
    }

    @Test("Windows that were opened at different times show the same frame at the same moment")
    func moments() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        func options(_ column: Int) -> [String] {
            ["--part", "2x1+\(column)+0", "--grid", "1x2", "--gap", "0", "--size", "320x240"]
                + Array(repeating: "test:clock?size=320x240&fps=5", count: 2)
        }
        let first = try startViewer(options(0), display, folder)
        let second = try RunningProgram(
            ["view", "--title", "second"] + options(1), in: folder.path, environment: ["DISPLAY": display.name])
        // Labels lie over the frame number.
        try display.xdotool("key", "l")
        try display.xdotool(
            "search", "--sync", "--onlyvisible", "--name", "second", "windowmove", "400", "0", "windowfocus", "--sync",
            "key", "l")
        let size = VideoSize(width: 320, height: 240)
        var differences: [Int] = []
        let end = Date.now + 120
        while differences.count < 20, Date.now < end, first.process.isRunning, second.process.isRunning {
            let screen = try display.screenshot()
            let numbers = [0, 400].compactMap { left in
                TestPatternClock.frameNumber(size: size) { x, y in Int(screen.color(x: left + x, y: y)[1]) }
            }
            if numbers.count == 2 { differences.append(abs(numbers[0] - numbers[1])) }
            usleep(130_000)
        }
        // On a busy machine, one of them may be late now and then.
        #expect(differences.count == 20 && differences.count { $0 <= 1 } >= 16, "\(differences)")
        second.process.terminate()
        _ = try second.finish()
        #expect(try first.quit(display).status == 0)
    }

    @Test(
        "Parts that make no sense are refused",
        arguments: [
            (["--part", "2x2+2+0"], "part"), (["--part", "2x2"], "part"), (["--bezel", "5"], "add --part"),
            (["--part", "2x2+0+0", "--bezel", "-1"], "bezel"), (["--part", "2x2+0+0", "--bezel", "10001"], "bezel"),
        ])
    func refusals(_ options: [String], _ words: String) throws {
        let run = try Run(["render", "test:bars", "-o", "/proc/nowhere.png"] + options)
        #expect(run.status == 64 && run.errors.joined().contains(words), "\(run.status) \(run.errors)")
    }

    @Test("A window opens on the monitor that is named; another one is refused with those that there are")
    func monitors() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let program = try startViewer(["test:bars", "--monitor", "1", "--fullscreen"], display, folder)
        try display.waitForSize("1280x1024")
        #expect(try program.quit(display).status == 0)
        for name in ["2", "0", "DP-7"] {
            let run = try Run(
                ["view", "test:bars", "--monitor", name], in: folder.path, environment: ["DISPLAY": display.name])
            #expect(run.status == 64 && run.errors.joined().contains("“\(name)”: use one of 1 ("), "\(run.errors)")
        }
    }
}

extension VirtualDisplay {
    /// Waits until the wall's window has a size.
    fileprivate func waitForSize(_ size: String) throws {
        let end = Date.now + 120
        var seen: [String] = []
        while Date.now < end {
            seen = try xdotool("search", "--onlyvisible", "--name", "wall", "getwindowgeometry")
            if seen.contains(where: { $0.contains(size) }) { return }
            usleep(20_000)
        }
        Issue.record("The window is not \(size): \(seen)")
    }
}
