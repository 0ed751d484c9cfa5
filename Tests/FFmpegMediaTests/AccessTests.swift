import FFmpegMedia
import MediaIO
import TestSupport
import Testing

/// A file reaches nothing but itself, and what comes over the network never reaches a file.
@Suite struct AccessTests {
    /// CLIP stands for a local clip, SERVER for a server that has it too.
    static let lists = [
        ("a.m3u8", hls("CLIP")),
        ("disguised.mp4", hls("CLIP")),
        ("b.m3u8", hls("http://SERVER/clip.ts")),
        ("c.ffconcat", "ffconcat version 1.0\nfile 'CLIP'\n"),
        ("d.ffconcat", "ffconcat version 1.0\nfile 'http://SERVER/clip.ts'\n"),
        ("e.sdp", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\n"),
        (
            "f.mpd",
            """
            <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"
             mediaPresentationDuration="PT1S" profiles="urn:mpeg:dash:profile:isoff-main:2011"><Period>
            <AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>CLIP</BaseURL>
            </Representation></AdaptationSet></Period></MPD>
            """
        ),
    ]

    private static func hls(_ target: String) -> String {
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\n\(target)\n#EXT-X-ENDLIST\n"
    }

    @Test(arguments: lists) func listIsRefused(_ name: String, _ text: String) throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", DecodingTests.h264)
        let server = try LoopbackServer(.http(["/clip.ts": folder.bytes("clip.ts")]))
        defer { server.close() }
        let list = text.replacing("CLIP", with: folder.file("clip.ts"))
        try folder.write(list.replacing("SERVER", with: "127.0.0.1:\(server.port)").utf8, to: name)
        let error = try #require(try streamError { _ = try folder.reader(name) })
        #expect(error.code == .unsupported)
        #expect(error.description.contains("list of other files"), "\(error)")
        #expect(server.connectionCount == 0)
    }

    /// A name that looks like a numbered series is one file.
    @Test func patternInANameIsNotFollowed() throws {
        let folder = try ClipFolder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25", "-frames:v", "3", "-pix_fmt", "yuvj420p",
            folder.file("a%03d.jpg"),
        ])
        try folder.write(try folder.bytes("a001.jpg"), to: "a%03d.jpg")
        let frames = try readAll(try folder.reader("a%03d.jpg"))
        #expect(frames.count == 1)
    }

    @Test func networkListPlaysFromTheNetwork() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", DecodingTests.h264)
        let server = try LoopbackServer(
            .http(["/clip.ts": folder.bytes("clip.ts"), "/list.m3u8": Array(Self.hls("clip.ts").utf8)]))
        defer { server.close() }
        let frames = try readAll(try MediaReader(.network(url: "http://127.0.0.1:\(server.port)/list.m3u8")))
        #expect(frames.flatMap(\.packedBytes) == (try folder.decodedBytes("clip.ts")))
    }

    @Test(arguments: ["", "file:", "file://", "concat:", "subfile,,start,0,end,0,,:", "cache:", "async:", "crypto:"])
    func networkListCannotNameAFile(_ scheme: String) throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", DecodingTests.h264)
        let server = try LoopbackServer(.http(["/list.m3u8": Array(Self.hls(scheme + folder.file("clip.ts")).utf8)]))
        defer { server.close() }
        let error = try streamError {
            _ = try MediaReader(.network(url: "http://127.0.0.1:\(server.port)/list.m3u8"))
        }
        #expect(error != nil)
        #expect(server.requests.first == "/list.m3u8")
    }

    @Test(arguments: ["", "file:", "concat:", "pipe:", "unix:", "cache:"]) func networkAddressCannotBeAFile(
        _ scheme: String
    ) throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", DecodingTests.h264)
        let error = try streamError { _ = try MediaReader(.network(url: scheme + folder.file("clip.ts"))) }
        #expect(error?.code == .cannotOpen)
    }
}
