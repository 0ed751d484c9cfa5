import Foundation
import TestSupport
import Testing

/// A wall file in a real window.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct ViewWallFileTests {
    static func toml(_ last: String = "", _ layout: String = "rows = 1\ncolumns = 3\ngap = 0") -> String {
        """
        # The office.
        [layout]
        \(layout)   # all in a row

        [look]
        content = "stretch"
        animation = false

        [[input]]   # a pipe, which can be read once only
        url = "1.y4m"

        [[input]]
        url = "2.y4m"

        [[input]]
        url = "3.yuv?size=64x64&format=i420&loop=yes"
        \(last)
        """
    }

    /// Writes the file as an editor does: another one takes its place.
    static func save(_ text: String, _ folder: borrowing TemporaryFolder) {
        let path = "\(folder.path)/office.toml"
        _ = folder.write("new.toml", Array(text.utf8))
        #expect(rename("\(folder.path)/new.toml", path) == 0)
    }

    /// A pipe that has one picture of a luma, and stays open.
    static func pipe(_ name: String, _ luma: UInt8, _ folder: borrowing TemporaryFolder) throws -> Int32 {
        try #require(mkfifo("\(folder.path)/\(name)", 0o600) == 0)
        let writer = open("\(folder.path)/\(name)", O_RDWR)
        let bytes =
            Array("YUV4MPEG2 W64 H64 F25:1 C420jpeg\nFRAME\n".utf8) + Array(repeating: luma, count: 4096)
            + Array(repeating: 128, count: 2048)
        #expect(bytes.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) } == bytes.count)
        return writer
    }

    @Test("A saved file changes only what it says, a wrong one nothing, and w keeps its comments")
    func file() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let writers = [try Self.pipe("1.y4m", 70, folder), try Self.pipe("2.y4m", 130, folder)]
        defer { for writer in writers { close(writer) } }
        for (name, luma) in [("3.yuv", UInt8(200)), ("4.yuv", 40)] {
            _ = folder.write(name, Array(repeating: luma, count: 4096) + Array(repeating: 128, count: 2048))
        }
        Self.save(Self.toml(), folder)
        let program = try startViewer(["office.toml", "--size", "600x120"], display, folder)
        func wait(_ expected: [UInt8], _ place: SourceLocation = #_sourceLocation) throws {
            let end = Date.now + 120
            func seen() throws -> [Int] {
                let screen = try display.screenshot()
                return [100, 300, 500].map { Int(screen.color(x: $0, y: 20)[0]) }
            }
            let wanted = expected.map { (Int($0) - 16) * 255 / 219 }
            func isSo() throws -> Bool { zip(try seen(), wanted).allSatisfy { abs($0 - $1) <= 3 } }
            while try !isSo(), Date.now < end, program.process.isRunning { usleep(10_000) }
            let last = try seen()
            #expect(
                zip(last, wanted).allSatisfy { abs($0 - $1) <= 3 }, "\(last) \(program.errorText)",
                sourceLocation: place)
        }
        func waitForError(_ words: String, _ place: SourceLocation = #_sourceLocation) {
            let end = Date.now + 120
            while !program.errorText.contains(words), Date.now < end { usleep(10_000) }
            #expect(program.errorText.contains(words), "\(program.errorText)", sourceLocation: place)
        }
        try wait([70, 130, 200])
        // The pipes have no second picture: a stream that was opened again would show none. They cannot be aligned.
        Self.save("align = \"auto\"\n" + Self.toml().replacing("3.yuv", with: "4.yuv"), folder)
        try wait([70, 130, 40])
        Self.save(Self.toml("", "gapp = 0"), folder)
        waitForError("office.toml:3:1: there is no “gapp” in [layout]; did you mean gap?")
        try wait([70, 130, 40])
        Self.save(String(Self.toml().prefix(100)), folder)
        waitForError("office.toml:9:4: the file ends too early")
        #expect(
            chmod("\(folder.path)/office.toml", 0) == 0
                && rename("\(folder.path)/office.toml", "\(folder.path)/gone") == 0)
        Self.save(Self.toml().replacing("1.y4m", with: "x.y4m").replacing("x.y4m", with: "1.y4m"), folder)
        try wait([70, 130, 200])
        // A move by hand is saved, with the comments.
        try display.xdotool("mousemove", "500", "60", "key", "Return")
        try wait([200, 70, 130])
        try display.xdotool("key", "w")
        waitForError("office.toml saved")
        let text = try String(contentsOfFile: "\(folder.path)/office.toml", encoding: .utf8)
        #expect(text.hasPrefix("# The office.\n[layout]\nrows = 1\ncolumns = 3\ngap = 0   # all in a row\n"), "\(text)")
        #expect(text.contains("[[input]]   # a pipe, which can be read once only\nurl = \"1.y4m\""), "\(text)")
        let order = ["3.yuv", "1.y4m", "2.y4m"].map { text.firstRange(of: $0)?.lowerBound }
        #expect(order[0] ?? text.endIndex < order[1] ?? text.startIndex, "\(text)")
        #expect(order[1] ?? text.endIndex < order[2] ?? text.startIndex, "\(text)")
        try wait([200, 70, 130])
        try display.xdotool("key", "ctrl+z")
        try wait([70, 130, 200])
        // What is not saved is not lost by one key.
        try display.xdotool("key", "q")
        usleep(500_000)
        #expect(program.process.isRunning)
        #expect(try program.quit(display).status == 0)
    }

    @Test("A wall that is saved under a name comes back by one word")
    func name() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        _ = folder.write("a.yuv", Array(repeating: 200, count: 4096) + Array(repeating: 128, count: 2048))
        let home = ["XDG_CONFIG_HOME": "\(folder.path)/config", "DISPLAY": display.name]
        let program = try startViewer(
            ["\(folder.path)/a.yuv?size=64x64&format=i420&loop=yes&label=Yard", "--size", "320x240"], display, folder,
            environment: home)
        try display.xdotool("key", "w")
        // The name that is suggested is replaced by what is typed.
        try display.xdotool("type", "office")
        try display.xdotool("key", "Return")
        let path = "\(folder.path)/config/vitrail/office.toml"
        let end = Date.now + 120
        while access(path, F_OK) != 0, Date.now < end, program.process.isRunning { usleep(10_000) }
        let saved = try program.quit(display)
        #expect(
            saved.errors.count == 1
                && saved.errors[0].hasSuffix(" office saved: vitrail office shows it, from \(path)."),
            "\(saved.errors)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("name = \"Yard\"") && text.contains("url = \"\(folder.path)/a.yuv\""), "\(text)")
        let render = try RunningProgram(
            ["render", "office", "--frames", "1", "-o", "a.png", "--size", "32x32"], in: folder.path, environment: home
        ).finish()
        let names = try folder.names
        #expect(render.status == 0 && names.contains("a.png"), "\(render.errors)")
        let wrong = try Run(["render", "\(folder.path)/config/vitrail/office.toml", "no.toml", "-o", "a.png"])
        #expect(wrong.status == 64 && wrong.errors.first?.contains("are walls: show one of them") == true)
        let misspelt = try Run(["view", "offfice"], in: folder.path, environment: home)
        #expect(misspelt.status == 66)
        #expect(
            misspelt.errors.first?.contains("offfice does not exist, as a file or as a saved wall: those are office.")
                == true, "\(misspelt.errors)")
    }

    @Test("A wall file that cannot be used is one line, with the place, and no window")
    func wrong() throws {
        let folder = TemporaryFolder()
        _ = folder.write("bad.toml", Array("[[input]]\nurl = \"test:bars\"\nrotate = 45\n".utf8))
        let run = try Run(["view", "bad.toml"], in: folder.path)
        #expect(run.status == 66 && run.errors.count == 1, "\(run.errors)")
        #expect(run.errors.first?.contains("bad.toml:3:") == true, "\(run.errors)")
        #expect(try Run(["view", "missing.toml"], in: folder.path).status == 66)
    }
}
