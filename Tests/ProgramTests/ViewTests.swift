import Foundation
import PNGFile
import TestSupport
import Testing

/// The command `view` in a real window, on an X server of its own.
///
/// Wayland is not covered here.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct ViewTests {
    @Test(
        "Keys: a snapshot is saved and said, statistics and focus do no harm, q ends; one input was missing, so with 1")
    func keys() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let program = try start(["test:bars", "test:clock", "missing.mp4", "--size", "320x240"], display, folder)
        for key in ["i", "2", "Right", "f", "f", "space", "space", "0", "s"] { try display.xdotool("key", key) }
        while try folder.names.isEmpty, program.process.isRunning { try display.xdotool("key", "s") }
        try display.xdotool("key", "q")
        let run = try program.finish()
        #expect(run.status == 1)
        #expect(run.errors.contains { $0.contains("missing.mp4") })
        let name = try #require(try folder.names.first { $0.hasPrefix("vitrail-") && $0.hasSuffix(".png") })
        #expect(run.errors.contains { $0.contains(name) })
        #expect(run.output.isEmpty)
        let picture = try PNGFile.read("\(folder.path)/\(name)")
        #expect(Set(picture.rgba).count > 2)
    }

    @Test("A wall without anything new uploads nothing and draws nothing")
    func idle() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        _ = folder.write("still.y4m", Clips.y4m(frames: 1))
        let run = try Run(
            ["still.y4m", "--verbose", "--quit-after", "2"], in: folder.path, environment: ["DISPLAY": display.name])
        #expect(run.status == 0, "\(run.errors)")
        let line = try #require(run.errors.last?.firstMatch(of: /1 frames received.* 1 uploaded, (\d+) pictures drawn/))
        // The empty wall, the picture, the end of the stream, and what the window system asks for at the beginning.
        #expect((1...6).contains(Int(line.1) ?? 0), "\(run.errors)")
    }

    @Test("Two snapshots in one second have two names")
    func snapshots() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let program = try start(["test:bars", "--size", "64x64"], display, folder)
        while try folder.names.count(where: { $0.hasSuffix("-2.png") }) == 0, program.process.isRunning {
            try display.xdotool("key", "s", "s", "s", "s")
        }
        try display.xdotool("key", "Escape")
        #expect(try program.finish().status == 0)
    }

    @Test("A pipe into which nobody writes holds up neither the other streams nor the end")
    func silentPipe() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        try #require(mkfifo("\(folder.path)/a.y4m", 0o600) == 0)
        let program = try start(["test:bars", "a.y4m", "--verbose", "--size", "64x64"], display, folder)
        while try folder.names.count == 1, program.process.isRunning { try display.xdotool("key", "s") }
        try display.xdotool("key", "q")
        let run = try program.finish()
        #expect(run.status == 0)
        #expect(run.errors.last?.contains("pictures drawn") == true, "\(run.errors)")
    }

    @Test("A program that is interrupted ends by the signal")
    func interrupted() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let program = try start(["test:bars", "--size", "64x64"], display, folder)
        kill(program.process.processIdentifier, SIGINT)
        #expect(try program.finish().status == -SIGINT)
        #expect(try folder.names == [])
    }

    /// Starts the program and waits until its window is there and takes keys.
    private func start(
        _ arguments: [String], _ display: VirtualDisplay, _ folder: borrowing TemporaryFolder
    ) throws -> RunningProgram {
        let environment = ["DISPLAY": display.name]
        let program = try RunningProgram(
            ["view", "--title", "wall"] + arguments, in: folder.path, environment: environment)
        // Without a window manager nobody gives the window the keys but the user.
        try display.xdotool("search", "--sync", "--onlyvisible", "--name", "wall", "windowfocus", "--sync")
        return program
    }
}
