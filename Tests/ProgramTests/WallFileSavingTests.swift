import Glibc
import MediaIO
import TestSupport
import Testing
import VideoWall

@testable import vitrail

/// Saving wall files: what nobody changed stays as it is written.
struct WallFileSavingTests {
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
        Row("no zoom", [("    [input.zoom]\n", ""), ("    scale = 2.0\n", "")]) { $0.inputs[1].zoom = nil },
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
        Row("the second removed", [(yard + "\n", ""), ("focus = \"Yard\"\n", "")]) { $0.remove($0.inputs[1].id) },
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
        Row("one replaced", [(yard, "[[input]]\nurl = \"test:zoneplate\"\n"), ("focus = \"Yard\"\n", "")]) {
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

    @Test("Paths below the folder are written relative to it")
    func paths() throws {
        let saved = try Self.save("[[input]]\nurl = './a.mp4' # a\n") {
            let folder = String($0.inputs[0].address.dropLast("a.mp4".count))
            for name in ["b.mp4", "-", "test:c", "~/d.mp4", "e?label=f.mp4"] {
                $0.add(WallInput(address: folder + name))
            }
            $0.add(WallInput(address: "/g.mp4"))
            $0.output.snapshots = folder + "h"
            $0.focus = $0.inputs[1].id
        }
        let urls = ["b.mp4", "./-", "./test:c", "./~/d.mp4", "file://FOLDER/e%3Flabel%3Df.mp4", "/g.mp4"]
        #expect(
            saved == "focus = 2\n\n[output]\nsnapshots = \"h\"\n\n[[input]]\nurl = './a.mp4' # a\n"
                + urls.map { "\n[[input]]\nurl = \"\($0)\"\n" }.joined())
    }

    @Test("A parameter of the server does not become an option")
    func serverParameters() throws {
        let saved = try Self.save("title = 'a'\n") { $0.add(WallInput(address: "rtsp://door/1?mirror=none")) }
        #expect(saved == "title = 'a'\n\n[[input]]\nurl = \"rtsp://door/1?mirror=none#\"\n")
    }

    @Test("JSON is written afresh, in the same order")
    func json() throws {
        let text =
            #"{"input": [{"url": "test:bars", "name": "A", "place": {"y": 0, "x": 0, "width": 1, "height": 1}}]}"#
        let saved = try Self.save(text, as: "office.json") {
            $0.title = "é/\u{7}"
            $0.layout.columnShares = [1, 2.5]
        }
        #expect(
            saved == """
                {
                  "title": "é/\\u0007",
                  "layout": {
                    "column-shares": [1, 2.5]
                  },
                  "input": [
                    {
                      "name": "A",
                      "url": "test:bars",
                      "place": {"x": 0, "y": 0, "width": 1, "height": 1}
                    }
                  ]
                }

                """)
    }

    // MARK: Includes

    @Test("What an included file has is not changed")
    func includes() throws {
        let folder = TemporaryFolder()
        let cameras =
            "title = 'b'\n[layout]\ngap = 7\nrows = 2\nmargin = 0\n[[input]]\nurl = 'test:bars'\nname = 'Bars'\n"
        let included = folder.write("cameras.toml", Array(cameras.utf8))
        let text = "include = 'cameras.toml' # all\n\n[[input]] # mine\nurl = 'test:gradient'\n"
        let file = try WallFile.read(folder.write("office.toml", Array(text.utf8)))
        func save(_ edit: (inout WallDocument) -> Void) throws(WallFileError) -> String {
            var document = file.document
            edit(&document)
            return try file.text(saving: document)
        }
        func error(_ edit: (inout WallDocument) -> Void) -> String {
            do throws(WallFileError) { return try save(edit) } catch {
                return error.description.replacing(folder.path + "/", with: "")
            }
        }
        #expect(try save { _ in } == text)
        #expect(try save { $0.title = "a" } == text.replacing("# all\n", with: "# all\ntitle = \"a\"\n"))
        #expect(try save { $0.layout.margin = 5 }.contains("\n[layout]\nmargin = 5\n"))
        #expect(error { $0.title = nil } == "office.toml: title is in cameras.toml, which is included: remove it there")
        let json = folder.write("office.json", Array(#"{"include": ["cameras.toml"], "layout": {"rows": 2}}"#.utf8))
        let other = try WallFile.read(json)
        #expect(
            try other.text(saving: other.document)
                == "{\n  \"include\": [\"cameras.toml\"],\n  \"layout\": {\n    \"rows\": 2\n  }\n}\n")
        // The default, because the included file says something else.
        let usual = "# all\n\n[layout]\ngap = 2\n\n[[input]]"
        #expect(try save { $0.layout.gap = 2 } == text.replacing("# all\n\n[[input]]", with: usual))
        #expect(try save { $0.inputs[1].name = "a" } == text + "name = \"a\"\n")
        #expect(try save { $0.remove($0.inputs[1].id) } == "include = 'cameras.toml' # all\n")
        let path = "office.toml: "
        #expect(
            error { $0.layout.rows = nil } == path
                + "layout.rows is in cameras.toml, which is included: remove it there")
        let bars = path + "“Bars” is in cameras.toml, which is included: change it there"
        #expect(error { $0.inputs[0].name = "Barss" } == bars)
        #expect(error { $0.remove($0.inputs[0].id) } == bars)
        #expect(error { $0.inputs.swapAt(0, 1) }.hasPrefix(path + "the inputs of cameras.toml come first"))
        #expect(try WallFileText.read(included).bytes == Array(cameras.utf8))
    }

    // MARK: Files

    @Test("A new file is made, and a saved one keeps its mode and its link")
    func files() throws {
        let folder = TemporaryFolder()
        let temporary = TemporaryFiles()
        func mode(_ path: String) -> mode_t {
            var status = stat()
            #expect(lstat(path, &status) == 0)
            return status.st_mode & 0o7777
        }
        var document = WallDocument()
        document.add(WallInput(address: "test:bars"))
        let path = "\(folder.path)/new.toml"
        let saved = try WallFile.save(document, to: path, temporary)
        #expect(saved.document == document && saved.files == [path])
        #expect(
            try WallFileText.read(path).bytes == Array((TOMLText.heading + "\n[[input]]\nurl = \"test:bars\"\n").utf8))
        document.add(WallInput(address: "rtsp://me:pa55@door/1"))
        let secret = "\(folder.path)/secret.json"
        _ = try WallFile.save(document, to: secret, temporary)
        #expect(mode(secret) == 0o600)
        chmod(path, 0o640)
        #expect(symlink("new.toml", "\(folder.path)/link.toml") == 0)
        _ = try WallFile.save(document, to: "\(folder.path)/link.toml", temporary)
        #expect(mode(path) == 0o640 && mode("\(folder.path)/link.toml") == 0o777)
        #expect(try WallFile.read(path).document == document)
        _ = folder.write("new.toml", Array("title = ".utf8))
        do throws(ProgramError) {
            _ = try WallFile.save(document, to: path, temporary)
            Issue.record("A broken file was replaced.")
        } catch {
            #expect(error.description.hasPrefix("\(path):1:9: the file ends too early: a value is expected"))
        }
        do throws(ProgramError) {
            _ = try WallFile.save(document, to: "\(folder.path)/none/a.toml", temporary)
            Issue.record("A file was made nowhere.")
        } catch {
            #expect(error.description.contains("cannot be written"))
        }
    }

    // MARK: Random documents

    /// The same things in other forms, and in another order.
    static let mixed = """
        layout.gap = 4 # dotted
        look = { linear-light = true } # inline

        [[input]]
        url = "test:bars?label=A&rotate=90" # options

        [pages] # paged
        size = 3

        # The second.
        [[input]]
        url = "rtsp://a@b/1?rotate=0"
        [input.place]
        x = 0
        y = 0
        width = 0.5
        height = 1
        [output] # out
        snapshots = "/tmp"
        [[input]]
        url='test:bars'
        # the end
        """

    @Test("Random edits of a commented file are saved in place", .timeLimit(.minutes(3)))
    func randomEdits() throws {
        var random = SeededGenerator(seed: 5)
        let folder = TemporaryFolder()
        for round in 0..<80 {
            let name = round % 8 == 7 ? "a.json" : "a.toml"
            let base = round % 2 == 0 ? Self.text : Self.mixed
            var text = name == "a.json" ? try WallFileTests.read(base).document.json : base
            for _ in 0..<3 {
                let file = try WallFile.read(folder.write(name, Array(text.utf8)))
                var document = file.document
                for _ in 0..<Int.random(in: 1...4, using: &random) { Self.edit(&document, &random) }
                let saved = try file.text(saving: document)
                let again = try WallFile.read(folder.write(name, Array(saved.utf8))).document
                #expect(Self.same(again, document), "\(text)\n---\n\(saved)")
                text = saved
            }
            // These are at headers, which stay.
            let comments = round % 2 == 0 ? ["# The office.", "# how"] : ["# paged", "# out", "# the end"]
            #expect(name == "a.json" || comments.allSatisfy(text.contains), "\(text)")
            // A fresh text says the same.
            let document = try WallFile.read(folder.write(name, Array(text.utf8))).document
            let fresh = try WallFile.read(folder.write("b.toml", Array(document.toml.utf8))).document
            #expect(Self.same(fresh, document))
        }
    }

    static func same(_ left: WallDocument, _ right: WallDocument) -> Bool {
        var documents = [left, right]
        for index in documents.indices {
            let focus = documents[index].focus.flatMap(documents[index].index)
            for input in documents[index].inputs.indices { documents[index].inputs[input].id = "\(input)" }
            documents[index].focus = focus.map { "\($0)" }
            if documents[index].pages.page >= documents[index].pages.count(of: documents[index].inputs.count) {
                documents[index].pages.page = 0
            }
        }
        return documents[0] == documents[1]
    }

    static let names = ["Yard", "a", "e\u{301}", "\u{1}\u{7F}\u{85}\u{2028}\"\\'\t"]

    static func edit(_ document: inout WallDocument, _ random: inout SeededGenerator) {
        func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        func number() -> Double { Double.random(in: 0.05...0.95, using: &random) }
        let index = document.inputs.isEmpty ? nil : chance(document.inputs.count)
        switch (chance(14), index) {
        case (0, _): document.title = [nil, names[chance(4)], ""][chance(3)]
        case (1, _): document.layout.gap = chance(5)
        case (2, _): document.layout.share = [nil, number()][chance(2)]
        case (3, _): document.layout.columnShares = (0..<chance(3)).map { _ in number() * 9 }
        case (4, _): document.layout.kind = [.grid, .strip, .pip, .spotlight][chance(4)]
        case (5, _): document.pages = PageSettings(size: [nil, 1, 3][chance(3)], page: 0, tour: [nil, 2.5][chance(2)])
        case (6, _): document.look.effects = ["", "grayscale", "blur:radius=3:off,grayscale"][chance(3)]
        case (7, _):
            var input = WallInput(
                address: [
                    "test:zoneplate", "test:bars", "rtsp://a@b/1?rotate=90", "/a?label=b.mp4", "http://c/?x=1&y=2#z",
                ][chance(5)])
            if chance(3) == 0 { input.id = "id\(UInt32.random(in: 0...UInt32.max, using: &random))" }
            document.add(input, at: chance(document.inputs.count + 1))
        case (8, let index?): document.remove(document.inputs[index].id)
        case (9, let index?): document.inputs.swapAt(index, chance(document.inputs.count))
        case (10, let index?): document.inputs[index].name = [nil, names[chance(4)]][chance(2)]
        case (11, let index?):
            document.inputs[index].settings[.rotate] = [nil, "0", "90"][chance(3)]
            document.inputs[index].settings[.content] = [nil, "fill"][chance(2)]
        case (12, let index?):
            document.inputs[index].place =
                chance(2) == 0 ? nil : FreeLayout.Place(x: number(), y: 0, width: number(), height: 1)
            document.inputs[index].zoom = chance(2) == 0 ? nil : TileZoom(scale: 1 + number(), x: number(), y: 0.5)
        case (13, let index?): document.focus = [nil, document.inputs[index].id][chance(2)]
        default: document.focus = nil
        }
    }
}
