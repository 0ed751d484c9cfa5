import FFmpegMedia
import MediaIO
import TestSupport
import Testing

/// Of interlaced pictures, each field becomes a picture.
@Suite struct DeinterlacingTests {
    /// 25 interlaced pictures a second, made of 50 progressive ones.
    struct Clip: Sendable, CustomTestStringConvertible {
        var name: String
        var isTopFieldFirst = true
        var arguments: [String]
        var testDescription: String { name }

        static let h264 = [
            "-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-flags", "+ilme+ildct",
        ]
        static let all = [
            Clip(name: "top.mp4", arguments: h264 + ["-x264opts", "tff=1"]),
            Clip(name: "bottom.mkv", isTopFieldFirst: false, arguments: h264 + ["-x264opts", "bff=1"]),
            Clip(name: "b.ts", arguments: h264 + ["-x264opts", "tff=1:bframes=2"]),
            Clip(
                name: "mpeg2.ts",
                arguments: ["-c:v", "mpeg2video", "-q:v", "1", "-bf", "2", "-flags", "+ilme+ildct", "-top", "1"]),
            // Intermediate codecs have more bits.
            Clip(
                name: "ten.mov",
                arguments: ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le", "-flags", "+ilme+ildct", "-top", "1"]),
        ]

        /// Waves that move by two pixels from one picture to the next.
        static let waves = "nullsrc=size=96x64:rate=50,geq=lum='128+100*sin((X-2*N)/6)':cb=128:cr=128,format=yuv420p"

        func make(in folder: ClipFolder, of picture: String = "testsrc2=size=96x64:rate=50", pictures: Int = 20) throws
        {
            let order = isTopFieldFirst ? "interleave_top" : "interleave_bottom"
            try folder.ffmpeg(
                [
                    "-f", "lavfi", "-i", picture, "-frames:v", "\(pictures)", "-vf",
                    "tinterlace=\(order)",
                ] + taggingPictures(arguments) + [folder.file(name)])
        }
    }

    private static func frames(
        _ name: String, _ folder: ClipFolder, _ deinterlacing: Deinterlacing = .auto
    ) throws -> [VideoFrame] {
        var options = MediaReader.Options()
        options.deinterlacing = deinterlacing
        return try readAll(try MediaReader(folder.location(name), options: options))
    }

    /// FFmpeg's own program, with the same filter.
    private static func reference(
        _ name: String, _ folder: ClipFolder, _ filter: String, _ pixelFormat: String = "yuv420p"
    ) throws -> [UInt8] {
        let raw = "\(name).deinterlaced"
        try folder.ffmpeg(
            ["-i", folder.file(name), "-map", "0:v:0", "-vf", filter, "-fps_mode", "passthrough", "-f", "rawvideo"]
                + ["-pix_fmt", pixelFormat, folder.file(raw)])
        return try folder.bytes(raw)
    }

    @Test("Pictures and times are those of FFmpeg's program", arguments: Clip.all)
    func exact(_ clip: Clip) throws {
        let folder = try ClipFolder()
        try clip.make(in: folder)
        let frames = try Self.frames(clip.name, folder)
        #expect(frames.count == 40)
        let pixelFormat = clip.name == "ten.mov" ? "yuv422p10le" : "yuv420p"
        let expected = try Self.reference(clip.name, folder, "bwdif=mode=send_field:deint=interlaced", pixelFormat)
        #expect(frames.flatMap(\.packedBytes) == expected)
        for (number, frame) in frames.enumerated() {
            let distance = frame.time - .milliseconds(20) * number
            #expect((.milliseconds(-1)...(.milliseconds(1))).contains(distance), "\(number) \(frame.time)")
        }
    }

    @Test(
        "They are near the pictures that were interlaced, and those with both fields are not", arguments: Clip.all[..<2]
    )
    func near(_ clip: Clip) throws {
        let folder = try ClipFolder()
        try clip.make(in: folder, of: Clip.waves)
        try folder.ffmpeg([
            "-f", "lavfi", "-i", Clip.waves, "-frames:v", "40", "-f", "rawvideo", "-pix_fmt",
            "yuv420p",
            folder.file("original"),
        ])
        let original = try folder.bytes("original")
        let (pixels, size) = (96 * 64, 96 * 64 * 3 / 2)
        /// The mean error of luma.
        func error(_ picture: [UInt8], _ number: Int) -> Double {
            let other = original[number * size..<number * size + pixels]
            return Double(zip(picture.prefix(pixels), other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) })
                / Double(pixels)
        }
        let fields = try Self.frames(clip.name, folder).map(\.packedBytes)
        let woven = try Self.frames(clip.name, folder, .off).map(\.packedBytes)
        #expect(woven.count == 20 && fields.count == 40)
        let one = (4..<36).map { error(fields[$0], $0) }.reduce(0, +)
        let both = (4..<36).map { error(woven[$0 / 2], $0) }.reduce(0, +)
        #expect(one < 0.6 * both, "\(one) \(both)")
    }

    @Test("Progressive pictures stay as they are, unless all are wanted")
    func progressive() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", DecodingTests.h264)
        #expect(try Self.frames("a.mp4", folder).flatMap(\.packedBytes) == folder.decodedBytes("a.mp4"))
        let expected = try Self.reference("a.mp4", folder, "bwdif=mode=send_field:deint=all")
        #expect(try Self.frames("a.mp4", folder, .on).flatMap(\.packedBytes) == expected)
    }

    @Test("A stream may become interlaced, change its size, and begin again")
    func changes() throws {
        let folder = try ClipFolder()
        let (interlaced, size) = (Clip.all[2], "160x96")
        try interlaced.make(in: folder)
        let progressive = Clip.h264.dropLast(2) + ["-x264opts", "bframes=2"]
        try folder.makeClip("p.ts", size: "96x64", frames: 10, Array(progressive))
        try folder.makeClip("q.ts", size: size, frames: 10, Array(progressive))
        try folder.write(
            try ["p.ts", "b.ts", "q.ts"].flatMap { try folder.bytes($0) }, to: "all.ts")
        let reader = try folder.reader("all.ts")
        let frames = try readAll(reader)
        // Of the ten before, each is one picture; of those between, each is two.
        #expect(frames.count == 10 + 40 + 10)
        #expect(frames.filter { $0.image.size == VideoSize(size) }.count == 10)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
        try reader.rewind()
        #expect(try readAll(reader).map(\.packedBytes) == frames.map(\.packedBytes))
    }

    @Test("What is too small or of another kind is shown with both fields")
    func impossible() throws {
        let folder = try ClipFolder()
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25", "-frames:v", "5", "-vf", "setfield=tff"]
                + ["-c:v", "rawvideo", "-pix_fmt", "nv12", "-field_order", "tt", folder.file("a.nut")])
        let frames = try Self.frames("a.nut", folder, .on)
        #expect(frames.flatMap(\.packedBytes) == (try folder.decodedBytes("a.nut", pixelFormat: "nv12")))
    }
}
