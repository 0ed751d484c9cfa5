import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

/// What cannot be opened says so: which input, why, and what to do.
@Suite struct BadInputTests {
    struct Input: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var code: StreamError.Code
        var words: [String]
        var make: @Sendable (ClipFolder) throws -> String
    }

    static let inputs = [
        Input(testDescription: "missing", code: .cannotOpen, words: ["does not exist", "check the path"]) { _ in
            "no.mp4"
        },
        Input(testDescription: "directory", code: .cannotOpen, words: ["is a directory"]) { folder in
            mkdir(folder.file("dir.mp4"), 0o700)
            return "dir.mp4"
        },
        Input(testDescription: "below a file", code: .cannotOpen, words: ["Not a directory"]) { folder in
            try folder.write([1], to: "x")
            return "x/clip.mp4"
        },
        Input(testDescription: "socket", code: .cannotOpen, words: ["socket"]) { folder in
            try makeSocket(folder.file("s.mp4"))
            return "s.mp4"
        },
        Input(testDescription: "empty", code: .malformed, words: ["is empty"]) { folder in
            try folder.write([], to: "e.mp4")
            return "e.mp4"
        },
        Input(testDescription: "garbage", code: .malformed, words: ["not a media file"]) { folder in
            var generator = SeededGenerator(seed: 1)
            try folder.write((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }, to: "g.bin")
            return "g.bin"
        },
        Input(testDescription: "garbage named mp4", code: .malformed, words: ["g.mp4", "not a media file"]) { folder in
            try folder.write((0..<5000).map { UInt8($0 % 251) }, to: "g.mp4")
            return "g.mp4"
        },
        Input(testDescription: "mp4 that was cut before its index", code: .malformed, words: ["complete"]) { folder in
            try folder.makeClip("w.mp4", DecodingTests.h264)
            try folder.write(try folder.bytes("w.mp4").prefix(900), to: "c.mp4")
            return "c.mp4"
        },
        Input(
            testDescription: "sound only", code: .noVideo, words: ["has no video stream; it has: audio (aac)"]
        ) { folder in
            try folder.ffmpeg(["-f", "lavfi", "-i", "sine=1000", "-t", "0.5", "-c:a", "aac", folder.file("a.m4a")])
            return "a.m4a"
        },
        Input(testDescription: "X, Y, Z", code: .unsupported, words: ["xyz12le", "-pix_fmt yuv420p"]) { folder in
            try folder.makeClip("a.nut", ["-c:v", "rawvideo", "-pix_fmt", "xyz12le"])
            return "a.nut"
        },
        Input(testDescription: "unknown codec", code: .unsupported, words: ["does not know"]) { folder in
            try folder.makeClip("a.mp4", DecodingTests.h264)
            var bytes = try folder.bytes("a.mp4")
            // The name stands in the list of brands as well, which comes first.
            let box = try #require(bytes.firstRange(of: Array("stsd".utf8)))
            let entry = try #require(bytes[box.upperBound...].firstRange(of: Array("avc1".utf8)))
            bytes.replaceSubrange(entry, with: Array("qqqq".utf8))
            try folder.write(bytes, to: "b.mp4")
            return "b.mp4"
        },
    ]

    @Test(arguments: inputs) func oneClearError(_ input: Input) throws {
        let folder = try ClipFolder()
        let name = try input.make(folder)
        let error = try #require(try streamError { _ = try folder.reader(name) })
        #expect(error.code == input.code, "\(error)")
        #expect(error.description.contains(folder.file(name)))
        for word in input.words { #expect(error.description.contains(word), "\(error)") }
        #expect(!error.description.contains("\n"))
    }

    @Test(
        "A session description without video, or that is none, is refused for good",
        arguments: [
            "hello, this is no session", "v=0\nm=audio 5004 RTP/AVP 0\n",
            "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n",
        ])
    func wrongSession(_ text: String) throws {
        let folder = try ClipFolder()
        try folder.write(text.utf8, to: "a.sdp")
        let error = try #require(
            try streamError { _ = try MediaReader(.session(path: folder.file("a.sdp"))) })
        #expect(error.code == .unsupported && error.description.contains("a.sdp announces no video"), "\(error)")
    }

    @Test("An empty session description may still be written")
    func emptySession() throws {
        let folder = try ClipFolder()
        try folder.write([], to: "a.sdp")
        let error = try #require(
            try streamError { _ = try MediaReader(.session(path: folder.file("a.sdp"))) })
        #expect(error.code == .malformed)
    }

    @Test("The reason is the same for any number of packets, so that a try that fails again is no news")
    func undecodable() throws {
        var reasons: Set<String> = []
        for count in [3, 9] {
            let folder = try ClipFolder()
            try folder.makeClip("a.nut", frames: count, DecodingTests.h264 + ["-bsf:v", "noise=amount=1"])
            let error = try #require(try streamError { _ = try folder.reader("a.nut") })
            #expect(error.description.contains("no decodable frame"), "\(error)")
            reasons.insert(error.description.replacing(folder.file("a.nut"), with: ""))
        }
        #expect(reasons.count == 1, "\(reasons)")
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything")) func unreadable() throws {
        let folder = try ClipFolder()
        try folder.write([1, 2, 3], to: "a.mp4")
        chmod(folder.file("a.mp4"), 0)
        let error = try #require(try streamError { _ = try folder.reader("a.mp4") })
        #expect(error.code == .cannotOpen)
        #expect(error.description.contains("Permission denied"))
    }

    private static func makeSocket(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }
}
