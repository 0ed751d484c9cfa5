import Foundation
import TestSupport
import Testing

/// Changing the wall in a real window, by lines of control and by keys.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct ViewWallTests {
    @Test("Tiles are moved, removed, shown alone and on pages, and all of it is undone")
    func edits() throws {
        let wall = try TestWall()
        try wall.wait(TestWall.columns, [1, 2, 3])
        wall.act("move first", tile: 3)
        try wall.wait(TestWall.columns, [3, 1, 2])
        wall.act("move previous", tile: 3)
        try wall.wait(TestWall.columns, [3, 2, 1])
        wall.act("remove", tile: 2)
        try wall.wait(TestWall.columns, [3, 1, 0])
        wall.act("focus 2")
        try wall.wait(TestWall.columns, [1, 1, 1])
        try wall.display.xdotool("key", "ctrl+z")
        try wall.wait(TestWall.columns, [3, 1, 0])
        try wall.display.xdotool("key", "ctrl+z")
        try wall.wait(TestWall.columns, [3, 2, 1])
        try wall.display.xdotool("key", "ctrl+z", "ctrl+z")
        try wall.wait(TestWall.columns, [1, 2, 3])
        try wall.display.xdotool("key", "ctrl+shift+z")
        try wall.wait(TestWall.columns, [3, 1, 2])
        wall.act("undo")
        wall.act("grid 1x1")
        wall.act("page-size 1")
        try wall.wait(TestWall.columns, [1, 1, 1])
        try wall.display.xdotool("key", "Next")
        try wall.wait(TestWall.columns, [2, 2, 2])
        wall.act("page 3")
        try wall.wait(TestWall.columns, [3, 3, 3])
        wall.act("tour 1")
        try wall.wait(TestWall.columns, [1, 1, 1])
        try wall.wait(TestWall.columns, [2, 2, 2])
        wall.act("tour off")
        wall.act("page-size all")
        wall.act("grid 3x1")
        try wall.wait([(300, 20), (300, 60), (300, 100)], [1, 2, 3])
        let run = try wall.program.quit(wall.display)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty, "\(run.errors)")
    }

    @Test("Every layout is there by a word and a key, with its gap, margin and share")
    func layouts() throws {
        let wall = try TestWall(["--gap", "0", "--layout", "spotlight"])
        // In a wide window, the others are at the right of the large one.
        try wall.wait([(100, 60), (390, 60), (450, 60), (550, 60)], [1, 1, 2, 3])
        wall.act("edge left")
        wall.act("edge left")
        try wall.wait([(390, 60)], [2])
        wall.act("layout strip")
        try wall.wait([(200, 60), (540, 20), (540, 100)], [1, 2, 3])
        try wall.display.xdotool("key", "g")
        // The small ones lie in the lower right corner.
        try wall.wait([(100, 20), (400, 20)], [1, 1])
        wall.act("grid 1x3")
        wall.act("margin 10")
        wall.act("gap 20")
        try wall.wait([(5, 60), (100, 60), (200, 60), (300, 60), (400, 60), (500, 60)], [0, 1, 0, 2, 0, 3])
        wall.act("layout free")
        wall.act("margin 0")
        try wall.wait([(5, 60), (100, 60), (200, 60), (300, 60), (400, 60), (500, 60)], [0, 1, 0, 2, 0, 3])
        #expect(try wall.program.quit(wall.display).status == 0)
    }

    @Test("Words that cannot be used are refused, with those that can")
    func refusals() throws {
        let wall = try TestWall()
        try wall.wait(TestWall.columns, [1, 2, 3])
        let lines = [
            ("layot grid", nil, "there is no “layot”; did you mean layout?"), ("", nil, "there is no verb"),
            ("layout round", nil, "layout: “round” cannot be used; write layout grid|spotlight|strip|pip|free"),
            ("gap x", nil, "write gap PIXELS"), ("all now", nil, "nothing follows it"), ("grid 0x2", nil, "write grid"),
            ("rotate 45", 1, "write rotate 0|90|180|270"), ("remove", 9, "there is no tile 9: there are 3"),
            ("tour 0", nil, "write tour SECONDS|off"), ("add test:no", nil, "There is no test pattern"),
            ("page 2", nil, "write page next|previous|NUMBER"), ("effects maybe", 1, "write effects on|off"),
        ]
        for (words, tile, _) in lines { wall.act(words, tile: tile) }
        wall.act("name Last", tile: 3)
        wall.act("retry", tile: 3)
        wall.act("add test:bars")
        wall.act("grid 1x4")
        try wall.wait([(80, 20), (220, 20), (380, 20)], [1, 2, 3])
        wall.act("quit")
        let run = try wall.program.finish()
        #expect(run.status == 0)
        #expect(run.errors.count == lines.count, "\(run.errors)")
        for (line, (_, _, words)) in zip(run.errors, lines) { #expect(line.contains(words), "\(line)") }
    }
}
