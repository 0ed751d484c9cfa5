import TestSupport
import Testing
import VideoWall

@testable import vitrail

/// Editing the text of a wall file: what nobody changed stays as it is written.
struct WallFileEditingTests {
    static let text = """
        # The office.

        title = "Office"   # on the window
        # The yard is large.
        focus = "Yard"

        [layout] # how
        gap = 4          # pixels
        kind = "strip"

        # Doors.

        # The front door.
        [[input]]
        url = "rtsp://door/1?token=a#latency=0"
        name = "Door"    # in red
        rotate = 90
        place = {x=0,y=0.50,width=0.5,height=1}

        # The yard.
        [[input]]
        name = "Yard"
        url = "test:bars"
        size = "640x360"
            [input.zoom]
            # twice
            scale = 2.0

        # The roof,
        # second line.
        [[input]]
        url = "test:gradient" # pattern
        # end

        """

    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        /// Lines that vanish, and those that come in their place.
        var changes: [(String, String)]
        var edit: @Sendable (inout WallDocument) -> Void

        init(_ name: String, _ changes: [(String, String)], _ edit: @escaping @Sendable (inout WallDocument) -> Void) {
            (self.name, self.changes, self.edit) = (name, changes, edit)
        }
        var testDescription: String { name }
    }

    static let focus = "# The yard is large.\nfocus = \"Yard\"\n"
    static let door = """
        # The front door.
        [[input]]
        url = "rtsp://door/1?token=a#latency=0"
        name = "Door"    # in red
        rotate = 90
        place = {x=0,y=0.50,width=0.5,height=1}

        """
    static let yard = """
        # The yard.
        [[input]]
        name = "Yard"
        url = "test:bars"
        size = "640x360"
            [input.zoom]
            # twice
            scale = 2.0

        """
    static let roof = """
        # The roof,
        # second line.
        [[input]]
        url = "test:gradient" # pattern

        """

    static let rows = [
        Row("nothing", []) { _ in },
        Row("a value", [("gap = 4  ", "gap = 12  ")]) { $0.layout.gap = 12 },
        Row("a text", [("\"Office\"  ", "\"A \\\"b\\\" \\\\ é\\n\"  ")]) { $0.title = "A \"b\" \\ é\n" },
        Row("a default", [("gap = 4          # pixels\n", "")]) { $0.layout.gap = 2 },
        Row("a new key", [("kind = \"strip\"\n", "kind = \"strip\"\nmargin = 3\n")]) { $0.layout.margin = 3 },
        Row("no title", [("title = \"Office\"   # on the window\n", "")]) { $0.title = nil },
        Row("another focus", [("focus = \"Yard\"", "focus = \"Door\"")]) { $0.focus = $0.inputs[0].id },
        Row("a focus without a name", [("focus = \"Yard\"", "focus = 3")]) {
            $0.focus = $0.inputs[2].id
        },
        Row("a new table", [("# The front door.\n", "[pages]\nsize = 4\ntour = 2.5\n\n# The front door.\n")]) {
            $0.pages = PageSettings(size: 4, tour: 2.5)
        },
        Row(
            "two new tables",
            [
                (
                    "# The front door.\n",
                    "[look]\nlinear-light = true\n\n[output]\nsnapshots = \"/tmp\"\n\n# The front door.\n"
                )
            ]
        ) {
            $0.look.linearLight = true
            $0.output.snapshots = "/tmp"
        },
        Row("a name", [("\"Door\"    # in red", "\"Gate\"    # in red")]) { $0.inputs[0].name = "Gate" },
        Row("a place", [("y=0.50", "y=0.25")]) { $0.inputs[0].place?.y = 0.25 },
        Row("no place", [("place = {x=0,y=0.50,width=0.5,height=1}\n", "")]) { $0.inputs[0].place = nil },
        Row("a zoom", [("scale = 2.0", "scale = 3"), ("scale = 3\n", "scale = 3\n    x = 0.25\n")]) {
            $0.inputs[1].zoom = TileZoom(scale: 3, x: 0.25, y: 0.5)
        },
        Row("no zoom", [("    [input.zoom]\n    # twice\n    scale = 2.0\n", "")]) { $0.inputs[1].zoom = nil },
        Row(
            "a new zoom",
            [("height=1}\n", "height=1}\nzoom = { scale = 4, x = 0.5, y = 0.5 }\n")]
        ) { $0.inputs[0].zoom = TileZoom(scale: 4, x: 0.5, y: 0.5) },
        Row("an option", [("rotate = 90", "rotate = 180")]) { $0.inputs[0].settings[.rotate] = "180" },
        Row("a new option", [("640x360\"\n", "640x360\"\nswapuv = true\n")]) { $0.inputs[1].settings[.swapuv] = "yes" },
        Row(
            "an option in the address",
            [
                ("rtsp://door/1?token=a#latency=0", "rtsp://door/1?token=a"),
                ("height=1}\n", "height=1}\nlatency = 40\n"),
            ]
        ) { $0.inputs[0].settings[.latency] = "40" },
        Row("no option in the address", [("rtsp://door/1?token=a#latency=0", "rtsp://door/1?token=a")]) {
            $0.inputs[0].settings[.latency] = nil
        },
        Row("the first removed", [(door + "\n", "")]) { $0.remove($0.inputs[0].id) },
        Row("the second removed", [(yard + "\n", ""), (focus, "")]) { $0.remove($0.inputs[1].id) },
        Row("the last removed", [(roof, "")]) { $0.remove($0.inputs[2].id) },
        Row("one more", [(roof, roof + "\n[[input]]\nname = \"New\"\nurl = \"test:zoneplate\"\n")]) {
            var input = WallInput(address: "test:zoneplate")
            input.name = "New"
            $0.add(input)
        },
        Row("one in between", [(door, door + "\n[[input]]\nurl = \"test:zoneplate\"\n")]) {
            $0.add(WallInput(address: "test:zoneplate"), at: 1)
        },
        Row("one before", [(door, "[[input]]\nurl = \"test:zoneplate\"\n\n" + door)]) {
            $0.add(WallInput(address: "test:zoneplate"), at: 0)
        },
        Row("two swapped", [(door, "DOOR"), (roof, "ROOF"), ("DOOR", roof), ("ROOF", door)]) {
            $0.inputs.swapAt(0, 2)
        },
        Row("one replaced", [(yard, "[[input]]\nurl = \"test:zoneplate\"\n"), (focus, "")]) {
            $0.remove($0.inputs[1].id)
            $0.add(WallInput(address: "test:zoneplate"), at: 1)
        },
    ]

    @Test("An edit changes its own lines only", arguments: rows, ["\n", "\r\n"])
    func edits(_ row: Row, _ newline: String) throws {
        var expected = Self.text
        for (old, new) in row.changes {
            #expect(expected.ranges(of: old).count == 1, "\(old)")
            expected = expected.replacing(old, with: new)
        }
        let saved = try Self.save(Self.text.replacing("\n", with: newline), row.edit)
        #expect(saved == expected.replacing("\n", with: newline))
    }

    @Test("The last input of all leaves no empty lines")
    func emptied() throws {
        let saved = try Self.save("[layout]\ngap = 3\n\n[[input]]\nurl = \"test:bars\"\n") { $0.inputs = [] }
        #expect(saved == "[layout]\ngap = 3\n")
        let first = try Self.save("# My wall.\n") { $0.add(WallInput(address: "test:bars")) }
        #expect(first == "# My wall.\n\n[[input]]\nurl = \"test:bars\"\n")
        let title = try Self.save("# My wall.\n\n[layout]\ngap = 3") { $0.title = "a" }
        #expect(title == "# My wall.\n\ntitle = \"a\"\n\n[layout]\ngap = 3\n")
        let dotted = try Self.save("layout.gap = 3 # a\ntitle = \"b\"\n") { $0.layout.rows = 2 }
        #expect(dotted == "layout.gap = 3 # a\nlayout.rows = 2\ntitle = \"b\"\n")
        let inline = try Self.save("layout = { gap = 3 } # a\n") { $0.layout.rows = 2 }
        #expect(inline == "layout = { rows = 2, gap = 3 } # a\n")
    }

    @Test("What cannot be changed in place is written afresh, with the comments at the top")
    func afresh() throws {
        let text = "# My wall.\n# Mine.\n\n# Inputs:\ninput = [ { url = \"test:bars\" } ] # one\n"
        let saved = try Self.save(text) { $0.add(WallInput(address: "test:zoneplate")) }
        #expect(
            saved == "# My wall.\n# Mine.\n\n[[input]]\nurl = \"test:bars\"\n\n[[input]]\nurl = \"test:zoneplate\"\n")
        // Values in it can be changed.
        let changed = try Self.save(text) { $0.inputs[0].address = "test:zoneplate" }
        #expect(changed == text.replacing("bars", with: "zoneplate"))
    }

    @Test("The comments directly above what is removed go with it")
    func comments() throws {
        let rows: [(text: String, saved: String)] = [
            ("# a\n# b\ntitle = 't'\nfocus = 1\n", "focus = 1\n"),
            // An empty line, another statement and the header of a table separate.
            ("# a\n\ntitle = 't'\nfocus = 1\n", "# a\n\nfocus = 1\n"),
            ("# a\n \t\n\t# b\n  title = 't' # c\nfocus = 1\n", "# a\n \t\nfocus = 1\n"),
            ("# a\nfocus = 1 # b\ntitle = 't'\n", "# a\nfocus = 1 # b\n"),
            ("focus = 1\n# a\ntitle = 't'\n# b\n", "focus = 1\n# b\n"),
            // A text that looks like a comment.
            ("focus = \"\"\"\n# A\"\"\"\ntitle = 't'\n", "focus = \"\"\"\n# A\"\"\"\n"),
            ("\u{FEFF}# a\ntitle = 't'\nfocus = 1\n", "\u{FEFF}focus = 1\n"),
        ]
        let inputs = "\n# one\n[[input]]\nurl = 'test:bars'\nname = '# A'\n"
        for (text, saved) in rows {
            #expect(try Self.save(text + inputs) { $0.title = nil } == saved + inputs)
            let windows = (text + inputs).replacing("\n", with: "\r\n")
            #expect(try Self.save(windows) { $0.title = nil } == (saved + inputs).replacing("\n", with: "\r\n"))
        }
        // The header stays, and what is above it.
        let layout = "# a\n[layout]\n# b\ngap = 3\n\n# c\n\n# d\nrows = 2\n# e\nkind = 'strip'\n"
        let kept = "# a\n[layout]\n\n# c\n\n# e\nkind = 'strip'\n"
        let removed = try Self.save(layout + inputs) { ($0.layout.gap, $0.layout.rows) = (2, nil) }
        #expect(removed == kept + inputs)
        // This one goes.
        let zoom = "# b\n[input.zoom]\n# c\nscale = 2\n# d\n"
        #expect(try Self.save(inputs + zoom) { $0.inputs[0].zoom = nil } == inputs + "# d\n")
        // What comes in its place.
        let other = try Self.save("# a\ntitle = 't'\n" + inputs) { ($0.title, $0.focus) = (nil, $0.inputs[0].id) }
        #expect(other == "focus = \"# A\"\n" + inputs)
        let dotted = try Self.save("# a\nlayout.gap = 3\n# b\nlayout.rows = 2\n") { $0.layout.gap = 2 }
        #expect(dotted == "# b\nlayout.rows = 2\n")
    }

    /// Saves an edit of a text.
    static func save(
        _ text: String, as name: String = "office.toml", _ edit: (inout WallDocument) -> Void
    ) throws -> String {
        let folder = TemporaryFolder()
        let file = try WallFile.read(folder.write(name, Array(text.utf8)))
        var document = file.document
        edit(&document)
        return try file.text(saving: document).replacing(folder.path, with: "FOLDER")
    }
}
