import Glibc
import MediaIO
import TestSupport
import Testing
import VideoWall

@testable import vitrail

/// Reading wall files.
struct WallFileTests {
    /// Writes files into a folder, and reads the first of them.
    static func read(_ text: String, as name: String = "office.toml") throws -> WallFile {
        let folder = TemporaryFolder()
        return try WallFile.read(folder.write(name, Array(text.utf8)))
    }

    /// The error of a file, without the folder.
    static func error(_ bytes: [UInt8], as name: String = "office.toml", _ others: [String: String] = [:]) -> String {
        let folder = TemporaryFolder()
        for (name, text) in others { _ = folder.write(name, Array(text.utf8)) }
        let path = folder.write(name, bytes)
        do throws(WallFileError) {
            _ = try WallFile.read(path)
            return "none"
        } catch {
            return error.description.replacing(folder.path + "/", with: "")
        }
    }

    static func error(_ text: String, as name: String = "office.toml", _ others: [String: String] = [:]) -> String {
        error(Array(text.utf8), as: name, others)
    }

    static let everything = """
        # The office.
        title = "Office" # on the window
        focus = 'Yard'

        [layout]
        kind = "strip"
        gap = 4
        share = 0.25
        column-shares = [
            1, # as an integer
            2.5,
        ]

        [pages]
        size = 1
        page = 2
        tour = 12

        [look]
        linear-light = true
        "effect" = "grayscale"

        [[input]]
        url = "rtsp://door/1?token=a#latency=0"
        name = "Door"
        rotate = 90

        [[input]]
        name = "Yard"
        id = "yard"
        url = "test:bars"
        size = "640x360"
        swapuv = true
        place = { x = 0, y = 0.5, width = 0.5, height = 0.5 }
        [input.zoom]
        scale = 2

        """

    @Test("TOML says what JSON says")
    func everything() throws {
        let document = try Self.read(Self.everything).document
        #expect(document.title == "Office" && document.focus == "yard")
        #expect(document.layout.kind == .strip && document.layout.gap == 4 && document.layout.share == 0.25)
        #expect(document.layout.columnShares == [1, 2.5])
        #expect(document.pages == PageSettings(size: 1, page: 1, tour: 12))
        #expect(document.look.linearLight && document.look.effects == "grayscale")
        #expect(document.inputs[0].settings == [.latency: "0", .rotate: "90"])
        #expect(document.inputs[1].settings == [.size: "640x360", .swapuv: "yes"])
        #expect(document.inputs[1].place == FreeLayout.Place(x: 0, y: 0.5, width: 0.5, height: 0.5))
        #expect(document.inputs[1].zoom == TileZoom(scale: 2, x: 0.5, y: 0.5))
        #expect(try Self.read(document.json, as: "office.JSON").document == document)
        #expect(try Self.read(document.toml).document == document)
        #expect(try Self.read(Self.everything.replacing("\n", with: "\r\n")).document == document)
        #expect(try Self.read("\u{FEFF}" + Self.everything).document == document)
    }

    static let input = "[[input]]\nurl = \"test:bars\"\n"

    @Test(
        "A mistake is named in one line, with its line and column",
        arguments: [
            ("[layout]\n gapp = 1\n", "2:2: there is no “gapp” in [layout]; did you mean gap?"),
            ("title = \"a\"\n\n[layot]\ngap = 1\n", "3:2: there is no “layot” in the wall; did you mean layout?"),
            ("[layout]\ngap = \"1\"\n", "2:7: “gap” must be a whole number from 0 to 1000"),
            ("[layout]\ngap = 1.5\n", "2:7: “gap” must be a whole number from 0 to 1000"),
            ("layout.gap = 5000\n", "1:14: “gap” must be a whole number from 0 to 1000, not 5000"),
            ("layout = { share = 0.5, gap = true }\n", "1:31: “gap” must be a whole number from 0 to 1000"),
            ("layout = 1\n", "1:10: [layout] must be a table"),
            ("[input]\nurl = \"test:bars\"\n", "1:1: “input” must be a list of tables, each [[input]]"),
            (input + "[[input]]\nname = \"a\"\n", "3:1: an input needs a “url”"),
            (
                input + "# é\n[[input]]\nname = \"é\" # ü\n\"url\"  = \"test:ba\"\n",
                "6:10: There is no test pattern “ba”"
            ),
            (input + "rotate = 45\n", "3:10: test:bars: “45” is not a value of rotate"),
            (input + "[input.place]\nx = 2\n", "4:5: “x” must be a number from 0 to 1, not 2"),
            (input + "name = \"\"\n", "3:8: “name” is empty: leave it out"),
            (
                "layout.kind = \"free\"\n" + input + "place = {x=0,y=0,width=1,height=1}\n" + input
                    + "place = {x=0,y=0,width=1.0,height=1}\n",
                "7:9: inputs 1 and 2 have the same place"
            ),
            (
                input + "id = \"a\"\n" + input + "id = \"a\"\n", "6:6: two inputs have the id “a”"
            ),
            ("title = 2024-01-01\n", "1:9: “2024-01-01” is a date or a time"),
            ("title = 07:30:00\n", "1:9: “07:30:00” is a date or a time"),
            ("[pages]\ntour = 1979-05-27 07:32:00\n", "2:8: “1979-05-27 07:32:00” is a date or a time"),
            ("[layout]\nshare = inf\n", "2:9: “inf” is no number here"),
            ("[layout]\nshare = -nan\n", "2:9: “-nan” is no number here"),
            ("title = \"a\n", "1:11: the text does not end in its line"),
            ("title = Ofé\n", "1:9: “Ofé” is no value: a text needs"),
            ("[layout]\ngap = 1\ngap = 2\n", "3:1: “gap” is there twice"), ("[layout\n", "1:8: “]” is expected"),
            ("[.]\n", "1:2: a name is expected"), ("a = \"C:\\d\"\n", "1:9: after \\ in a text comes one of"),
            ("gap = 0x\n", "1:7: “0x” is no value"),
            ("gap = 99999999999999999999\n", "1:7: “99999999999999999999” is too large"),
            ("a = \"\u{1}\"\n", "1:6: a control character may not be here"),
            ("[layout]\ngap = 1\n[pages]\n[layout]\n", "4:2: “layout” is there already: add to it there"),
            ("title = \"half", "1:14: the file ends too early: the text has no end"),
            ("x = [1, 2", "1:10: the file ends too early: “,” or “]” is expected"),
            ("a. = 1", "1:4: a name is expected"),
            ("title =\n", "1:8: a value is expected"), ("title\n", "1:6: “=” is expected after a name"),
            ("gap = 1 rows = 2\n", "1:7: “1 rows = 2” is no value"),
            ("title = \"a\" b\n", "1:13: the line must end here"),
            ("a = {x = 1,\n}\n", "1:12: a name is expected"), ("a = 1\n[[a]]\n", "2:3: “a” is there already"),
            ("", "1:1: the file is empty"), ("\u{FEFF} \n\n", "1:1: the file is empty"),
            ("title = \"a\"\nfocus = \"b\0\"\n", "2:11: here is a zero byte: is the file text?"),
            ("title = \"\\u0000\"\n", "1:9: “title” contains a zero"),
            (
                "a." + Array(repeating: "a", count: 60_000).joined(separator: ".") + " = 1\n",
                "1:33: values lie in each other"
            ),
            ("a = " + String(repeating: "[", count: 60_000), "1:21: values lie in each other more than 16 deep"),
            ("[" + Array(repeating: "a", count: 300).joined(separator: ".") + "]\n", "1:34: values lie in each other"),
            ("a = " + String(repeating: "{a=", count: 100), "1:51: values lie in each other more than 16 deep"),
        ] as [(String, String)])
    func mistakes(_ text: String, _ words: String) {
        let error = Self.error(text)
        #expect(error.hasPrefix("office.toml:" + words), "\(error)")
        #expect(!error.contains { $0.isNewline } && error.utf8.count < 700)
    }

    @Test(
        "A mistake in JSON has a place, too",
        arguments: [
            ("{\"layout\": {\n \"gapp\": 1}}", "2:2: there is no “gapp” in [layout]; did you mean gap?"),
            ("{\"input\": [\n {\"url\": \"test:bars\"},\n {\"url\": 5}]}", "3:10: “url” must be a text"),
            ("[]", "1:1: a wall must begin with {"), ("{\"title\": }", "1:11: a value is expected"),
            ("{\"title\": \"a\"", "1:14: the file ends too early: “,” or “}” is expected"),
            ("{\"title\": \"a", "1:13: the file ends too early: the text has no end"),
            ("{\n\"title\": \"a\",\n}", "3:1: a name in quotation marks is expected"),
            ("{\"title\": \"a\"} x", "1:16: nothing may follow the last }"),
            ("{\"title\": a}", "1:11: “a” is no value: a text needs quotation marks"),
            ("{\"title\": null}", "1:11: null is no value here: leave the name out"),
            ("{\"title\" \"a\"}", "1:10: “:” is expected"), ("{\"title\": \"a\\q\"}", "1:14: after \\ in a text"),
            ("{\"title\": \"\\ud800x\"}", "1:18: \\u is followed by half a character"),
            ("{\"title\": \"\\u12\"}", "1:14: \\u needs four digits"),
            ("{\"title\": \"a\nb\"}", "1:13: the text does not end in this line"),
            ("{\"title\": 01}", "1:11: “01” is no value"),
            ("{\"layout\": {\"share\": 1e999}}", "1:22: “1e999” is no value"),
            ("{\"title\": \"a\", \"title\": \"b\"}", "1:16: “title” is there twice"),
            ("{\"a\": " + String(repeating: "[", count: 100_000), "1:23: values lie in each other more than 16 deep"),
        ])
    func mistakesOfJSON(_ text: String, _ words: String) {
        let error = Self.error(text, as: "office.json")
        #expect(error.hasPrefix("office.json:" + words), "\(error)")
    }

    @Test("A file that is none is refused at once")
    func unreadable() throws {
        let folder = TemporaryFolder()
        func error(_ path: String) -> String {
            do throws(WallFileError) {
                _ = try WallFile.read(path)
                return "none"
            } catch {
                #expect(error.files == [path])
                return error.description
            }
        }
        let missing = "\(folder.path)/a.toml"
        #expect(error(missing) == "\(missing): the file cannot be opened: No such file or directory")
        #expect(error(folder.path).hasSuffix(": this is a folder, pipe or device: name a file"))
        #expect(mkfifo("\(folder.path)/pipe.toml", 0o600) == 0)
        #expect(error("\(folder.path)/pipe.toml").hasSuffix(": this is a folder, pipe or device: name a file"))
        let large = folder.write("large.toml", Array(repeating: UInt8(ascii: "\n"), count: 10 << 20))
        #expect(error(large) == "\(large): the file has more than 1 MB: is it the right one?")
        let secret = folder.write("secret.toml", Array("title = \"a\"".utf8))
        if getuid() != 0 {
            chmod(secret, 0)
            #expect(error(secret).hasSuffix(": the file cannot be opened: Permission denied"))
        }
        let broken: [UInt8] = Array("title = \"a\"\n# é".utf8) + [0x20, 0xC3, 0x28]
        #expect(Self.error(broken) == "office.toml:2:5: this is not UTF-8: save the file as UTF-8")
    }

    @Test(
        "No error shows a password",
        arguments: [
            "[[input]]\nurl = \"rtsp://me:pa55word@door/1\"\nrotate = 45\n",
            "[[input]]\nurl = \"rtsp://me:pa55word@door/1\n", "[[input]]\nurl = rtsp://me:pa55word@door/1\n",
            "[[input]]\nurl = \"gopher://me:pa55word@door/1\"\n",
            "[[input]]\nurl = \"rtsp://me:pa55word@door/1\"\nsecret = \"env:HOME\"\n",
            "[[input]]\nurl = \"rtsp://me@door/1\"\nsecret = \"pa55word\"\n",
            "[[input]]\nurl = \"rtsp://door/1?token=pa55word\"\nmirror = \"rtsp://me:pa55word@door/1\"\n",
            "[layout]\nkind = \"rtsp://me:pa55word@door/1\"\n", "\"rtsp://me:pa55word@door/1\" = 1\n",
            "\"rtsp://me:pa\\u00355word@door/1\" = 1\n'rtsp://me:pa55word@door/1' = 2\n",
            "focus = \"rtsp://me:pa55word@door/1\"\n", "include = \"rtsp://me:pa55word@door/1\"\n",
            "[[input]]\nurl = \"test:bars\"\neffect = \"rtsp://me:pa55word@door/1\"\n",
        ])
    func secrets(_ text: String) {
        let error = Self.error(text)
        #expect(error != "none" && !error.contains("pa55word"), "\(error)")
    }

    // MARK: Paths

    @Test("Paths are relative to the folder of the file")
    func paths() throws {
        let folder = TemporaryFolder()
        let ca = folder.write("ca.pem", [])
        let effect = folder.write("a.effect.glsl", Array("vec4 effect(vec2 uv) { return sample(uv); }".utf8))
        let path = folder.write(
            "office.toml",
            Array(
                """
                focus = "clips/a.mp4"
                [look]
                effect = "grayscale,./a.effect.glsl:off"
                [output]
                snapshots = "pictures"
                [[input]]
                url = "clips/a.mp4?rotate=90"
                [[input]]
                url = "https://door/1"
                substream = "low.mp4"
                ca = "ca.pem"
                effect = "a.effect.glsl"
                [[input]]
                url = "test:bars"
                [[input]]
                url = "~/b.mp4"
                [[input]]
                url = "camera:Cam"
                [[input]]
                url = "/c.mp4"
                [[input]]
                url = "-"
                """.utf8))
        let document = try WallFile.read(path).document
        let home = getenv("HOME").map { String(cString: $0) } ?? "~"
        #expect(
            document.inputs.map(\.address) == [
                "\(folder.path)/clips/a.mp4", "https://door/1", "test:bars", "\(home)/b.mp4", "camera:Cam", "/c.mp4",
                "-",
            ])
        #expect(document.focus == "\(folder.path)/clips/a.mp4")
        #expect(document.inputs[1].substream == "\(folder.path)/low.mp4")
        #expect(document.inputs[1].settings == [.ca: ca])
        #expect(document.inputs[1].effects == effect)
        #expect(document.look.effects == "grayscale,\(effect):off")
        #expect(document.output.snapshots == "\(folder.path)/pictures")
    }

    // MARK: Includes

    @Test("Included inputs come first, and the file has the last word")
    func includes() throws {
        let folder = TemporaryFolder()
        folder.makeFolder("more")
        _ = folder.write("more/roof.json", Array(#"{"input": [{"url": "roof.mp4"}], "layout": {"gap": 9}}"#.utf8))
        _ = folder.write(
            "more/cameras.toml",
            Array("include = 'roof.json'\nlayout.margin = 3\nlayout.gap = 8\n[[input]]\nurl='door.mp4'\n".utf8))
        _ = folder.write("yard.toml", Array("title = 'Yard'\n[[input]]\nurl = 'yard.mp4'\n".utf8))
        let path = folder.write(
            "office.toml",
            Array("include = ['more/cameras.toml', './yard.toml']\n[layout]\ngap=1\n[[input]]\nurl='own.mp4'\n".utf8))
        let file = try WallFile.read(path)
        let names = file.document.inputs.map { String($0.address.dropFirst(folder.path.count)) }
        #expect(names == ["/more/roof.mp4", "/more/door.mp4", "/yard.mp4", "/own.mp4"])
        #expect(file.document.layout.gap == 1 && file.document.layout.margin == 3 && file.document.title == "Yard")
        #expect(
            file.files
                == Set(
                    ["office.toml", "more/cameras.toml", "more/roof.json", "yard.toml"].map {
                        "\(folder.path)/\($0)"
                    }))
    }

    @Test("A mistake in an included file names that file")
    func mistakesOfIncludes() {
        func check(_ text: String, _ others: [String: String], _ words: String) {
            let error = Self.error(text, others)
            #expect(error.hasPrefix(words), "\(error)")
        }
        check("include = 'a.toml'\n", ["a.toml": "\n[layout]\ngapp = 1\n"], "a.toml:3:1: there is no “gapp”")
        check("include = 'a.toml'\n", ["a.toml": "title = \n"], "a.toml:1:9: a value is expected")
        check(
            "include = 'a.toml'\n[[input]]\nurl = 'test:bars'\nrotate = 1\n", ["a.toml": Self.input + Self.input],
            "office.toml:4:10: test:bars: “1” is not")
        check(
            "include = ['a.toml', 'b.toml']\n", ["a.toml": Self.input, "b.toml": Self.input + "rotate = 1\n"],
            "b.toml:3:10: test:bars: “1” is not")
        check(
            "title = ''\n  include = [ 'b.toml', 'office.toml' ]\n", ["b.toml": Self.input],
            "office.toml:2:25: “office.toml” includes itself")
        check(
            "include = 'a.toml'\n", ["a.toml": "include = './office.toml'\n"],
            "a.toml:1:11: “office.toml” includes itself")
        check("include = 'a.toml'\n", [:], "office.toml:1:11: “a.toml”: the file cannot be opened: No such file")
        check("include = 1\n", [:], "office.toml:1:11: “include” must be the name of a file")
        check("include = ['a.toml', 1]\n", ["a.toml": Self.input], "office.toml:1:22: “include” must be the name")
        check("[include]\na = 1\n", [:], "office.toml:1:1: “include” must be the name of a file")
        let chain = (1...9).map { ("\($0).toml", "include = '\($0 + 1).toml'\n") }
        check(
            "include = '1.toml'\n", Dictionary(uniqueKeysWithValues: chain + [("10.toml", Self.input)]),
            "8.toml:1:11: includes lie")
        let names = (1...70).map { "'\($0).toml'" }.joined(separator: ", ")
        let many = (1...70).map { ("\($0).toml", Self.input) }
        check(
            "include = [\(names)]\n", Dictionary(uniqueKeysWithValues: many),
            "office.toml:1:696: there are more than 64 files")
    }

    @Test("A missing file is among those to watch")
    func missingInclude() {
        let folder = TemporaryFolder()
        let path = folder.write("office.toml", Array("include = 'a.toml'\n".utf8))
        do throws(WallFileError) {
            _ = try WallFile.read(path)
            Issue.record("It was read.")
        } catch {
            #expect(error.files == [path, "\(folder.path)/a.toml"])
            #expect(error.place == TextPlace(line: 1, column: 11) && error.programError.status == .cannotOpen)
        }
    }

    @Test("A password that others may read is remarked")
    func notes() throws {
        let folder = TemporaryFolder()
        let path = folder.write("office.toml", Array("[[input]]\nurl = 'rtsp://me:pa55word@door/1'\n".utf8))
        #expect(try WallFile.read(path).notes.isEmpty)
        chmod(path, 0o644)
        let notes = try WallFile.read(path).notes
        #expect(notes.count == 1 && notes[0].hasPrefix("\(path) has a password") && !notes[0].contains("pa55word"))
        let token = folder.write("token.json", Array(#"{"input": [{"url": "https://door/1?token=pa55word"}]}"#.utf8))
        chmod(token, 0o644)
        #expect(try WallFile.read(token).notes.count == 1)
        let user = folder.write("user.toml", Array("# ask: me@home\n[[input]]\nurl = 'rtsp://me@door/1?x=1'\n".utf8))
        chmod(user, 0o644)
        #expect(try WallFile.read(user).notes.isEmpty)
    }

    @Test("A thousand inputs are read, and saved, in a moment")
    func thousand() throws {
        let folder = TemporaryFolder()
        let text = (1...1000).map {
            "[[input]] # \($0)\nurl = 'rtsp://door/\($0)'\nname = 'Door \($0)'\nrotate = 90\nplace = {x=0,y=0,width=1,height=1}\n"
        }
        let path = folder.write("a.toml", Array(text.joined(separator: "\n").utf8))
        let clock = ContinuousClock()
        let start = clock.now
        let file = try WallFile.read(path)
        var document = file.document
        document.inputs.swapAt(3, 900)
        document.inputs[500].name = "New"
        document.focus = document.inputs[3].id
        let saved = try file.text(saving: document)
        #expect(saved.contains("[[input]] # 501\nurl = 'rtsp://door/501'\nname = \"New\"\nrotate = 90\n"))
        // A debug build, beside other tests.
        #expect(clock.now - start < .seconds(20))
    }
}
