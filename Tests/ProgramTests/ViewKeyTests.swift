import Foundation
import TestSupport
import Testing

/// Keys in a real window, and what the window says on the wall.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct ViewKeyTests {
    /// A file whose every pixel has this luma.
    private static func write(_ name: String, _ luma: UInt8, _ folder: borrowing TemporaryFolder) {
        _ = folder.write(name, Array(repeating: luma, count: 4096) + Array(repeating: 128, count: 2048))
    }

    private func wait(
        _ what: String, _ program: RunningProgram, _ place: SourceLocation = #_sourceLocation,
        until isSo: () throws -> Bool
    ) throws {
        let end = Date.now + 120
        while try !isSo(), Date.now < end, program.process.isRunning { usleep(10_000) }
        #expect(try isSo(), "\(what): \(program.errorText)", sourceLocation: place)
    }

    @Test("Esc leaves a single tile, then fullscreen, and never the program")
    func escape() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        Self.write("a.yuv", 60, folder)
        Self.write("b.yuv", 200, folder)
        let format = "?size=64x64&format=i420&loop=yes&content=stretch"
        let program = try startViewer(
            ["a.yuv\(format)", "b.yuv\(format)", "--size", "320x120", "--grid", "1x2"], display, folder)
        func gray(_ x: Int, _ y: Int) throws -> Int { Int(try display.screenshot().color(x: x, y: y)[0]) }
        try wait("both", program) { try gray(80, 60) < 100 && gray(240, 60) > 150 }
        try display.xdotool("key", "f")
        try wait("fullscreen", program) { try gray(300, 500) < 100 && gray(1000, 900) > 150 }
        try display.xdotool("key", "1")
        try wait("one tile", program) { try (20..<100).contains(gray(1000, 900)) }
        try display.xdotool("key", "Escape")
        try wait("both in fullscreen", program) { try gray(300, 500) < 100 && gray(1000, 900) > 150 }
        try display.xdotool("key", "Escape")
        try wait("a window", program) { try gray(1000, 900) == 0 && gray(240, 60) > 150 }
        try display.xdotool("key", "Escape", "Escape", "s")
        try wait("a picture", program) { try folder.names.contains { $0.hasPrefix("vitrail-") } }
        #expect(try program.quit(display).status == 0)
    }

    @Test("Delete removes the tile under the mouse; no key acts on a tile that the mouse has left")
    func remove() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        Self.write("a.yuv", 60, folder)
        Self.write("b.yuv", 200, folder)
        let format = "?size=64x64&format=i420&loop=yes&content=stretch"
        let program = try startViewer(
            [
                "a.yuv\(format)&label=Door", "b.yuv\(format)", "missing.mp4", "--size", "360x120", "--grid", "1x3",
                "--verbose",
            ],
            display, folder)
        func gray(_ x: Int, _ y: Int) throws -> Int { Int(try display.screenshot().color(x: x, y: y)[0]) }
        try wait("both", program) { try gray(60, 80) < 100 && gray(180, 60) > 150 }
        try display.xdotool("mousemove", "60", "60")
        try display.xdotool("key", "m")
        // A label is what the user calls it.
        try wait("the matrix", program) { program.errorText.contains("Door: matrix") }
        try display.xdotool("mousemove", "700", "700")
        try display.xdotool("key", "u", "Delete")
        try display.xdotool("mousemove", "180", "60")
        try display.xdotool("key", "c")
        try wait("the siting", program) { program.errorText.contains("b.yuv: siting") }
        #expect(!program.errorText.contains("U and V"))
        try display.xdotool("mousemove", "60", "60")
        try display.xdotool("key", "Delete")
        try wait("one fewer", program) { try gray(60, 60) > 150 }
        // Only the missing one is left, and what was removed counts no more: nothing could be opened.
        try display.xdotool("key", "Delete")
        try wait("two fewer", program) { try gray(60, 80) < 60 }
        #expect(try program.quit(display).status == 66)
    }

    @Test(
        "What could not be saved is told on the wall",
        arguments: [["s"], ["w", "ctrl+u", "a", "period", "t", "o", "m", "l", "Return"]])
    func cannotSave(_ keys: [String]) throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        Self.write("a.yuv", 200, folder)
        // Nobody can make files there.
        let program = try RunningProgram(
            [
                "view", "\(folder.path)/a.yuv?size=64x64&format=i420&loop=yes&content=stretch", "--title", "wall",
                "--size", "640x240",
            ],
            in: "/proc", environment: ["DISPLAY": display.name])
        var window: String?
        while window == nil, program.process.isRunning {
            window = try? display.xdotool("search", "--onlyvisible", "--name", "wall").first
        }
        try display.xdotool("windowfocus", "--sync", #require(window))
        func isDark() throws -> Bool {
            let screen = try display.screenshot()
            // Above the bar of the tile.
            return (0..<215).contains { screen.color(x: 320, y: $0)[0] < 120 }
        }
        try wait("the picture", program) { try display.screenshot().color(x: 320, y: 120)[0] > 180 && !isDark() }
        try display.xdotool(["key"] + keys)
        try wait("the notice", program) { try program.errorText.contains("cannot be written") && isDark() }
        #expect(try program.quit(display).status == 0)
    }
}
