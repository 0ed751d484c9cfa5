import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

/// Servers that encrypt, with certificates that nobody else has signed.
@Suite(.timeLimit(.minutes(25))) struct TLSTests {
    private static func read(_ url: String, _ trust: TLSTrust) throws -> [VideoFrame] {
        var options = MediaReader.Options()
        options.trust = trust
        return try readAll(try MediaReader(.network(url: url), options: options))
    }

    private static func refusal(_ url: String, _ trust: TLSTrust = .system) throws -> String {
        var options = MediaReader.Options()
        (options.trust, options.timeout) = (trust, .seconds(5))
        return try #require(try streamError { _ = try MediaReader(.network(url: url), options: options) }).description
    }

    @Test func certificateIsVerified() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", DecodingTests.h264)
        let server = try TLSServer(folder)
        let url = "https://me:secret@127.0.0.1:\(server.port)/clip.ts"
        let text = try Self.refusal(url)
        #expect(text.contains("certificate") && text.contains("tls=insecure") && !text.contains("secret"), "\(text)")
        let expected = try folder.decodedBytes("clip.ts")
        for trust in [TLSTrust.insecure, .authority(path: server.certificate)] {
            #expect(try Self.read(url, trust).flatMap(\.packedBytes) == expected)
        }
    }

    @Test(arguments: ["rtmps", "rtsps", "tls"]) func everyProtocolVerifies(_ scheme: String) throws {
        let folder = try ClipFolder()
        let server = try TLSServer(folder)
        let text = try Self.refusal("\(scheme)://127.0.0.1:\(server.port)/a/b")
        #expect(text.contains(scheme == "rtsps" ? "RTSP over TLS" : "certificate"), "\(text)")
    }

    @Test func nameMustFit() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", DecodingTests.h264)
        let server = try TLSServer(folder, for: "DNS:elsewhere.example")
        let text = try Self.refusal(
            "https://127.0.0.1:\(server.port)/clip.ts", .authority(path: server.certificate))
        #expect(text.contains("certificate"), "\(text)")
    }

    @Test func missingAuthorityIsAClearError() throws {
        let text = try Self.refusal("https://127.0.0.1:9/a", .authority(path: "/none/ca.pem"))
        #expect(text.contains("/none/ca.pem does not exist"), "\(text)")
    }

    /// The segments are on another server than the list.
    @Test(arguments: [true, false]) func segmentsAreVerified(_ isTrusted: Bool) throws {
        let (folder, other) = (try ClipFolder(), try ClipFolder())
        try other.makeClip("clip.ts", DecodingTests.h264)
        let segments = try TLSServer(other)
        let list = """
            #EXTM3U
            #EXT-X-TARGETDURATION:1
            #EXTINF:1.0,
            https://127.0.0.1:\(segments.port)/clip.ts
            #EXT-X-ENDLIST

            """
        try folder.write(list.utf8, to: "list.m3u8")
        let lists = try TLSServer(folder)
        let both = try folder.bytes("\(lists.port).pem") + (isTrusted ? other.bytes("\(segments.port).pem") : [])
        try folder.write(both, to: "ca.pem")
        let url = "https://127.0.0.1:\(lists.port)/list.m3u8"
        if isTrusted {
            let frames = try Self.read(url, .authority(path: folder.file("ca.pem")))
            #expect(frames.flatMap(\.packedBytes) == (try other.decodedBytes("clip.ts")))
        } else {
            _ = try Self.refusal(url, .authority(path: folder.file("ca.pem")))
        }
    }

    @Test func dashThatCannotBeVerifiedIsRefused() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.mp4", DecodingTests.h264)
        try folder.ffmpeg(["-i", folder.file("clip.mp4"), "-c", "copy", "-f", "dash", folder.file("a.mpd")])
        let server = try TLSServer(folder)
        let url = "https://127.0.0.1:\(server.port)/a.mpd"
        let text = try Self.refusal(url, .authority(path: server.certificate))
        #expect(text.contains("DASH over TLS"), "\(text)")
    }
}
