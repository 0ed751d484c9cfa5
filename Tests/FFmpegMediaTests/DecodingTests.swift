import FFmpegMedia
import MediaIO
import Testing

/// Whole clips, compared byte by byte with what FFmpeg's own program decodes.
@Suite struct DecodingTests {
    struct Clip: Sendable, CustomTestStringConvertible {
        var name: String
        var size = "64x48"
        var codec: String
        var container: String
        var arguments: [String]
        var pixelFormat = "yuv420p"
        var format = PixelFormat.i420
        var testDescription: String { "\(codec) \(size) in \(name)" }
    }

    static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
    static let vp9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-pix_fmt", "yuv420p"]

    static let clips = [
        Clip(name: "a.mp4", codec: "h264", container: "mp4", arguments: h264),
        Clip(name: "b.mkv", codec: "h264", container: "matroska", arguments: h264 + ["-bf", "3"]),
        Clip(name: "c.webm", codec: "vp9", container: "webm", arguments: vp9),
        Clip(name: "d.webm", size: "35x23", codec: "vp9", container: "webm", arguments: vp9),
        Clip(
            name: "e.mkv", size: "35x23", codec: "ffv1", container: "matroska",
            arguments: ["-c:v", "ffv1", "-pix_fmt", "yuv420p"]),
        Clip(
            name: "f.mkv", size: "1x1", codec: "ffv1", container: "matroska",
            arguments: ["-c:v", "ffv1", "-pix_fmt", "yuv420p"]),
        Clip(name: "g.avi", codec: "mpeg4", container: "avi", arguments: ["-c:v", "mpeg4", "-bf", "2"]),
        Clip(
            name: "h.avi", codec: "mjpeg", container: "avi", arguments: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"],
            pixelFormat: "yuvj420p"),
        // Coded as 1920 × 1088 with eight rows to cut off, and decoded by several threads.
        Clip(name: "i.mp4", size: "1920x1080", codec: "h264", container: "mp4", arguments: h264 + ["-bf", "2"]),
        // Sides that are no multiple of the coding block.
        Clip(name: "j.mp4", size: "50x38", codec: "h264", container: "mp4", arguments: h264),
        Clip(name: "k.ts", codec: "h264", container: "mpegts", arguments: h264 + ["-bf", "2"]),
        Clip(
            name: "l.nut", size: "35x23", codec: "rawvideo", container: "nut",
            arguments: ["-c:v", "rawvideo", "-pix_fmt", "nv12"], pixelFormat: "nv12", format: .nv12),
        Clip(
            name: "m.y4m", size: "35x23", codec: "rawvideo", container: "yuv4mpegpipe",
            arguments: ["-pix_fmt", "yuv420p"]),
        Clip(name: "n.h264", codec: "h264", container: "h264", arguments: h264),
        Clip(name: "o.webm", codec: "vp8", container: "webm", arguments: ["-c:v", "libvpx", "-deadline", "realtime"]),
    ]

    @Test(arguments: clips) func everyFrameIsExact(_ clip: Clip) throws {
        let folder = try ClipFolder()
        try folder.makeClip(clip.name, size: clip.size, clip.arguments)
        let reader = try folder.reader(clip.name)
        let size = try #require(VideoSize(clip.size))
        #expect(reader.info.size == size)
        #expect(reader.info.codec == clip.codec)
        #expect(reader.info.container.contains(clip.container))
        #expect(reader.info.format == clip.format)

        let expected = try folder.decodedBytes(clip.name, pixelFormat: clip.pixelFormat)
        let frames = try readAll(reader)
        #expect(frames.count == 10)
        #expect(frames.allSatisfy { $0.planes.size == size && $0.planes.format == clip.format })
        #expect(frames.flatMap(\.packedBytes) == expected)
        #expect(reader.corruptCount == 0)
        #expect(try reader.next() == nil)

        // What is played again is the same again, times included.
        for _ in 0..<2 {
            try reader.rewind()
            let again = try readAll(reader)
            #expect(again.flatMap(\.packedBytes) == expected)
            #expect(again.map(\.time) == frames.map(\.time))
        }
    }

    @Test(arguments: clips) func timesBeginAtZeroAndFollowTheRate(_ clip: Clip) throws {
        let folder = try ClipFolder()
        try folder.makeClip(clip.name, size: clip.size, clip.arguments)
        let reader = try folder.reader(clip.name)
        #expect(reader.info.frameRate?.value == 25)
        let times = try readAll(reader).map(\.time)
        #expect(times == (0..<10).map { .milliseconds(40 * $0) })
    }

    /// The crop of H.264 may begin at the left and at the top; the rows that remain are lent from inside the picture.
    @Test func cropIsHonoured() throws {
        let folder = try ClipFolder()
        try folder.makeClip("whole.h264", Self.h264)
        try folder.ffmpeg([
            "-i", folder.file("whole.h264"), "-c", "copy", "-bsf:v",
            "h264_metadata=crop_left=6:crop_right=4:crop_top=2:crop_bottom=8", folder.file("cropped.mkv"),
        ])
        let whole = try readAll(try folder.reader("whole.h264"))
        let cropped = try readAll(try folder.reader("cropped.mkv"))
        #expect(cropped.count == whole.count)
        for (frame, original) in zip(cropped, whole) {
            #expect(frame.planes.size == VideoSize(width: 54, height: 38))
            for row in 0..<38 {
                let part = original.planes.withPlane(0) { plane in
                    let start = (row + 2) * plane.bytesPerRow + 6
                    return Array(plane.bytes[start..<start + 54])
                }
                #expect(Array(frame.packedBytes[row * 54..<(row + 1) * 54]) == part)
            }
        }
    }
}
