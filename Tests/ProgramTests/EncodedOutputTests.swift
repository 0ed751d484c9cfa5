import FFmpegMedia
import Glibc
import MediaIO
import TestSupport
import Testing
import VideoSources

/// Encoded files that `vitrail render` writes.
@Suite(.timeLimit(.minutes(25)))
struct EncodedOutputTests {
    @Test(
        "A lossless file has the samples of the Y4M",
        arguments: [["a.mkv", "--codec", "ffv1"], ["a.mp4", "--lossless", "--tune", "live"]])
    func lossless(_ output: [String]) throws {
        let folder = TemporaryFolder()
        // From 720 lines on, Y4M is BT.709, too.
        let wall = ["render", "test:clock", "test:zoneplate", "--size", "1280x720", "--fps", "10", "--frames", "5"]
        for output in [["a.y4m"], output] {
            let run = try Run(wall + ["-o"] + output, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
        }
        let encoded = try MediaReader(.file(path: "\(folder.path)/\(output[0])"))
        let raw = try Y4MReader(path: "\(folder.path)/a.y4m")
        #expect(encoded.info.colorSpace == ColorSpace(matrix: .bt709, range: .limited))
        #expect(encoded.info.chromaLocation == .center && encoded.info.frameRate == Rational(10))
        var count = 0
        while let expected = try raw.next(), let frame = try encoded.next() {
            #expect(frame.presentationTime == .milliseconds(100) * count)
            #expect(frame.planes.packedBytes.elementsEqual(expected.planes.packedBytes), "picture \(count)")
            count += 1
        }
        #expect(count == 5)
        #expect(try encoded.next() == nil)
    }

    @Test("The same inputs give the same bytes", arguments: ["a.mp4", "a.mkv", "a.webm", "a.ts"])
    func sameBytes(_ name: String) throws {
        let bytes = try (0..<2).map { _ in
            let folder = TemporaryFolder()
            let run = try Run(
                ["render", "test:clock", "--size", "320x180", "--frames", "12", "-o", name], in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            return try folder.read(name)
        }
        #expect(bytes[0] == bytes[1] && bytes[0].count > 1000)
    }

    @Test("A file is not both the input and the output", arguments: ["a.y4m", "./b.y4m"])
    func loop(_ output: String) throws {
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", Clips.y4m(frames: 2))
        try #require(symlink("a.y4m", "\(folder.path)/b.y4m") == 0)
        let run = try Run(["render", "a.y4m", "-o", output], in: folder.path)
        #expect(run.status == 64 && run.errors.joined().contains("both the input a.y4m"), "\(run.errors)")
        #expect(try folder.read("a.y4m") == Clips.y4m(frames: 2))
    }

    @Test(
        "What cannot be encoded is refused before a file is there",
        arguments: [
            (["-o", "a.png", "--crf", "3"], "--crf is for .mp4"), (["-o", "a.webm", "--codec", "h264"], "vp9"),
            (["-o", "a.mp4", "--crf", "60"], "0 (best) to 51"),
            (["-o", "a.mp4", "--crf", "20", "--lossless"], "exclude each other"),
            (["-o", "a.mp4", "--bitrate", "4X"], "4X"), (["-o", "a.mp4", "--gop", "0"], "--gop"),
            (["-o", "a.mp4", "--codec", "mpeg2"], "ffv1"), (["-o", "-", "--codec", "h264"], "--codec is for"),
        ])
    func refusals(_ options: [String], _ text: String) throws {
        let folder = TemporaryFolder()
        let run = try Run(["render", "test:clock", "--frames", "1"] + options, in: folder.path)
        #expect(run.status == 64 && run.errors.joined().contains(text), "\(run.status) \(run.errors)")
        #expect(try folder.names.isEmpty)
    }
}
