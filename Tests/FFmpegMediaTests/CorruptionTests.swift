import FFmpegMedia
import MediaIO
import Testing

/// Files that are damaged in the middle continue after the damage.
@Suite struct CorruptionTests {
    private static let groups = DecodingTests.h264 + ["-g", "5", "-x264-params", "scenecut=0"]

    @Test(arguments: ["a.mp4", "a.mkv", "a.ts", "a.h264"]) func brokenPacketIsPassedOver(_ name: String) throws {
        let folder = try ClipFolder()
        try folder.makeClip(name, size: "160x120", frames: 30, Self.groups)
        let whole = try readAll(try folder.reader(name)).map(\.packedBytes)
        var bytes = try folder.bytes(name)
        let middle = bytes.count * 11 / 20
        // Without zeros there is no start code in it, which the decoder would take for a header and say nothing.
        for index in middle..<middle + 1500 {
            bytes[index] = UInt8(truncatingIfNeeded: index &* 73 ^ index >> 3) | 0x10
        }
        try folder.write(bytes, to: "broken-" + name)

        let reader = try folder.reader("broken-" + name)
        let frames = try readAll(reader)
        #expect(reader.corruptCount > 0)
        #expect((20...31).contains(frames.count))
        #expect(frames.prefix(5).map(\.packedBytes) == Array(whole.prefix(5)))
        #expect(frames.suffix(5).map(\.packedBytes) == Array(whole.suffix(5)))
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
        #expect(try reader.next() == nil)
    }

    @Test(arguments: ["a.mkv", "a.ts", "a.h264", "fast.mp4"]) func truncatedFileEndsEarly(_ name: String) throws {
        let folder = try ClipFolder()
        let start = name == "fast.mp4" ? ["-movflags", "+faststart"] : []
        try folder.makeClip(name, size: "160x120", frames: 30, Self.groups + start)
        let whole = try readAll(try folder.reader(name)).map(\.packedBytes)
        let bytes = try folder.bytes(name)
        try folder.write(bytes.prefix(bytes.count * 2 / 3), to: "short-" + name)
        let frames = try readAll(try folder.reader("short-" + name))
        #expect((10..<30).contains(frames.count))
        #expect(frames.prefix(10).map(\.packedBytes) == Array(whole.prefix(10)))
    }

    @Test func nothingThatCanBeDecodedIsAnError() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", frames: 5, DecodingTests.h264 + ["-movflags", "+faststart"])
        var bytes = try folder.bytes("a.mp4")
        let data = try #require(bytes.firstRange(of: Array("mdat".utf8)))
        for index in data.upperBound..<bytes.count { bytes[index] = 0xFF }
        try folder.write(bytes, to: "b.mp4")
        let error = try #require(try streamError { _ = try folder.reader("b.mp4") })
        #expect(error.code == .malformed)
        #expect(error.description.contains("b.mp4"))
    }

    @Test func sizeChangesInTheMiddle() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.h264", size: "64x48", frames: 5, DecodingTests.h264)
        try folder.makeClip("b.h264", size: "96x80", frames: 5, DecodingTests.h264)
        try folder.write(try folder.bytes("a.h264") + folder.bytes("b.h264"), to: "c.h264")
        let reader = try folder.reader("c.h264")
        let parts = try readAll(try folder.reader("a.h264")) + readAll(try folder.reader("b.h264"))
        for _ in 0..<2 {
            let frames = try readAll(reader)
            #expect(frames.map(\.planes.size) == parts.map(\.planes.size))
            #expect(frames.map(\.packedBytes) == parts.map(\.packedBytes))
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
            try reader.rewind()
        }
    }

    /// Two transport streams one after the other: the clock of the second begins again.
    @Test func timeGoesOnWhereTheClockBeginsAgain() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.ts", frames: 50, DecodingTests.h264)
        try folder.write(try folder.bytes("a.ts") + folder.bytes("a.ts"), to: "b.ts")
        let times = try readAll(try folder.reader("b.ts")).map(\.time)
        #expect(times == (0..<100).map { .milliseconds(40 * $0) })
    }
}
