import FFmpegMedia
import MediaIO
import Testing

/// The decoder's memory is lent, and does not change while a buffer lends it.
@Suite struct LendingTests {
    @Test(arguments: [1, 4]) func framesOutliveTheirReader(_ threads: Int) throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", size: "35x23", frames: 20, ["-c:v", "mpeg4"])
        let expected = try folder.decodedBytes("a.mp4")
        var options = MediaReader.Options()
        options.threadCount = threads
        var reader: MediaReader? = try MediaReader(folder.location("a.mp4"), options: options)
        let frames = try readAll(try #require(reader))
        reader = nil
        #expect(frames.flatMap(\.packedBytes) == expected)
    }

    /// A released buffer is lent again; a retained one keeps its frame.
    @Test func buffersAreUsedAgain() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", size: "64x48", frames: 60, DecodingTests.h264)
        let reader = try folder.reader("a.mp4")
        let held = try #require(try reader.next())
        let bytes = held.packedBytes
        var buffers: Set<ObjectIdentifier> = []
        var count = 0
        while let frame = try reader.next() {
            buffers.insert(ObjectIdentifier(frame.planes))
            count += 1
        }
        #expect(count == 59)
        // One is being read here while the next is decoded.
        #expect(buffers.count <= 2)
        #expect(!buffers.contains(ObjectIdentifier(held.planes)))
        #expect(held.packedBytes == bytes)
    }

    /// The rows that a decoder makes are wider than the picture; nothing between them is read.
    @Test func rowsKeepTheDecodersPadding() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", size: "50x38", frames: 1, DecodingTests.h264)
        let frame = try #require(try folder.reader("a.mp4").next())
        // A packed copy would have 64 bytes for both.
        frame.planes.withPlane(0) { #expect($0.bytesPerRow > 64) }
        frame.planes.withPlane(1) { #expect($0.bytesPerRow >= 25) }
    }

    /// Bitmaps in AVI are stored with the last row first: FFmpeg hands them out with rows that go backwards.
    @Test func pictureStoredUpsideDownIsLent() throws {
        let folder = try ClipFolder()
        try folder.makeClip(
            "a.avi", size: "35x23", ["-c:v", "rawvideo", "-pix_fmt", "bgr24", "-flipped_raw_rgb", "1"])
        let frames = try readAll(try folder.reader("a.avi"))
        #expect(frames.count == 10)
        for frame in frames { frame.planes.withPlane(0) { #expect($0.bytesPerRow < 0) } }
        #expect(frames.flatMap(\.packedBytes) == (try folder.decodedBytes("a.avi", pixelFormat: "bgr24")))
    }

    /// AMV is encoded bottom-up, and flipped by the decoder.
    @Test func pictureCodedUpsideDownIsUpright() throws {
        let folder = try ClipFolder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25", "-f", "lavfi", "-i", "sine=1000:r=22050", "-t", "0.4",
            "-c:v", "amv", "-c:a", "adpcm_ima_amv", "-ac", "1", "-ar", "22050", "-block_size", "882",
            folder.file("a.amv"),
        ])
        let frames = try readAll(try folder.reader("a.amv"))
        #expect(frames.count == 10)
        #expect(frames.flatMap(\.packedBytes) == (try folder.decodedBytes("a.amv", pixelFormat: "yuvj420p")))
    }
}
