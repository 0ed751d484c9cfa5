import Foundation
import MediaIO
import TestSupport
import Testing
import VideoWall
import WindowGL

@testable import vitrail

/// The mouse and the keyboard on a real wall.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct ViewHandsTests {
    private func drag(_ wall: TestWall, _ from: (Int, Int), _ to: (Int, Int)) throws {
        try wall.display.xdotool("mousemove", "\(from.0)", "\(from.1)", "mousedown", "1")
        // In steps, as a hand does.
        for step in 1...4 {
            let (x, y) = (from.0 + (to.0 - from.0) * step / 4, from.1 + (to.1 - from.1) * step / 4)
            try wall.display.xdotool("mousemove", "\(x)", "\(y)", "sleep", "0.05")
        }
        try wall.display.xdotool("mouseup", "1")
    }

    @Test("A tile is dragged onto another and they are swapped, or between two and inserted; Esc is not needed")
    func dragging() throws {
        let wall = try TestWall()
        try wall.wait(TestWall.columns, [1, 2, 3])
        try drag(wall, (100, 60), (500, 60))
        try wall.wait(TestWall.columns, [3, 2, 1])
        // The left fifth of the middle tile.
        try drag(wall, (500, 60), (220, 60))
        try wall.wait(TestWall.columns, [3, 1, 2])
        // Its own place, and the desktop.
        try drag(wall, (100, 60), (120, 60))
        try drag(wall, (100, 60), (100, 300))
        try wall.wait(TestWall.columns, [3, 1, 2])
        try wall.display.xdotool("key", "ctrl+z", "ctrl+z")
        try wall.wait(TestWall.columns, [1, 2, 3])
        #expect(try wall.program.quit(wall.display).status == 0)
    }

    @Test("The tile that Tab chooses has a ring in the accent, and only that")
    func ring() throws {
        let wall = try TestWall()
        try wall.wait(TestWall.columns, [1, 2, 3])
        // The upper left corner of each tile.
        func rings() throws -> [Bool] {
            let screen = try wall.display.screenshot()
            return [0, 200, 400].map { screen.color(x: $0 + 1, y: 1) == [88, 166, 255] }
        }
        for expected in [[true, false, false], [false, true, false], [false, false, true]] {
            try wall.display.xdotool("key", "Tab")
            let end = Date.now + 120
            while try rings() != expected, Date.now < end { usleep(10_000) }
            let seen = try rings()
            #expect(seen == expected)
        }
        #expect(try wall.program.quit(wall.display).status == 0)
    }

    @Test("The edge between two tiles is dragged, and that is undone at once")
    func splits() throws {
        let wall = try TestWall()
        try wall.wait(TestWall.columns, [1, 2, 3])
        try drag(wall, (200, 60), (260, 60))
        try wall.wait([(100, 20), (250, 20), (270, 20), (390, 20), (410, 20)], [1, 1, 2, 2, 3])
        try wall.display.xdotool("key", "ctrl+z")
        try wall.wait([(100, 20), (250, 20), (270, 20), (390, 20), (410, 20)], [1, 2, 2, 2, 3])
        wall.act("layout spotlight")
        try wall.wait([(390, 20)], [1])
        try drag(wall, (400, 60), (300, 60))
        try wall.wait([(290, 20), (310, 20)], [1, 2])
        #expect(try wall.program.quit(wall.display).status == 0)
    }

    @Test("The wheel enlarges a picture at the pointer, dragging moves it, and all of it is undone")
    func zoom() throws {
        let wall = try TestWall()
        // The left half dark, the right one bright.
        let row = Array(repeating: UInt8(70), count: 32) + Array(repeating: UInt8(200), count: 32)
        _ = wall.folder.write("half.yuv", (0..<64).flatMap { _ in row } + Array(repeating: 128, count: 2048))
        wall.act("add half.yuv?size=64x64&format=i420&loop=yes&content=stretch")
        wall.act("focus 4")
        try wall.wait([(100, 60), (290, 60), (310, 60), (500, 60)], [1, 1, 3, 3])
        try wall.display.xdotool("mousemove", "500", "60", "click", "--repeat", "3", "--delay", "20", "4")
        // 1.25³ = 1.95: the middle of the picture is now 391 pixels left of the pointer.
        try wall.wait([(80, 20), (140, 20), (500, 20)], [1, 3, 3])
        try drag(wall, (100, 60), (300, 60))
        try wall.wait([(80, 20), (280, 20), (340, 20)], [1, 1, 3])
        try wall.display.xdotool("key", "ctrl+z")
        try wall.wait([(80, 20), (140, 20), (500, 20)], [1, 3, 3])
        try wall.display.xdotool("click", "--repeat", "9", "--delay", "20", "5")
        try wall.wait([(100, 60), (290, 60), (310, 60), (500, 60)], [1, 1, 3, 3])
        // By the keyboard: around the middle.
        try wall.display.xdotool("key", "ctrl+Up", "ctrl+Up", "alt+Right", "alt+Right", "alt+Right")
        // 1.25², and three tenths of the wall to the left, as far as there is more of the picture.
        try wall.wait([(100, 20), (160, 20)], [1, 3])
        #expect(try wall.program.quit(wall.display).status == 0)
    }

    @Test("The menu, names and addresses, by the mouse and by the keyboard alone")
    func menu() throws {
        let wall = try TestWall(["--grid", "1x3", "--gap", "0", "--verbose", "--size", "600x700"])
        try wall.wait(TestWall.columns, [1, 2, 3])
        let menu = WallMenu(of: WallTile(name: ""), at: WindowEvent.MousePosition(x: 0, y: 0))
        func line(_ title: String) throws -> Int { try #require(menu.entries.firstIndex { $0.title == title }) }
        /// Where a line is in a menu that was opened at a place.
        func click(_ title: String, at place: (Int, Int), button: [String]) throws {
            let (x, y) = (Double(place.0), Double(place.1))
            let menu = WallMenu(of: WallTile(name: ""), at: WindowEvent.MousePosition(x: x, y: y))
            let size = VideoSize(width: 600, height: 700)
            let index = try line(title)
            let row = try #require(
                (0..<700).first { menu.entry(at: .init(x: x + 10, y: Double($0)), in: size) == index })
            try wall.display.xdotool(["mousemove", "\(place.0)", "\(place.1)"] + button)
            try wall.display.xdotool("mousemove", "\(place.0 + 10)", "\(row + 5)", "click", "1")
        }
        // F10 opens the menu of the tile that Tab has chosen.
        func choose(_ title: String) throws {
            try wall.display.xdotool(
                ["key", "F10"] + Array(repeating: "Down", count: try line(title)) + ["Return"])
        }
        try wall.display.xdotool("key", "Tab", "Tab")
        try choose("Name…")
        try wall.display.xdotool("type", "Back door")
        try wall.display.xdotool("key", "Return", "m")
        let end = Date.now + 120
        while !wall.program.errorText.contains("Back door: matrix"), Date.now < end { usleep(10_000) }
        #expect(wall.program.errorText.contains("Back door: matrix"), "\(wall.program.errorText)")
        try choose("Copy its address")
        try choose("Remove")
        try wall.wait(TestWall.columns, [1, 3, 0])
        // The copied address has no options, so it is not a picture that this test knows.
        try wall.display.xdotool("key", "ctrl+o")
        try wall.display.xdotool("type", "2.yuv?size=64x64&format=i420&content=stretch")
        try wall.display.xdotool("key", "BackSpace", "h", "Return")
        try wall.wait(TestWall.columns, [1, 3, 2])
        // A right click, and a click on a line.
        try click("Remove", at: (300, 10), button: ["click", "3"])
        try wall.wait(TestWall.columns, [1, 2, 0])
        // A long press is a right click.
        try click("Remove", at: (100, 10), button: ["mousedown", "1", "sleep", "1", "mouseup", "1"])
        try wall.wait(TestWall.columns, [0, 2, 0])
        try wall.display.xdotool("key", "F10", "Escape", "ctrl+o", "Escape")
        // A number that is asked for; what it is now is replaced.
        try choose("Rows and columns…")
        try wall.display.xdotool("key", "ctrl+u")
        try wall.display.xdotool("type", "2x1")
        try wall.display.xdotool("key", "Return")
        try wall.wait([(300, 20), (300, 200)], [2, 2])
        try choose("Margin…")
        try wall.display.xdotool("key", "ctrl+u")
        try wall.display.xdotool("type", "60")
        try wall.display.xdotool("key", "Return")
        try wall.wait([(300, 20), (300, 200)], [0, 2])
        #expect(try wall.program.quit(wall.display).status == 0)
    }

    @Test("Edges and free tiles are moved by the keyboard alone, and back at once")
    func edges() throws {
        let wall = try TestWall()
        try wall.wait(TestWall.columns, [1, 2, 3])
        // The edge after the second tile, five steps of a fiftieth of 600.
        try wall.display.xdotool("key", "Tab", "Tab")
        try wall.display.xdotool("key", "--repeat", "5", "--delay", "30", "ctrl+shift+Right")
        try wall.wait([(390, 20), (450, 20), (470, 20)], [2, 2, 3])
        // After the last one is none: the one before it.
        try wall.display.xdotool("key", "Tab")
        try wall.display.xdotool("key", "--repeat", "5", "--delay", "30", "ctrl+shift+Left")
        try wall.wait([(390, 20), (410, 20), (470, 20)], [2, 3, 3])
        wall.act("edge up", tile: 2)
        wall.act("layout free")
        wall.act("pan left", tile: 3)
        // A fiftieth of 600 to the left, over the second.
        try wall.wait([(380, 20), (392, 20), (580, 20), (594, 20)], [2, 3, 3, 0])
        // Nothing is beside it, so its own edge moves.
        wall.act("edge left", tile: 3)
        try wall.wait([(392, 20), (570, 20), (582, 20)], [3, 3, 0])
        wall.act("edge left", tile: 1)
        try wall.wait([(180, 20), (192, 20), (210, 20)], [1, 2, 2])
        wall.act("undo")
        try wall.wait([(180, 20), (192, 20), (210, 20)], [1, 1, 2])
        wall.act("layout pip")
        for _ in 0..<3 { wall.act("edge right") }
        wall.act("save pip.toml")
        let end = Date.now + 120
        while !wall.program.errorText.contains("pip.toml saved"), Date.now < end { usleep(10_000) }
        let text = try String(contentsOfFile: "\(wall.folder.path)/pip.toml", encoding: .utf8)
        let share = PictureInPictureLayout().share + 0.06
        #expect(text.contains("share = \(share.formatted(.number.locale(.init(identifier: "C"))))"), "\(text)")
        #expect(
            wall.program.errorText.contains("This tile has no edge that can be moved up."), "\(wall.program.errorText)")
        #expect(try wall.program.quit(wall.display).status == 0)
    }

    @Test("Digits are collected for a second, unless no other can follow")
    func digits() {
        var digits = DigitEntry()
        let now = ContinuousClock.now
        #expect(digits.type(3, of: 9, now: now) == 3)
        #expect(digits.type(1, of: 25, now: now) == nil && digits.typed == 1)
        #expect(digits.type(2, of: 25, now: now + .milliseconds(900)) == 12)
        #expect(digits.type(2, of: 25, now: now) == nil)
        #expect(digits.take(now: now + .milliseconds(999)) == nil)
        #expect(digits.take(now: now + .seconds(1)) == 2 && digits.end == nil)
        #expect(digits.type(3, of: 25, now: now) == 3)
        #expect(digits.type(0, of: 25, now: now) == 0)
        #expect(digits.type(1, of: 300, now: now) == nil && digits.type(1, of: 300, now: now) == nil)
        #expect(digits.type(9, of: 300, now: now) == 119)
    }
}
