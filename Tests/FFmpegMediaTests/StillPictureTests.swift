import FFmpegMedia
import MediaIO
import TestSupport
import Testing

/// Files of one picture: their content decides, or their ending where the content has no signature.
@Suite struct StillPictureTests {
    /// An ending, the pixel format that is encoded, and options of the encoder.
    static let pictures = [
        ("jpg", "yuvj420p", []), ("jpeg", "yuvj444p", []), ("JPG", "yuvj422p", []), ("tga", "bgr24", []),
        ("tga", "bgra", ["-rle", "0"]), ("tga", "gray", []), ("png", "rgb24", []), ("bmp", "bgr24", []),
        ("tif", "rgb24", []), ("ppm", "rgb24", []), ("sgi", "rgb24", []), ("pcx", "rgb24", []), ("jls", "rgb24", []),
        ("xwd", "bgra", []), ("sun", "bgr24", []),
    ]

    @Test(arguments: pictures) func opens(_ ending: String, _ format: String, _ options: [String]) throws {
        let folder = try ClipFolder()
        let name = "still.\(ending)"
        try folder.makeClip(name, frames: 1, options + ["-pix_fmt", format])
        let frames = try readAll(try folder.reader(name))
        #expect(frames.count == 1)
        #expect(frames[0].image.size == VideoSize(width: 64, height: 48))
        // Under a neutral name FFmpeg itself goes by the content, too.
        // FFmpeg 7 decodes SGI to planes.
        let decoded = frames[0].image.format == .gbrp ? "gbrp" : format
        #expect(try frames[0].packedBytes == folder.decodedBytes(name, pixelFormat: decoded))
    }

    /// A picture that is larger than FFmpeg's reads, so that it must be one packet all the same.
    @Test func largeTGA() throws {
        let folder = try ClipFolder()
        try folder.makeClip("large.tga", size: "640x480", frames: 1, ["-rle", "0"])
        #expect(try folder.bytes("large.tga").count > 900_000)
        let frames = try readAll(try folder.reader("large.tga"))
        #expect(try frames.flatMap(\.packedBytes) == folder.decodedBytes("large.tga", pixelFormat: "bgr24"))
    }

    /// It plays in a loop as any file does.
    @Test(arguments: ["still.jpg", "still.tga"]) func beginsAgain(_ name: String) throws {
        let folder = try ClipFolder()
        try folder.makeClip(name, frames: 1, [])
        let reader = try folder.reader(name)
        let first = try #require(try reader.next())
        #expect(try reader.next() == nil)
        try reader.rewind()
        #expect(try reader.next()?.packedBytes == first.packedBytes)
    }

    @Test(arguments: ["still.tga", "still.jpg", "still.bmp", "film.jpg"]) func theContentDecides(_ name: String) throws
    {
        let folder = try ClipFolder()
        let truth = name == "film.jpg" ? "a.mkv" : "a.png"
        try folder.makeClip(truth, frames: 3, truth == "a.png" ? ["-update", "1"] : ["-c:v", "ffv1"])
        try folder.write(try folder.bytes(truth), to: name)
        let expected = try readAll(try folder.reader(truth))
        #expect(try readAll(try folder.reader(name)).map(\.packedBytes) == expected.map(\.packedBytes))
    }

    /// A name that looks like a numbered series is one file, also where the ending says what is in it.
    @Test(arguments: ["a%03d.tga", "a*.tga", "a%03d.jpg"]) func aPatternIsNotFollowed(_ name: String) throws {
        let folder = try ClipFolder()
        let ending = String(name.suffix(4))
        try folder.makeClip("a%03d\(ending)", frames: 3, [])
        try folder.write(try folder.bytes("a002\(ending)"), to: name)
        let expected = try readAll(try folder.reader("a002\(ending)"))
        #expect(try readAll(try folder.reader(name)).map(\.packedBytes) == expected.map(\.packedBytes))
    }

    @Test(arguments: ["g.jpg", "g.tga", "g.jp2"]) func garbageIsRefused(_ name: String) throws {
        let folder = try ClipFolder()
        var generator = SeededGenerator(seed: 3)
        try folder.write((0..<50_000).map { _ in UInt8.random(in: 0...255, using: &generator) }, to: name)
        let error = try #require(try streamError { _ = try folder.reader(name) })
        #expect(error.description.contains(name))
        #expect(!error.description.contains("list"), "\(error)")
    }

    @Test(arguments: ["list.jpg", "list.tga"]) func aListIsRefusedUnderAnyName(_ name: String) throws {
        let folder = try ClipFolder()
        try folder.write("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\na.ts\n".utf8, to: name)
        let error = try #require(try streamError { _ = try folder.reader(name) })
        #expect(error.code == .unsupported)
        #expect(error.description.contains("list of other files"), "\(error)")
    }
}
