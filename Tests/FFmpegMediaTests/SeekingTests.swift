import FFmpegMedia
import MediaIO
import Testing

/// Going to a time, back and forth, is exact to the frame.
@Suite struct SeekingTests {
    static let clips: [(name: String, arguments: [String])] = [
        ("a.mp4", DecodingTests.h264 + ["-bf", "3", "-g", "8"]),
        ("b.mkv", DecodingTests.h264 + ["-bf", "2", "-g", "12"]),
        ("c.webm", DecodingTests.vp9 + ["-g", "10"]),
        ("d.ts", DecodingTests.h264 + ["-bf", "2", "-g", "10"]),
        ("e.h264", DecodingTests.h264 + ["-g", "10"]),
        ("f.avi", ["-c:v", "mpeg4", "-bf", "2", "-g", "10"]),
        // One key frame only.
        ("g.mp4", DecodingTests.h264 + ["-g", "1000"]),
    ]

    @Test(arguments: clips) func theFrameThatIsShownThenComesFirst(_ name: String, _ arguments: [String]) throws {
        let folder = try ClipFolder()
        try folder.makeClip(name, frames: 50, arguments)
        let all = try readAll(try folder.reader(name)).map { ($0.time, $0.packedBytes) }
        #expect(all.count == 50)
        let reader = try folder.reader(name)
        for milliseconds in [400, 0, 1, 39, 40, 41, 1960, 1200, 1000, 333, 1999, 3000, 360_000, 0, 1880] {
            try reader.seek(to: .milliseconds(milliseconds))
            // The last one whose time has come, and those behind it.
            let first = all.lastIndex { $0.0 <= .milliseconds(milliseconds) } ?? 0
            let expected = all[first...].prefix(12)
            let frames = try readAll(reader, limit: 12)
            #expect(frames.map(\.time) == expected.map(\.0), "from \(milliseconds) ms")
            #expect(frames.map(\.packedBytes) == expected.map(\.1), "from \(milliseconds) ms")
        }
        try reader.rewind()
        #expect(try readAll(reader).map(\.packedBytes) == all.map(\.1))
    }

    @Test func loopGoesOnWithoutAGap() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", frames: 6, DecodingTests.h264 + ["-bf", "2"])
        let looped = try readAll(LoopingReader(try folder.reader("a.mp4")), limit: 20)
        #expect(looped.map(\.time) == (0..<20).map { .milliseconds(40 * $0) })
        let once = try readAll(try folder.reader("a.mp4")).map(\.packedBytes)
        #expect(looped.map(\.packedBytes) == (0..<20).map { once[$0 % 6] })
    }

    @Test func rewindBeforeReadingChangesNothing() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", frames: 3, DecodingTests.h264)
        let reader = try folder.reader("a.mp4")
        try reader.rewind()
        try reader.seek(to: .zero)
        #expect(try readAll(reader).count == 3)
    }
}
