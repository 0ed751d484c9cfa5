import Foundation
import MediaIO
import TestSupport
import Testing
import VideoWall
import WindowGL

@testable import vitrail

/// A real wall in the hands of somebody who has no keyboard.
@Suite(.timeLimit(.minutes(25)), .serialized)
final class ViewMouseTests {
    private static let size = VideoSize(width: 1280, height: 720)
    private static let lumas = (0..<25).map { UInt8(40 + 7 * $0) }

    private let display: VirtualDisplay
    private let folder = TemporaryFolder()
    private var home: [String: String] { ["XDG_CONFIG_HOME": "\(folder.path)/config"] }

    init() throws {
        display = try VirtualDisplay()
        for (index, luma) in Self.lumas.enumerated() {
            _ = folder.write("\(index).yuv", Array(repeating: luma, count: 4096) + Array(repeating: 128, count: 2048))
        }
    }

    // MARK: Hands

    private func click(_ place: WindowEvent.MousePosition, button: Int = 1) throws {
        try display.xdotool("mousemove", "\(Int(place.x))", "\(Int(place.y))", "sleep", "0.03", "click", "\(button)")
    }

    /// The place on the screen where something is found.
    private func place(where isThere: (WindowEvent.MousePosition) -> Bool) throws -> WindowEvent.MousePosition {
        let columns = stride(from: 2.0, to: Double(Self.size.width), by: 4)
        let rows = stride(from: 2.0, to: Double(Self.size.height), by: 4)
        for x in columns {
            for y in rows where isThere(.init(x: x, y: y)) { return .init(x: x, y: y) }
        }
        throw POSIXError(.ENOENT)
    }

    /// Chooses a line of the menu that a right click opens.
    private func choose(_ title: String, overTileAt position: WindowEvent.MousePosition) throws {
        let menu = WallMenu(of: WallTile(name: ""), at: position)
        let line = try #require(menu.entries.firstIndex { $0.title == title })
        try click(position, button: 3)
        try click(try place { menu.entry(at: $0, in: Self.size) == line })
    }

    /// Presses keys of the keyboard on the wall.
    private func type(_ keys: [ScreenKeyboard.Key]) throws {
        var prompt = TextPrompt("", withKeyboard: true) { _ in }
        for key in keys {
            let shown = prompt
            try click(try place { shown.key(at: $0, in: Self.size) == key })
            prompt.press(key)
        }
    }

    private func type(_ text: String) throws {
        try type(text.map { $0 == " " ? .space : .character($0) })
    }

    // MARK: What is seen

    /// The middle of the place of a number.
    private func middle(_ index: Int) -> WindowEvent.MousePosition {
        .init(x: Double(index % 5 * 256 + 128), y: Double(index / 5 * 144 + 60))
    }

    private func wait(for order: [Int], _ program: RunningProgram, _ place: SourceLocation = #_sourceLocation) throws {
        func shown() throws -> [Int] {
            let screen = try display.screenshot()
            return Self.lumas.indices.map { index in
                let gray = Int(screen.color(x: Int(middle(index).x) + 40, y: Int(middle(index).y) - 40)[0])
                return Self.lumas.firstIndex { abs((Int($0) - 16) * 255 / 219 - gray) <= 3 } ?? -1
            }
        }
        let end = Date.now + 120
        while try shown() != order, Date.now < end, program.process.isRunning { usleep(10_000) }
        let seen = try shown()
        #expect(seen == order, "\(program.errorText)", sourceLocation: place)
    }

    @Test("25 tiles are arranged, named and saved with the mouse alone, and come back by one word")
    func arrangedNamedAndSaved() throws {
        let inputs = Self.lumas.indices.map {
            "\(folder.path)/\($0).yuv?size=64x64&format=i420&loop=yes&content=stretch"
        }
        let options = ["--size", "1280x720", "--grid", "5x5", "--gap", "0", "--no-animation"]
        let program = try startViewer(inputs + options, display, folder, environment: home)
        var order = Array(Self.lumas.indices)
        try wait(for: order, program)
        for (from, to) in [(0, 24), (3, 17), (12, 6)] {
            let (start, end) = (middle(from), middle(to))
            try display.xdotool("mousemove", "\(Int(start.x))", "\(Int(start.y))", "mousedown", "1")
            for step in 1...4 {
                let x = start.x + (end.x - start.x) * Double(step) / 4
                let y = start.y + (end.y - start.y) * Double(step) / 4
                try display.xdotool("mousemove", "\(Int(x))", "\(Int(y))", "sleep", "0.05")
            }
            try display.xdotool("mouseup", "1")
            order.swapAt(from, to)
            try wait(for: order, program)
        }
        try choose("Name…", overTileAt: middle(7))
        // Capitals are for one letter, symbols stay; what is wrong can be erased.
        try type([.shift, .character("G")])
        try type("ate ")
        try type([.symbols, .character("#"), .symbols])
        try type("2x")
        try type([.erase, .done])
        try choose("Save the wall…", overTileAt: middle(24))
        try type([.clear])
        try type("yard_1")
        try type([.done])
        let path = "\(folder.path)/config/vitrail/yard_1.toml"
        let end = Date.now + 120
        while access(path, F_OK) != 0, Date.now < end, program.process.isRunning { usleep(10_000) }
        // A name that is not wanted after all.
        try choose("Name…", overTileAt: middle(8))
        try type("no")
        try type([.cancel])
        try choose("Quit", overTileAt: middle(0))
        let run = try program.finish()
        #expect(run.status == 0 && run.errors.count == 1, "\(run.errors)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("name = \"Gate #2\"") && text.components(separatedBy: "name = ").count == 2, "\(text)")

        let again = try startViewer(["yard_1", "--size", "1280x720"], display, folder, environment: home)
        try wait(for: order, again)
        #expect(try again.quit(display).status == 0)
    }
}
