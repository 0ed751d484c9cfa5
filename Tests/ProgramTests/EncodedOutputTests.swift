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

    @Test(
        "A file of 10 bits in BT.2020 has the colours of its inputs, drawn by each renderer", arguments: ["cpu", "gpu"])
    func deep(_ renderer: String) throws {
        let folder = TemporaryFolder()
        // Y, Cb and Cr of BT.709 in limited range.
        let colors: [[UInt8]] = [[63, 102, 240], [173, 42, 26], [32, 240, 118], [126, 128, 128], [180, 100, 150]]
        let size = VideoSize(width: 64, height: 48)
        for (index, color) in colors.enumerated() {
            let planes = zip(color, [64 * 48, 32 * 24, 32 * 24]).flatMap { [UInt8](repeating: $0, count: $1) }
            let header = "YUV4MPEG2 W64 H48 F10:1 Ip C420jpeg\nFRAME\n"
            _ = folder.write("\(index).y4m", Array(header.utf8) + planes)
        }
        for (index, color) in colors.enumerated() {
            let run = try Run(
                [
                    "render", "\(index).y4m?matrix=bt709", "--renderer", renderer, "-o", "a.mkv", "--colorspace",
                    "bt2020",
                    "--codec", "ffv1",
                ], in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            let reader = try MediaReader(.file(path: "\(folder.path)/a.mkv"))
            #expect(reader.info.colorSpace == ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020))
            let frame = try #require(try reader.next())
            #expect(frame.planes.format == .i010 && frame.planes.size == size)
            let (y, cb, cr) = (
                (Double(color[0]) - 16) / 219, (Double(color[1]) - 128) / 224, (Double(color[2]) - 128) / 224
            )
            let code = [y + 1.5748 * cr, y - 0.1873 * cb - 0.4681 * cr, y + 1.8556 * cb]
            let light = code.map { pow(max(0, $0), 2.4) }
            // BT.2087, M2: BT.709 to BT.2020.
            let rows = [[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]]
            let shown = rows.map { row in pow(zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }, 1 / 2.4) }
            let luma = 0.2627 * shown[0] + 0.678 * shown[1] + 0.0593 * shown[2]
            let expected = [
                64 + 876 * luma, 512 + 896 * (shown[2] - luma) / 1.8814, 512 + 896 * (shown[0] - luma) / 1.4746,
            ]
            for (plane, row) in [(0, 20), (1, 10), (2, 10)] {
                let code = frame.planes.withRow(row, ofPlane: plane) {
                    Double(Int($0[16]) | Int($0[17]) << 8)
                }
                #expect(abs(code - expected[plane]) <= 1, "\(color), \(plane): \(code), not \(expected[plane])")
            }
        }
    }

    @Test("HEVC says nothing, and has the name that all players know", arguments: ["a.mp4", "a.mov"])
    func hevc(_ name: String) throws {
        let folder = TemporaryFolder()
        let run = try Run(
            ["render", "test:clock", "--size", "320x180", "--frames", "3", "--codec", "hevc", "-o", name],
            in: folder.path)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(try folder.read(name).firstRange(of: Array("hvc1".utf8)) != nil)
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
            (["-o", "a.mp4", "--depth", "9"], "8 or 10"), (["-o", "a.png", "--depth", "10"], "--depth is for .mp4"),
            (["-o", "a.mp4", "--depth", "8", "--colorspace", "bt2020"], "choose 10, or bt709"),
            (["-o", "a.mkv", "--codec", "mjpeg", "--depth", "10"], "8 bits"),
            (["-o", "a.mp4", "--codec", "mpeg2"], "ffv1"), (["-o", "-", "--codec", "h264"], "--codec is for"),
        ])
    func refusals(_ options: [String], _ text: String) throws {
        let folder = TemporaryFolder()
        let run = try Run(["render", "test:clock", "--frames", "1"] + options, in: folder.path)
        #expect(run.status == 64 && run.errors.joined().contains(text), "\(run.status) \(run.errors)")
        #expect(try folder.names.isEmpty)
    }
}
