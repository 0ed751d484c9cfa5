import MediaIO
import Testing
import VideoWall

@testable import vitrail

/// What becomes of the presets of cctv-viewer and its relatives.
struct ConvertCCTVViewerTests {
    typealias Place = FreeLayout.Place

    /// A configuration with presets, whose JSON stands in it without escapes.
    private func settings(_ models: String, _ more: String = "") -> String {
        "[ViewportsLayoutsCollection]\nmodels=\(models)\n\(more)"
    }

    /// A preset of one row.
    private func row(_ items: String...) -> String {
        #"[{"size":{"width":\#(items.count),"height":1},"items":[\#(items.joined(separator: ","))]}]"#
    }

    @Test("A large tile and two small ones keep their places; the rest of the sample is kept, too")
    func spans() throws {
        let wall = try ForeignSamples.wall(ForeignSamples.spans)
        let inputs = wall.document.inputs
        #expect(
            inputs.map(\.address) == [
                "rtsp://viewer:s%40fe@192.0.2.11:554/h264/ch1/main?profile=1&unicast=true",
                "rtsp://cam-gar\u{E1}\u{17E}.lan/stream2", "rtmp://192.0.2.20/live/yard",
            ])
        #expect(wall.document.layout == LayoutSettings(kind: .free))
        let size = (columns: 3, rows: 2)
        #expect(
            inputs.map(\.place) == [
                Place(0, 0, 2, 2, of: size), Place(2, 0, 1, 1, of: size), Place(2, 1, 1, 1, of: size),
            ])
        #expect(inputs.allSatisfy { $0.settings.isEmpty && $0.name == nil && $0.substream == nil })
        #expect(wall.notes == ["The volume of 1 tile is not kept: Vitrail plays no sound."])
        #expect(wall.hasPassword)
    }

    @Test("The old format: what is beyond the grid is not taken, the current preset is empty")
    func old() throws {
        let first = try ForeignSamples.wall(ForeignSamples.old, wall: 1)
        #expect(first.document.inputs.map(\.address) == ["rtsp://192.0.2.31/a", "rtsp://192.0.2.32/b"])
        #expect(first.document.inputs[1].place == Place(1, 0, 1, 1, of: (2, 2)))
        #expect(
            first.notes == [
                "This is wall 1 of 2: --wall takes another one; each needs a file of its own.",
                "The shape of the cells, 4:3, is not kept: they fill the window.",
                "The volume of 1 tile is not kept: Vitrail plays no sound.",
            ])
        let current = try ForeignSamples.wall(ForeignSamples.old)
        #expect(current.document.inputs.isEmpty && current.notes.count == 1)
        #expect(current.notes[0].hasPrefix("This is wall 2 of 2"))
        let problem = try #require(ForeignSamples.problem(ForeignSamples.old, wall: 3))
        #expect(problem.isUsage && problem.message == "There are 2 walls in it, so --wall 3 is none of them.")
    }

    @Test(
        "The current preset is clamped, and may stand where KVision has it",
        arguments: [
            ("currentIndex=1", "2"), ("currentIndex=9", "3"), ("currentIndex=-4", "1"), ("currentIndex=x", "1"),
            ("", "1"), ("[MainLayout]\ncurrentIndex=2", "3"), ("currentIndex=0\n[MainLayout]\ncurrentIndex=2", "1"),
        ])
    func current(line: String, expected: String) throws {
        let presets = (1...3).map { #"{"size":"1x1","items":[{"url":"rtsp://192.0.2.1/\#($0)"}]}"# }
        let wall = try ForeignSamples.wall(settings("[\(presets.joined(separator: ","))]", line))
        #expect(wall.document.inputs.map(\.address) == ["rtsp://192.0.2.1/" + expected])
    }

    @Test(
        "Either spelling, anywhere",
        arguments: [
            #"[{"size":{"width":2,"height":1},"items":ITEMS}]"#, #"[{"size":"2x1","model":ITEMS}]"#,
            #"[{"division":{"width":2,"height":1},"items":ITEMS}]"#, #"[{"columns":2,"rows":1,"items":ITEMS}]"#,
            #"{"version":1,"presets":[{"columns":2.0,"rows":"1","items":ITEMS}]}"#,
            #"{"size":"2:1","items":ITEMS}"#,
        ])
    func spellings(form: String) throws {
        let items = #"[{"url":"rtsp://192.0.2.1/a"},{"url":"rtsp://192.0.2.1/b"}]"#
        let json = form.replacing("ITEMS", with: items)
        let wall = try ForeignSamples.wall(json, "presets.json")
        #expect(wall.document.layout == LayoutSettings(kind: .grid, rows: 1, columns: 2))
        #expect(wall.document.inputs.map(\.address) == ["rtsp://192.0.2.1/a", "rtsp://192.0.2.1/b"])
        #expect(wall.notes.isEmpty)
        // The same presets in a configuration, with and without the escapes of Qt.
        guard json.hasPrefix("[") else { return }
        #expect(try ForeignSamples.wall(settings(json)).document == wall.document)
        let escaped = "\"" + json.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        #expect(try ForeignSamples.wall(settings(escaped)).document == wall.document)
        #expect(try ForeignSamples.wall(settings("", "collection=" + escaped)).document == wall.document)
    }

    @Test("Spans are cut at the edges, and the first tile keeps its cells")
    func overlaps() throws {
        let json = #"""
            [{"size":"3x3","items":[
                {"url":"rtsp://192.0.2.1/a","columnSpan":2,"rowSpan":9},
                {"url":"rtsp://192.0.2.1/parked","columnSpan":-1,"rowSpan":0},
                {"url":"rtsp://192.0.2.1/b","columnSpan":3},
                {"url":"","columnSpan":0,"rowSpan":-1},
                {"url":"rtsp://192.0.2.1/c","columnSpan":2,"rowSpan":2}]}]
            """#
        let wall = try ForeignSamples.wall(json)
        let size = (columns: 3, rows: 3)
        #expect(
            wall.document.inputs.map(\.place) == [
                Place(0, 0, 2, 3, of: size), Place(2, 0, 1, 1, of: size), Place(1, 1, 1, 1, of: size),
            ])
        #expect(wall.notes == ["1 tile is left out, which a larger one covers."])
    }

    @Test("A tile that cannot be opened leaves its cell empty")
    func empty() throws {
        let wall = try ForeignSamples.wall(
            row(#"{"url":"hikvision://me:hidden3@192.0.2.1"}"#, #"{"url":"rtsp://192.0.2.1/a"}"#, "null"))
        #expect(wall.document.layout.kind == .free)
        #expect(wall.document.inputs.map(\.place) == [Place(1, 0, 1, 1, of: (3, 1))])
        #expect(wall.notes == ["Addresses that Vitrail cannot open are left out: hikvision://."])
    }

    @Test(
        "Streams of the same camera",
        arguments: [
            (#""url":"rtsp://a/1""#, "rtsp://a/1", nil, 0),
            (#""url":"rtsp://a/1","subStreamUrl":"rtsp://a/2""#, "rtsp://a/1", "rtsp://a/2", 0),
            (#""url":"rtsp://a/1","secondaryUrl":"rtsp://a/2""#, "rtsp://a/1", "rtsp://a/2", 0),
            (#""url":"rtsp://a/1","urlHigh":"rtsp://a/0""#, "rtsp://a/0", "rtsp://a/1", 0),
            (#""url":"rtsp://a/1","urlHigh":"rtsp://a/1""#, "rtsp://a/1", nil, 0),
            (#""url":"","secondaryUrl":"rtsp://a/2""#, "rtsp://a/2", nil, 0),
            (#""url":"rtsp://a/1","urlHigh":"x://a/0""#, "rtsp://a/1", nil, 1),
            (#""url":"rtsp://a/1","urlHigh":"rtsp://a/0","secondaryUrl":"rtsp://a/2""#, "rtsp://a/0", "rtsp://a/2", 1),
        ] as [(String, String, String?, Int)])
    func streams(fields: String, address: String, substream: String?, notes: Int) throws {
        let wall = try ForeignSamples.wall(row("{\(fields)}"))
        try #require(wall.document.inputs.count == 1)
        #expect(wall.document.inputs[0].address == address && wall.document.inputs[0].substream == substream)
        #expect(wall.notes.count == notes)
    }

    @Test(
        "Options of FFmpeg: what Vitrail has is set or done anyway, the rest is named",
        arguments: [
            (#"{"rtsp_transport":"tcp","rtsp_flags":"prefer_tcp"}"#, "rtsp", [:], nil),
            (#"{"rtsp_transport":"udp"}"#, "rtsp", [:], "rtsp_transport"),
            (#"{"tls_verify":0}"#, "https", [.tls: "insecure"], nil),
            (#"{"tls_verify":"1","stimeout":5000000,"b a d":1}"#, "https", [.tls: "verify"], "another, stimeout"),
            (#"{"ca_file":"/no/such/file"}"#, "https", [:], "ca_file"),
            (#"{"tls_verify":"0"}"#, "rtsps", [.tls: "insecure"], nil),
        ] as [(String, String, [InputOption: String], String?)])
    func mediaOptions(options: String, scheme: String, settings: [InputOption: String], rest: String?) throws {
        let wall = try ForeignSamples.wall(row(#"{"url":"\#(scheme)://a/1","avFormatOptions":\#(options)}"#))
        #expect(wall.document.inputs.map(\.settings) == [settings])
        #expect(wall.notes == (rest.map { ["Options of FFmpeg are not kept: \($0)."] } ?? []))
    }

    @Test("Options of all tiles, which a tile may override; cameras that need trust")
    func defaultOptions() throws {
        let items = row(#"{"url":"rtsps://a/1"}"#, #"{"url":"rtsp://a/2","avFormatOptions":{"rtsp_transport":"tcp"}}"#)
        let wall = try ForeignSamples.wall(
            settings(items, #"defaultAVFormatOptions={"rtsp_transport":"udp","fflags":"nobuffer"}"#))
        #expect(
            wall.notes == [
                "1 tile with rtsps:// needs tls set to insecure, if you trust the network: FFmpeg cannot verify such servers.",
                "Options of FFmpeg are not kept: fflags (2), rtsp_transport.",
            ])
    }

    @Test(
        "How pictures fill their cells",
        arguments: [("0", ContentMode.stretch), ("1", .fit), ("2", .fill), ("3", .fit), ("", .fit)])
    func fillMode(value: String, expected: ContentMode) throws {
        let wall = try ForeignSamples.wall(
            settings(row(#"{"url":"rtsp://a/1"}"#), "[Viewport]\nfillMode=\(value)\n[Presets]\ncarouselRunning=true"))
        #expect(wall.document.look.content == expected)
        #expect(wall.notes == ["The carousel of presets is not kept: each preset is a wall of its own."])
    }

    @Test("Names, without what nobody sees")
    func names() throws {
        let wall = try ForeignSamples.wall(
            row(
                #"{"url":"rtsp://a/1","name":" Front\u0000 \ndoor "}"#, #"{"url":"rtsp://a/1","description":"Yard"}"#,
                #"{"url":"rtsp://a/1","name":" "}"#))
        #expect(wall.document.inputs.map(\.name) == ["Front door", "Yard", nil])
        #expect(wall.document.inputs.map(\.id) == ["rtsp://a/1", "rtsp://a/1#2", "rtsp://a/1#3"])
    }

    @Test(
        "What cannot be converted is said with the line",
        arguments: [
            (
                "[ViewportsLayoutsCollection]\ncurrentIndex=0\n\nmodels=\"[{]\"", 4,
                "the list of presets is not valid JSON."
            ),
            ("[ViewportsLayoutsCollection]\nmodels=7", 2, "the presets must be a list."),
            ("[ViewportsLayoutsCollection]\nmodels=[]", nil, "cctv-viewer has saved no preset"),
            ("[ViewportsLayoutsCollection]\nmodels=\ncollection=@Invalid()", nil, "cctv-viewer has saved no preset"),
            ("[{},\n{\"size\" 1}]", 2, "it is not valid JSON."), ("{\"presets\":{", 1, "it is not valid JSON."),
            ("[{\"size\":\"999999999x2\"}]", nil, "wall 1 must have 1 to 100 rows and columns."),
            ("[{\"division\":0}]", nil, "wall 1 must have 1 to 100 rows and columns."),
        ] as [(String, Int?, String)])
    func problems(text: String, line: Int?, message: String) throws {
        let problem = try #require(ForeignSamples.problem(text))
        #expect(problem.message.hasPrefix(message) && problem.line == line, "\(problem)")
        #expect(!problem.isUsage)
    }
}
