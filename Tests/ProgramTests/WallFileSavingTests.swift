import Glibc
import MediaIO
import TestSupport
import Testing
import VideoWall

@testable import vitrail

/// Saving wall files: paths, addresses, JSON, includes and the file itself.
struct WallFileSavingTests {
    @Test("Paths below the folder are written relative to it")
    func paths() throws {
        let saved = try WallFileEditingTests.save("[[input]]\nurl = './a.mp4' # a\n") {
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
        let saved = try WallFileEditingTests.save("title = 'a'\n") {
            $0.add(WallInput(address: "rtsp://door/1?mirror=none"))
        }
        #expect(saved == "title = 'a'\n\n[[input]]\nurl = \"rtsp://door/1?mirror=none#\"\n")
    }

    @Test("JSON is written afresh, in the same order")
    func json() throws {
        let text =
            #"{"input": [{"url": "test:bars", "name": "A", "place": {"y": 0, "x": 0, "width": 1, "height": 1}}]}"#
        let saved = try WallFileEditingTests.save(text, as: "office.json") {
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
        #expect(
            error { $0.title = nil }
                == "office.toml: title is in cameras.toml, which is included: remove it there, or save under another name"
        )
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
                + "layout.rows is in cameras.toml, which is included: remove it there, or save under another name")
        let bars = path + "“Bars” is in cameras.toml, which is included: change it there, or save under another name"
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
}
