import MediaIO
import Testing
import VideoWall

@testable import vitrail

/// What becomes of playlists of GridPlayer.
struct ConvertGridPlayerTests {
    typealias Place = FreeLayout.Place

    private func wall(_ properties: String, _ uri: String = "a.mp4") throws -> ForeignWall {
        try ForeignSamples.wall("#GRIDPLAYER\n\(uri)\n#V0:\(properties)")
    }

    @Test("The sample in lines")
    func lines() throws {
        let wall = try ForeignSamples.wall(ForeignSamples.lines)
        let inputs = wall.document.inputs
        #expect(inputs.map(\.address) == ["/nowhere/clips/a b.mp4", "rtsp://me:hidden1@192.0.2.3/1", "/srv/c?.mkv"])
        #expect(inputs.map(\.name) == ["Door", nil, nil])
        #expect(wall.document.layout == LayoutSettings(kind: .grid, columns: 2))
        #expect(inputs[0].settings == [.content: "fill", .rotate: "90", .loop: "yes"])
        #expect(inputs[0].zoom == TileZoom(scale: 2.5, x: 0.5, y: 0.5))
        #expect(inputs[1].settings == [.content: "fit"] && inputs[1].zoom == nil)
        #expect(
            wall.notes.map { $0.prefix { $0 != " " && $0 != ":" } + " " + $0.split(separator: " ")[1] } == [
                "The volume", "The speed", "The crop", "The part", "1 tile", "The quality", "The colour",
            ])
        #expect(wall.hasPassword)
    }

    @Test("The sample in JSON: cells, one tile without a cell, what holds for all")
    func fixed() throws {
        let wall = try ForeignSamples.wall(ForeignSamples.fixed)
        let (inputs, size) = (wall.document.inputs, (columns: 3, rows: 2))
        #expect(inputs.map(\.address) == ["rtsp://192.0.2.1/a", "/nowhere/b.mp4", "/nowhere/c.mp4"])
        #expect(
            inputs.map(\.place) == [
                Place(1, 0, 2, 2, of: size), Place(0, 1, 1, 1, of: size), Place(0, 0, 1, 1, of: size),
            ])
        #expect(wall.document.layout.kind == .free && wall.document.look.content == .fit)
        #expect(inputs[0].settings == [.content: "stretch", .rotate: "90", .mirror: "horizontal"])
        #expect(inputs[1].settings == [.content: "fit", .loop: "yes"])
        #expect(inputs[2].settings == [.content: "stretch"])
        #expect(wall.notes.isEmpty && !wall.hasPassword)
    }

    @Test("A fixed grid whose cells are all taken once is a grid; a tile too many stays without a place")
    func fullGrid() throws {
        func json(_ videos: Int) -> String {
            let list = (1...videos).map { #"{"uri":"\#($0).mp4","id":"\#($0)"}"# }.joined(separator: ",")
            let cells = [(2, 0), (1, 1)].map { #"{"video_id":"\#($0)","row":0,"col":\#($1)}"# }.joined(separator: ",")
            return
                #"{"videos":[\#(list)],"settings":{"grid_state":{"mode":"fixed","rows":1,"cols":2,"cells":[\#(cells)]}}}"#
        }
        let full = try ForeignSamples.wall(json(2))
        #expect(full.document.layout == LayoutSettings(kind: .grid, rows: 1, columns: 2))
        #expect(full.document.inputs.map(\.address) == ["/nowhere/2.mp4", "/nowhere/1.mp4"])
        let over = try ForeignSamples.wall(json(3))
        #expect(over.document.inputs.count == 3 && over.document.inputs[2].place == nil)
        #expect(over.document.layout.kind == .free)
        #expect(over.notes == ["1 tile has no cell in the grid, and so no place."])
    }

    @Test(
        "Automatic grids",
        arguments: [
            ("auto_rows", 0, 5, 3), ("auto_rows", 2, 5, 2), ("auto_rows", 9, 2, 2), ("auto_rows", 0, 1, 1),
            ("auto_rows", -1, 4, 2),
        ])
    func rows(mode: String, size: Int, count: Int, columns: Int) throws {
        let wall = try ForeignSamples.wall(playlist(mode, size, count))
        #expect(wall.document.layout == LayoutSettings(kind: .grid, columns: columns))
        #expect(wall.document.inputs.map(\.address) == (0..<count).map { "/nowhere/\($0).mp4" })
    }

    @Test("Columns first: a full grid is a grid in another order, any other has places")
    func columns() throws {
        let full = try ForeignSamples.wall(playlist("auto_cols", 2, 6)).document
        #expect(full.layout == LayoutSettings(kind: .grid, rows: 2, columns: 3))
        #expect(full.inputs.map(\.address) == [0, 2, 4, 1, 3, 5].map { "/nowhere/\($0).mp4" })
        let part = try ForeignSamples.wall(playlist("auto_cols", 0, 5)).document
        #expect(part.layout.kind == .free)
        #expect(part.inputs.map(\.address) == (0..<5).map { "/nowhere/\($0).mp4" })
        let places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)].map { Place($0, $1, 1, 1, of: (2, 3)) }
        #expect(part.inputs.map(\.place) == places)
    }

    private func playlist(_ mode: String, _ size: Int, _ count: Int) -> String {
        let videos = (0..<count).map { "\($0).mp4" }.joined(separator: "\n")
        return "#GRIDPLAYER\n#P:{\"grid_state\":{\"mode\":\"\(mode)\",\"size\":\(size)}}\n\(videos)"
    }

    @Test(
        "Rotations and mirrors",
        arguments: [
            ("none", nil, nil), ("rotate_90", "90", nil), ("rotate_180", "180", nil), ("rotate_270", "270", nil),
            ("hflip", nil, "horizontal"), ("vflip", nil, "vertical"), ("transpose", "90", "horizontal"),
            ("antitranspose", "90", "vertical"),
        ] as [(String, String?, String?)])
    func transforms(name: String, rotate: String?, mirror: String?) throws {
        let input = try #require(try wall(#"{"transform":"\#(name)"}"#).document.inputs.first)
        #expect(input.settings[.rotate] == rotate && input.settings[.mirror] == mirror)
        // A point of a picture of 4 × 3, and where GridPlayer shows it.
        let (x, y, width, height) = (1, 0, 4, 3)
        let expected: [String: [Int]] = [
            "none": [x, y], "rotate_90": [height - 1 - y, x], "rotate_180": [width - 1 - x, height - 1 - y],
            "rotate_270": [y, width - 1 - x], "hflip": [width - 1 - x, y], "vflip": [x, height - 1 - y],
            "transpose": [y, x], "antitranspose": [height - 1 - y, width - 1 - x],
        ]
        var (point, size) = ([x, y], [width, height])
        for _ in 0..<(Int(rotate ?? "0") ?? 0) / 90 {
            (point, size) = ([size[1] - 1 - point[1], point[0]], [size[1], size[0]])
        }
        if mirror == "horizontal" { point[0] = size[0] - 1 - point[0] }
        if mirror == "vertical" { point[1] = size[1] - 1 - point[1] }
        #expect(point == expected[name])
    }

    @Test(
        "What is the same on all tiles is said once",
        arguments: [("fit", ContentMode.fill), ("none", .fit), ("stretch", .stretch)])
    func content(aspect: String, expected: ContentMode) throws {
        let document = try wall(#"{"aspect_mode":"\#(aspect)"}"#).document
        #expect(document.look.content == expected && document.inputs[0].settings[.content] == nil)
    }

    @Test(
        "A wrong value loses itself, and not the tile",
        arguments: [
            (#"{"aspect_mode":"x","scale":2}"#, "aspect_mode"), (#"{"transform":7,"scale":2}"#, "transform"),
            (#"{"repeat_mode":"x","scale":2}"#, "repeat_mode"), (#"{"repeat_mode":[],"scale":2}"#, "repeat_mode"),
        ])
    func wrongValues(properties: String, name: String) throws {
        let wall = try wall(properties)
        #expect(wall.document.inputs.map(\.zoom) == [TileZoom(scale: 2, x: 0.5, y: 0.5)])
        #expect(wall.notes == ["Values that are not understood are not kept: \(name)."])
        for scale in ["0.5", "1000", "\"x\"", "1e999", "[]"] {
            let wall = try self.wall(#"{"title":"T","scale":\#(scale)}"#)
            #expect(wall.document.inputs.map(\.name) == ["T"] && wall.document.inputs[0].zoom == nil)
        }
    }

    @Test("A broken line of JSON loses itself; the first #P and the last #V count; a stream does not repeat")
    func lineRules() throws {
        let text = """
            #GRIDPLAYER
            #P:{"grid_state":{"size":1}}
            #P:{"grid_state":{"size":2}}
            #V0:{"title":"old"}
            #V0:{"title":"new","repeat_mode":"single_file"}
            #V1:{"title
            #V99999999999999999999:{}
            # a comment
            #VLC --option
            rtsp://192.0.2.1/a
            b.mp4
            """
        let wall = try ForeignSamples.wall("\u{FEFF}\n  " + text.replacing("\n", with: "\r\n"))
        #expect(wall.document.layout == LayoutSettings(kind: .grid, columns: 1))
        #expect(wall.document.inputs.map(\.name) == ["new", nil] && wall.document.inputs[0].settings.isEmpty)
        #expect(
            wall.notes == [
                "Options for other players are not kept: #VLC.", "What is not understood is not kept: line 7.",
            ])
    }

    @Test(
        "What cannot be converted",
        arguments: [
            (#"{"format":"gridplayer-playlist","version":2,"videos":[{"uri":"a"}]}"#, "it is a playlist of a newer"),
            (#"{"format":"gridplayer-playlist"}"#, "there is no video in it."),
            ("#GRIDPLAYER\n# x", "there is no video"),
            ("a.mp4\n", "the first line of a playlist must be #GRIDPLAYER."), ("#GRIDPLAYER 2\na", "the first line"),
            (#"{"a":1}"#, "it is no list (.m3u)"),
            (
                #"{"videos":[{"uri":"a"}],"settings":{"grid_state":{"mode":"fixed","rows":0,"cols":1}}}"#,
                "its grid must have 1 to 100"
            ),
        ])
    func problems(text: String, message: String) throws {
        let problem = try #require(ForeignSamples.problem(text, "x.gpls"))
        #expect(problem.message.hasPrefix(message), "\(problem)")
        #expect(ForeignSamples.problem(ForeignSamples.lines, wall: 2)?.isUsage == true)
    }
}
