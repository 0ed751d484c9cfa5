import Foundation
import TestSupport
import Testing

/// A wall and its file while both are changed.
@Suite(.timeLimit(.minutes(25)), .serialized)
final class ViewUnsavedTests {
    private let display: VirtualDisplay
    private let folder = TemporaryFolder()

    init() throws {
        display = try VirtualDisplay()
        for (index, luma) in TestWall.lumas.enumerated() {
            _ = folder.write(
                "\(index + 1).yuv", Array(repeating: luma, count: 4096) + Array(repeating: 128, count: 2048))
        }
    }

    /// A wall of some of the inputs, in a row.
    private func toml(_ inputs: [Int], gap: Int = 0) -> String {
        """
        [layout]
        rows = 1
        columns = 3
        gap = \(gap)
        [look]
        content = "stretch"
        animation = false

        """ + inputs.map { "[[input]]\nurl = \"\($0).yuv?size=64x64&format=i420&loop=yes\"\n" }.joined()
    }

    private func write(_ name: String, _ text: String) {
        // As an editor does it.
        _ = folder.write("new", Array(text.utf8))
        #expect(rename("\(folder.path)/new", "\(folder.path)/\(name)") == 0)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
    }

    private func start(_ arguments: String...) throws -> RunningProgram {
        try startViewer(
            arguments + ["--size", "600x120"], display, folder,
            environment: ["XDG_CONFIG_HOME": "\(folder.path)/config", "XDG_STATE_HOME": "/dev/null"],
            title: [])
    }

    private func wait(
        _ inputs: [Int], _ program: RunningProgram, _ place: SourceLocation = #_sourceLocation
    ) throws {
        let expected = TestWall.lumas.map { (Int($0) - 16) * 255 / 219 }
        func shown() throws -> [Int] {
            let screen = try display.screenshot()
            return TestWall.columns.map { column in
                let gray = Int(screen.color(x: column.0, y: column.1)[0])
                return (expected.firstIndex { abs($0 - gray) <= 3 } ?? -1) + 1
            }
        }
        let end = Date.now + 120
        while try shown() != inputs, Date.now < end, program.process.isRunning { usleep(10_000) }
        let seen = try shown()
        #expect(seen == inputs, "\(program.errorText)", sourceLocation: place)
    }

    private func wait(
        forError words: String, times: Int = 1, _ program: RunningProgram, _ place: SourceLocation = #_sourceLocation
    ) {
        func count() -> Int { program.errorText.components(separatedBy: words).count - 1 }
        let end = Date.now + 120
        while count() < times, Date.now < end { usleep(10_000) }
        #expect(count() >= times, "\(program.errorText)", sourceLocation: place)
    }

    private func wait(forTitle title: String, _ place: SourceLocation = #_sourceLocation) throws {
        func titles() throws -> [String] {
            try display.xdotool("search", "--onlyvisible", "--name", ".").flatMap {
                try display.xdotool("getwindowname", $0)
            }
        }
        let end = Date.now + 120
        while try !titles().contains(title), Date.now < end { usleep(10_000) }
        let last = try titles()
        #expect(last.contains(title), "\(last)", sourceLocation: place)
    }

    @Test("Undoing the opening of another wall returns to the first one's file, where w saves")
    func opening() throws {
        write("wall-a.toml", toml([1, 2, 3]))
        write("wall-b.toml", toml([3, 2, 1]))
        let program = try start("wall-a.toml")
        try wait([1, 2, 3], program)
        try wait(forTitle: "wall-a.toml – Vitrail")
        // An address may be that of a wall.
        try display.xdotool("key", "ctrl+o")
        try display.xdotool("type", "wall-b.toml")
        try display.xdotool("key", "Return")
        try wait([3, 2, 1], program)
        try wait(forTitle: "wall-b.toml – Vitrail")
        try display.xdotool("key", "ctrl+z")
        try wait([1, 2, 3], program)
        try wait(forTitle: "wall-a.toml – Vitrail")
        try display.xdotool("mousemove", "500", "60", "key", "Return")
        try wait([3, 1, 2], program)
        try wait(forTitle: "*wall-a.toml – Vitrail")
        try display.xdotool("key", "w")
        wait(forError: "wall-a.toml saved", program)
        try wait(forTitle: "wall-a.toml – Vitrail")
        let (first, second) = (try text("wall-a.toml"), try text("wall-b.toml"))
        let places = ["3.yuv", "1.yuv"].map { first.firstRange(of: $0)?.lowerBound ?? first.endIndex }
        #expect(places[0] < places[1], "\(first)")
        #expect(second == toml([3, 2, 1]))
        #expect(try program.quit(display).status == 0)
    }

    @Test("What was changed by hand and not saved stays when the file is read again, and so does the focus")
    func reading() throws {
        write("wall-a.toml", toml([1, 2]))
        let program = try start("wall-a.toml")
        try wait([1, 2, 0], program)
        try display.xdotool("mousemove", "300", "60", "key", "Return")
        try wait([2, 1, 0], program)
        // Another input in the file, which the wall does not have in the same order.
        write("wall-a.toml", toml([1, 2, 3]))
        try wait([2, 3, 1], program)
        try wait(forTitle: "*wall-a.toml – Vitrail")
        try display.xdotool("mousemove", "100", "60", "click", "--repeat", "2", "--delay", "30", "1")
        try wait([2, 2, 2], program)
        write("wall-a.toml", toml([1, 2, 3], gap: 100))
        wait(forError: "read again", times: 2, program)
        // Long enough for a picture in which the focus were lost.
        usleep(300_000)
        try wait([2, 2, 2], program)
        try display.xdotool("key", "0")
        // The middle of the columns of 133 pixels.
        try wait([2, 3, 1], program)
        let screen = try display.screenshot()
        #expect(screen.color(x: 180, y: 20) == [13, 17, 23])
        #expect(try program.quit(display).status == 0)
    }

    @Test("A file that is gone is one line, and the wall goes on; it is read when it is back")
    func losing() throws {
        write("wall-a.toml", toml([1, 2, 3]))
        let program = try start("wall-a.toml")
        try wait([1, 2, 3], program)
        #expect(unlink("\(folder.path)/wall-a.toml") == 0)
        wait(forError: "wall-a.toml cannot be read any more: the wall goes on as it is; w saves it again.", program)
        try wait([1, 2, 3], program)
        write("wall-a.toml", toml([3, 2, 1]))
        try wait([3, 2, 1], program)
        let run = try program.quit(display)
        #expect(run.status == 0)
        #expect(run.errors.count == 2, "\(run.errors)")
    }

    @Test("A name that another wall has is taken only when it is given twice")
    func name() throws {
        folder.makeFolder("config")
        folder.makeFolder("config/vitrail")
        write("config/vitrail/wall-office.toml", toml([3, 2, 1]))
        let program = try start(
            "1.yuv?size=64x64&format=i420&loop=yes&content=stretch&label=wall", "--grid", "1x3", "--gap", "0")
        try wait([0, 1, 0], program)
        func save(as name: String, _ keys: String...) throws {
            try display.xdotool("key", "ctrl+shift+s", "ctrl+u")
            try display.xdotool("type", name)
            try display.xdotool(["key", "Return"] + keys)
        }
        try save(as: "wall-office", "Escape")
        try save(as: "wall-door")
        wait(forError: "wall-door saved", program)
        try wait(forTitle: "wall-door – Vitrail")
        #expect(try text("config/vitrail/wall-office.toml") == toml([3, 2, 1]))
        try save(as: "wall-office", "Return")
        wait(forError: "wall-office saved", program)
        #expect(try text("config/vitrail/wall-office.toml").contains("1.yuv"))
        try wait(forTitle: "wall-office – Vitrail")
        #expect(try program.quit(display).status == 0)
    }

    @Test("A wall that was saved under a name is known by its file: equal inputs, other folders, edits by hand")
    func identities() throws {
        let options = "?size=64x64&format=i420&loop=yes&content=stretch"
        let program = try start(
            "1.yuv\(options)", "2.yuv\(options)", "2.yuv\(options)", "--grid", "1x3", "--title", "wall")
        try wait([1, 2, 2], program)
        // The second of two equal inputs comes first.
        try display.xdotool("mousemove", "500", "60", "key", "Return")
        try wait([2, 1, 2], program)
        try display.xdotool("key", "ctrl+shift+s", "ctrl+u")
        try display.xdotool("type", "wall-yard")
        try display.xdotool("key", "Return")
        wait(forError: "wall-yard saved", program)
        let path = "config/vitrail/wall-yard.toml"
        let saved = try text(path)
        let first = try #require(saved.firstRange(of: "2.yuv"))
        // A comment at the first, which is another picture now, and one more at the end.
        let input = "[[input]]\nurl = \"\(folder.path)/1.yuv\(options)\"\n"
        write(path, saved.replacingCharacters(in: first, with: "3.yuv\" # new\n#\"") + input)
        try wait([3, 1, 2], program)
        try display.xdotool("key", "w")
        wait(forError: "saved", times: 2, program)
        let last = try text(path)
        #expect(last.contains("3.yuv\" # new\n") && last.contains(input.dropLast()), "\(last)")
        #expect(last.components(separatedBy: "[[input]]").count == 5, "\(last)")
        try wait(forTitle: "wall")
        #expect(try program.quit(display).status == 0)
    }
}
