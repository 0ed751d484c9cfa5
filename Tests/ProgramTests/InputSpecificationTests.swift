import MediaIO
import TestSupport
import Testing
import VideoSources
import VideoWall

@testable import vitrail

/// The grammar of an input.
///
/// Opening what was named is not tested here.
struct InputSpecificationTests {
    struct Row: CustomTestStringConvertible {
        var text: String
        var kind: InputSpecification.Kind
        var options = InputOptions()
        var existing: Set<String> = []

        var testDescription: String { text }
    }

    static let size = VideoSize(width: 640, height: 360)

    static let rows = [
        Row(text: "clip.mp4", kind: .media(path: "clip.mp4")),
        Row(text: "/a/b.mp4", kind: .media(path: "/a/b.mp4")),
        Row(text: "no-ending", kind: .media(path: "no-ending")),
        Row(text: "y4m", kind: .media(path: "y4m")),
        Row(text: "a.y4m/b", kind: .media(path: "a.y4m/b")),
        Row(text: "clip.y4m", kind: .y4m(path: "clip.y4m")),
        Row(text: "clip.Y4M", kind: .y4m(path: "clip.Y4M")),
        Row(text: "-", kind: .standardInput),
        Row(text: "-", kind: .standardInput, existing: ["-"]),
        Row(text: "-?label=in", kind: .standardInput, options: InputOptions(label: "in")),
        Row(text: "./-", kind: .media(path: "./-"), existing: ["./-"]),
        Row(text: "a.yuv?size=640x360", kind: .raw(path: "a.yuv"), options: InputOptions(size: size)),
        Row(
            text: "a.nv12?format=nv12&size=640x360&fps=30000/1001&stride=704", kind: .raw(path: "a.nv12"),
            options: InputOptions(format: .nv12, size: size, frameRate: Rational(30000, 1001), bytesPerRow: 704)),
        Row(text: "a.V210?size=640x360", kind: .raw(path: "a.V210"), options: InputOptions(size: size)),
        Row(text: "test:bars", kind: .test(.bars)),
        Row(
            text: "test:clock?size=640x360&fps=5", kind: .test(.clock),
            options: InputOptions(size: size, frameRate: Rational(5))),
        Row(text: "test:bars", kind: .media(path: "test:bars"), existing: ["test:bars"]),
        Row(text: "/dev/video0", kind: .camera("/dev/video0"), existing: ["/dev/video0"]),
        Row(text: "/dev/video7", kind: .camera("/dev/video7")),
        Row(text: "camera:Door", kind: .camera("Door")),
        Row(text: "rtsp://h/p", kind: .url("rtsp://h/p")),
        Row(text: "RTSP://h/p?rotate=90", kind: .url("RTSP://h/p"), options: InputOptions(rotation: .clockwise90)),
        // What a URL asks its server is the server's, and so is what no media stream takes.
        Row(
            text: "https://h/p?token=a%20b&rotate=180&size=1x1", kind: .url("https://h/p?token=a%20b&size=1x1"),
            options: InputOptions(rotation: .clockwise180)),
        Row(text: "https://h/p?%72otate=90", kind: .url("https://h/p?%72otate=90")),
        // A camera's own parameters may be named as options.
        Row(
            text: "rtsp://h/p?mirror=1&loop=1&range=5&rotate=90", kind: .url("rtsp://h/p?mirror=1&loop=1&range=5"),
            options: InputOptions(rotation: .clockwise90)),
        // After a # they are options in any case, and before it none.
        Row(
            text: "rtsp://h/p?rotate=90&mirror=1#rotate=180&label=a%26b", kind: .url("rtsp://h/p?rotate=90&mirror=1"),
            options: InputOptions(rotation: .clockwise180, label: "a&b")),
        Row(text: "rtsp://h/p?rotate=90#", kind: .url("rtsp://h/p?rotate=90")),
        Row(text: "rtsp://h/p#rotate=90", kind: .url("rtsp://h/p"), options: InputOptions(rotation: .clockwise90)),
        Row(text: "rtsp://me:p#w@h/p", kind: .url("rtsp://me:p#w@h/p")),
        Row(
            text: "srt://h:1?streamid=#!::u=me,s=x&rotate=90", kind: .url("srt://h:1?streamid=#!::u=me,s=x"),
            options: InputOptions(rotation: .clockwise90)),
        Row(text: "rtsps://h/p?tls=insecure", kind: .url("rtsps://h/p"), options: InputOptions(verifiesServer: false)),
        Row(
            text: "rtsp://h/p?latency=200", kind: .url("rtsp://h/p"),
            options: InputOptions(playout: .fixed(.milliseconds(200)))),
        Row(text: "rtsp://h/p#latency=0", kind: .url("rtsp://h/p"), options: InputOptions(playout: PlayoutDelay.none)),
        Row(
            text: "a.sdp?latency=20-2000", kind: .session(path: "a.sdp"),
            options: InputOptions(playout: PlayoutDelay(.milliseconds(20), .seconds(2)))),
        // Microseconds of SRT's own.
        Row(text: "srt://h:1?latency=120000", kind: .url("srt://h:1?latency=120000")),
        Row(text: "https://h/p?tls=1&ca=5", kind: .url("https://h/p?tls=1&ca=5")),
        Row(text: "file:///a%20b.mp4?loop", kind: .media(path: "/a b.mp4"), options: InputOptions(loops: true)),
        Row(text: "FILE://localhost/a.y4m", kind: .y4m(path: "/a.y4m")),
        Row(
            text: "camera.SDP?rotate=90", kind: .session(path: "camera.SDP"),
            options: InputOptions(rotation: .clockwise90)),
        // A path that exists is taken as it is, whatever is in it.
        Row(text: "what?rotate=90", kind: .media(path: "what?rotate=90"), existing: ["what?rotate=90", "what"]),
        Row(text: "http://x", kind: .media(path: "http://x"), existing: ["http://x"]),
        Row(
            text: "what?.y4m?rotate=90", kind: .y4m(path: "what?.y4m"), options: InputOptions(rotation: .clockwise90),
            existing: ["what?.y4m"]),
        Row(text: "100%.mp4", kind: .media(path: "100%.mp4")),
        Row(text: "a.mp4?", kind: .media(path: "a.mp4")),
        Row(text: "a.mp4?loop", kind: .media(path: "a.mp4"), options: InputOptions(loops: true)),
        Row(text: "a.mp4?loop=yes", kind: .media(path: "a.mp4"), options: InputOptions(loops: true)),
        Row(text: "a.mp4?loop=no", kind: .media(path: "a.mp4"), options: InputOptions(loops: false)),
        Row(
            text: "a.mp4?matrix=bt2020&range=full&chroma=topLeft&rotate=270&mirror=both&content=fill&label=A%26B%3F=",
            kind: .media(path: "a.mp4"),
            options: InputOptions(
                matrix: .bt2020, range: .full, chroma: .topLeft, rotation: .clockwise270, mirror: .both,
                contentMode: .fill, label: "A&B?=")),
        Row(
            text: "a.mp4?sar=64:45&filter=catmull-rom", kind: .media(path: "a.mp4"),
            options: InputOptions(pixelAspectRatio: Rational(64, 45), filter: .catmullRom)),
        Row(
            text: "a.mp4?matrix=ycgco&primaries=bt601Lines625&transfer=sRGB&chroma=bottomLeft&crop=64x48+0+3",
            kind: .media(path: "a.mp4"),
            options: InputOptions(
                matrix: .ycgco, primaries: .bt601Lines625, transfer: .sRGB, chroma: .bottomLeft,
                crop: Rectangle(x: 0, y: 3, width: 64, height: 48))),
        Row(
            text: "a.yuv?size=640x360&format=webrtc:argb&crop=640x359+0+1", kind: .raw(path: "a.yuv"),
            options: InputOptions(
                format: .bgra32, size: size, crop: Rectangle(x: 0, y: 1, width: 640, height: 359))),
        Row(text: "test:bars?format=YUV422P10", kind: .test(.bars), options: InputOptions(format: .i210)),
        Row(
            text: "a.yuv?format=v4l2:Y10%20&size=640x360", kind: .raw(path: "a.yuv"),
            options: InputOptions(format: .gray10, size: size)),
        Row(
            text: "test:bars?range=limited&format=yuvj422p", kind: .test(.bars),
            options: InputOptions(
                format: .i422, formatTags: ColorTags(range: .full, chromaLocation: .center), range: .limited)),
        // %2B is a +, for those whose tools would take that for a space.
        Row(
            text: "rtsp://h/p?crop=8x8%2B1%2B2", kind: .url("rtsp://h/p"),
            options: InputOptions(crop: Rectangle(x: 1, y: 2, width: 8, height: 8))),
        Row(text: "a.mp4?label=%C3%A9t%c3%a9", kind: .media(path: "a.mp4"), options: InputOptions(label: "été")),
    ]

    @Test("An input is parsed", arguments: rows)
    func reads(_ row: Row) throws {
        let specification = try InputSpecification(row.text) { row.existing.contains($0) }
        #expect(specification.kind == row.kind)
        #expect(specification.options == row.options)
    }

    @Test(
        "Errors name the fault and the accepted values",
        arguments: [
            ("", "empty"),
            ("?label=x", "empty"),
            (
                "a.mp4?speed=2",
                "transfer, chroma, swapuv, crop, sar, rotate, mirror, content, filter, effect, label, loop"
            ),
            ("a.mp4?size=1x1", "does not apply here"),
            ("-?loop", "does not apply here"),
            ("a.mp4?&label=a", "“”"),
            ("a.mp4?label", "label"),
            ("a.mp4?label=", "label"),
            ("a.mp4?label=%", "label"),
            ("a.mp4?label=%4", "label"),
            ("a.mp4?label=%zz", "label"),
            ("a.mp4?label=%00", "label"),
            ("a.mp4?label=%ff", "label"),
            ("a.mp4?label=a&label=b", "twice"),
            ("a.mp4?loop=maybe", "yes, no"),
            ("a.mp4?rotate=45", "0, 90, 180, 270"),
            ("a.mp4?rotate=+90", "0, 90, 180, 270"),
            ("a.mp4?matrix=BT601", "bt601, bt709, bt2020"),
            ("a.mp4?range=tv", "limited, full"),
            ("a.mp4?chroma=", "left, center, topLeft"),
            ("a.mp4?mirror=x", "none, horizontal, vertical, both"),
            ("a.mp4?content=cover", "fit, fill, stretch"),
            ("a.mp4?sar=0:1", "1:100 to 100:1"),
            ("a.mp4?sar=1:101", "1:100 to 100:1"),
            ("a.mp4?sar=wide", "1:100 to 100:1"),
            ("a.mp4?filter=best", "auto, nearest, bilinear, catmull-rom, mitchell, lanczos"),
            ("a.mp4?effect=blurr", "there is no effect of this name"),
            ("a.mp4?effect=blur:size=1", "there is no parameter “size”; there are radius"),
            ("a.mp4?effect=blur:radius=much", "use 0 to 128"),
            ("a.mp4?effect=/none/a.effect.glsl", "cannot be opened"),
            ("a.yuv", "?size="),
            ("a.p010", "?size="),
            ("a.yuv?format=yuv420&size=2x2", "yuv420p"),
            ("a.yuv?format=&size=2x2", "vitrail formats"),
            ("a.yuv?format=%zz&size=2x2", "format"),
            ("test:bars?format=v4l2:YUVY", "v4l2:YUYV"),
            ("test:bars?format=foo:NV12", "“foo:” is not one of ffmpeg: v4l2: gstreamer: webrtc: agora: zego:"),
            ("a.mp4?primaries=709", "bt709, bt601Lines525"),
            ("a.mp4?transfer=hdr", "bt709, sRGB, linear, gamma22, gamma28, pq, hlg"),
            ("a.mp4?crop=10x10", "WIDTHxHEIGHT+X+Y"),
            ("a.mp4?crop=10x10+1", "WIDTHxHEIGHT+X+Y"),
            ("a.mp4?crop=10x10+1+2+3", "WIDTHxHEIGHT+X+Y"),
            ("a.mp4?crop=0x10+1+1", "WIDTHxHEIGHT+X+Y"),
            ("a.mp4?crop=10x10+-1+1", "WIDTHxHEIGHT+X+Y"),
            ("a.mp4?crop=10x10++1", "WIDTHxHEIGHT+X+Y"),
            ("a.mp4?crop=10x10+99999999999+1", "WIDTHxHEIGHT+X+Y"),
            ("a.yuv?size=20x10&crop=20x10+0+1", "20x10+0+1 does not fit in 20x10"),
            ("test:bars?crop=2147483647x1+2147483647+0", "does not fit in 1280x720"),
            ("test:bars?stride=9", "does not apply here"),
            ("a.yuv?size=0x2", "WIDTHxHEIGHT"),
            ("a.yuv?size=2", "WIDTHxHEIGHT"),
            ("a.yuv?size=-2x2", "WIDTHxHEIGHT"),
            ("a.yuv?size=99999999999999999999x2", "WIDTHxHEIGHT"),
            ("a.yuv?size=2x2&fps=0", "30000/1001"),
            ("a.yuv?size=2x2&fps=1/0", "30000/1001"),
            ("a.yuv?size=2x2&stride=0", "bytes"),
            ("a.yuv?size=2x2&stride=99999999999", "bytes"),
            ("test:snow", "test:bars"),
            ("test:bars?loop", "does not apply here"),
            ("file://elsewhere/a.mp4", "file:///PATH"),
            ("rtsp://h/p#mirror=1", "none, horizontal, vertical, both"),
            ("rtsp://h/p#rotate=90&x=1", "does not exist"),
            ("https://h/p#tls=off", "verify, insecure"),
            ("https://h/p#ca=/none.pem", "PEM file"),
            ("rtsps://h/p#ca=/etc/passwd", "tls=insecure"),
            ("RTSPS://h/p?tls=insecure&ca=/etc/passwd", "tls=insecure"),
            ("rtsp://h/p#latency=2001", "0 to 2000"),
            ("rtsp://h/p#latency=300-200", "0 to 2000"),
            ("rtsp://h/p#latency=1-2-3", "0 to 2000"),
            ("rtsp://h/p#latency=-5", "0 to 2000"),
            ("a.mp4?latency=0", "does not apply here"),
            ("gopher://a", "rtsp://"),
        ])
    func refuses(_ text: String, naming hint: String) throws {
        let error = try #require(throws: ProgramError.self) { try InputSpecification(text) { _ in false } }
        #expect(error.status == .usage)
        #expect(error.description.contains(hint), "\(error.description)")
    }

    @Test("A displayed address contains no secret")
    func hidesSecrets() throws {
        let specification = try InputSpecification("rtsp://me:secret@door/1?token=secret&rotate=90") { _ in false }
        #expect(specification.kind == .url("rtsp://me:secret@door/1?token=secret"))
        #expect(specification.name == "rtsp://door/1?token=***")
        #expect(specification.typed == "rtsp://door/1?token=***&rotate=90")
    }

    @Test("Any text is parsed or rejected in one line", arguments: 1...20)
    func fuzz(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "test:", "bars", "?", "&", "=", "%", "%41", "size", "640x360", "loop", "label", "rotate", "90", "://",
            "rtsp",
            "-", "/", ".y4m", ".yuv", "\n", "é", "\u{0}", "x", "99999999999999999999", "camera:", " ", "👩‍👩‍👧",
        ]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0...12, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let exists = Bool.random(using: &generator)
            do throws(ProgramError) {
                let specification = try InputSpecification(text) { _ in exists }
                // What exists is never taken apart, except for the one name that is no path.
                if exists, text != "-", !text.hasPrefix("/dev/video"), !text.isEmpty {
                    #expect(specification.path == text)
                }
            } catch {
                #expect(error.status == .usage)
                #expect(error.description.split(whereSeparator: \.isNewline).count == 1)
            }
        }
    }

    @Test("A parameter that is left to the server is told, unless a # says so")
    func notes() throws {
        let specification = try InputSpecification("rtsp://me:secret@h/p?mirror=1") { _ in false }
        #expect(specification.notes.count == 1)
        #expect(specification.notes[0].contains("“mirror” is left to the server"))
        #expect(!specification.notes[0].contains("secret"))
        #expect(try InputSpecification("rtsp://h/p?mirror=1#") { _ in false }.notes.isEmpty)
    }

    @Test("A list of addresses is one input for each")
    func addressList() throws {
        let folder = TemporaryFolder()
        let text = """
            \u{FEFF}#EXTM3U
            #EXTINF:-1 tvg-name="a, b",Front door, left
            rtsp://door/1?rotate=90
            #EXTINF:-1,Yard
            rtsp://yard/1#label=Garden

            clip.mp4 \t\r
            """
        let path = folder.write("list.m3u8", Array(text.utf8))
        let inputs = try AddressList.inputs(path)
        #expect(
            inputs.map(\.kind) == [
                .url("rtsp://door/1"), .url("rtsp://yard/1"), .media(path: "\(folder.path)/clip.mp4"),
            ])
        #expect(inputs.map(\.options.label) == ["Front door, left", "Garden", nil])
        #expect(throws: ProgramError.self) { try AddressList.inputs(path + "?rotate=90") }
        let segments = folder.write("a.m3u8", Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n".utf8))
        #expect(try AddressList.inputs(segments).map(\.kind) == [.media(path: segments)])
        let empty = folder.write("empty.m3u", Array("#EXTM3U\n".utf8))
        #expect(throws: ProgramError.self) { try AddressList.inputs(empty) }
    }

    @Test("Parts of a secret are hidden in what is printed")
    func argumentSecrets() {
        let arguments = ["rtsp://me:HIDDEN:x@h/1", "--set=rtsp://me:p4ss@h"]
        func hide(_ text: String) -> String { ArgumentSecrets.hide(in: text, arguments) }
        #expect(hide("no “HIDDEN:x”, HIDDEN") == "no “***”, ***")
        #expect(hide("//me:p4ss is no effect") == "//me:*** is no effect")
        #expect(hide("p4sses") == "p4sses")
    }
}
