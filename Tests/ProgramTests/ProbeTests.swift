import Foundation
import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// The output of `vitrail probe`.
@Suite(.timeLimit(.minutes(25)))
struct ProbeTests {
    static let small = "fewer than 1280 columns, at most 576 rows"

    @Test("Tags, the values used and why, with options applied")
    func explains() throws {
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", Clips.y4m(frames: 1))
        let run = try Run(
            ["probe", "--json", "a.y4m", "a.y4m?matrix=bt2020&range=full&chroma=top", "test:bars"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let reports = try JSONDecoder().decode([String: [ProbeReport]].self, from: Data(run.output))["inputs"] ?? []
        try #require(reports.count == 3)
        #expect(reports[0].format == "i420" && reports[0].width == 32 && reports[0].height == 16)
        #expect(reports[0].crop == nil && reports[0].brightness == nil)
        #expect(reports[0].colors.map(\.part) == ["matrix", "range", "primaries", "transfer", "chroma"])
        #expect(reports[0].colors[0].taken == "bt601" && reports[0].colors[0].reason == "untagged; " + Self.small)
        for (part, value) in [(0, "bt2020"), (1, "full"), (4, "top")] {
            #expect(reports[1].colors[part].taken == value)
            #expect(reports[1].colors[part].reason == "set on the command line")
        }
        #expect(reports[1].colors[4].said == "center")
        #expect(
            reports[1].colors[2].reason == "other values set on the command line say BT.2020, PQ or HLG"
                && reports[1].colors[2].said == nil)
        #expect(reports[2].colors[0].taken == "bt709")
        let table = try Run(["probe", "a.y4m?range=full"], in: folder.path).text
        #expect(table.hasPrefix("a.y4m?range=full\n"))
        #expect(table.contains("set on the command line") && table.contains("conversion  none"))
        let exact = try Run(["probe", "a.y4m", "--color", "exact"], in: folder.path).text
        #expect(exact.contains("conversion  bt601Lines525 bt709 to bt709 sRGB"), "\(exact)")
    }

    @Test("High dynamic range: the brightness metadata and the conversion")
    func brightness() throws {
        let size = VideoSize(width: 64, height: 32)
        let buffer = try PixelBuffer(format: .p010, size: size) { planes in
            for index in 0..<planes.count {
                planes.withPlane(index) { $0.update(repeating: 0) }
            }
        }
        var frame = VideoFrame(
            buffer,
            attributes: FrameAttributes(
                colorTags: ColorTags(matrix: .bt2020, transfer: .pq),
                crop: Rectangle(x: 2, y: 4, width: 60, height: 20),
                hdrMetadata: HDRMetadata(maximumLuminance: 1000, minimumLuminance: 0.005, maximumContentLight: 800)))
        var report = ProbeReport(input: "x", frame: frame)
        #expect(report.conversion == "bt2020 pq to bt709 sRGB, tone mapped from 800 cd/m²")
        #expect(report.brightness?.words == "mastering display up to 1000, down to 0.005, MaxCLL 800 cd/m²")
        #expect(report.rows.contains(["shown", "60x20 at 2,4"]))
        #expect(report.colors[0].said == "bt2020" && report.colors[2].said == nil && report.colors[2].taken == "bt2020")
        frame.attributes.colorTags.transfer = .hlg
        #expect(
            ProbeReport(input: "x", frame: frame).conversion
                == "bt2020 hlg to bt709 sRGB, tone mapped from 1000 cd/m²")
        frame.attributes.hdrMetadata = HDRMetadata(maximumLuminance: 1000, maximumContentLight: 20_000)
        report = ProbeReport(input: "x", frame: frame)
        #expect(
            report.brightness?.words == "mastering display up to 1000, MaxCLL 20000 (not used: above 10000) cd/m²")
        frame.attributes.hdrMetadata = HDRMetadata()
        report = ProbeReport(input: "x", frame: frame)
        #expect(report.conversion.hasPrefix("bt2020 hlg to bt709 sRGB, tone mapped from "))
        #expect(report.brightness?.words == "not specified")
        frame.attributes.colorTags.primaries = .bt709
        frame.attributes.colorTags.transfer = .linear
        report = ProbeReport(input: "x", frame: frame)
        #expect(report.conversion == "transfer linear to sRGB")
        frame.attributes.colorTags.primaries = .bt2020
        frame.attributes.colorTags.transfer = .bt709
        report = ProbeReport(input: "x", frame: frame)
        #expect(report.conversion == "primaries bt2020 to bt709")
    }

    /// The parts of an input by name.
    private func probe(_ input: String, in folder: borrowing TemporaryFolder) throws -> [String: ProbeReport.Part] {
        let run = try Run(["probe", "--json", input], in: folder.path)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let reports = try JSONDecoder().decode([String: [ProbeReport]].self, from: Data(run.output))["inputs"] ?? []
        return Dictionary(uniqueKeysWithValues: try #require(reports.first).colors.map { ($0.part, $0) })
    }

    @Test("Every value has its true origin")
    func origins() throws {
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", Clips.y4m(frames: 1))
        _ = folder.write("a.yuv", [UInt8](repeating: 0, count: 16 * 8 * 3))
        try Clips.encode("a.mp4", in: folder.path)
        let picture = ["-f", "lavfi", "-i", "testsrc2=size=64x48", "-frames:v", "1"]
        try Clips.ffmpeg(
            picture + ["-c:v", "libx264", "-colorspace", "ictcp", "-color_trc", "log100", "b.mkv"], in: folder.path)
        try Clips.ffmpeg(
            picture + ["-c:v", "v210", "-pix_fmt", "yuv422p10le", "-color_range", "pc", "c.mkv"], in: folder.path)
        try Clips.ffmpeg(picture + ["-c:v", "mjpeg", "a.avi"], in: folder.path)
        let bt709 = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
        try Clips.ffmpeg(picture + ["-c:v", "mjpeg"] + bt709 + ["-movflags", "write_colr", "a.mov"], in: folder.path)
        let typed = "set on the command line"
        let implied = "other values set on the command line say BT.2020, PQ or HLG"
        let rows: [(input: String, part: String, said: String?, taken: String, reason: String)] = [
            ("a.y4m", "chroma", "center", "center", "tagged by the stream"),
            ("a.mp4", "chroma", "left or none", "left", "as in MPEG-2 and H.264"),
            ("a.mp4?chroma=top", "chroma", "left or none", "top", typed),
            ("a.mp4?transfer=pq", "chroma", "left or none", "topLeft", implied),
            ("a.avi", "matrix", nil, "bt601", "inferred by the decoder"),
            ("a.mov", "matrix", "bt709", "bt601", "inferred by the decoder, instead of the container's tag"),
            ("a.mov", "chroma", nil, "center", "inferred by the decoder"),
            ("a.avi", "range", nil, "full", "inferred by the decoder"),
            ("a.avi", "chroma", nil, "center", "inferred by the decoder"),
            ("a.yuv?size=16x8&format=i444&transfer=pq", "matrix", nil, "bt2020", implied),
            ("a.yuv?size=16x8&format=i444&transfer=pq", "transfer", nil, "pq", typed),
            ("test:bars?transfer=pq", "matrix", nil, "bt2020", implied),
            ("test:bars?transfer=pq", "transfer", nil, "pq", typed),
            ("test:bars?transfer=pq", "chroma", nil, "topLeft", implied),
            ("a.yuv?size=16x8&format=yuvj444p", "range", nil, "full", "implied by the name of the format"),
            ("a.yuv?size=16x8&format=yuvj420p", "chroma", nil, "center", "implied by the name of the format"),
            ("a.yuv?size=16x8&format=yuvj444p&range=limited", "range", nil, "limited", typed),
            ("test:bars?format=hdyc", "matrix", nil, "bt709", "implied by the name of the format"),
            (
                "test:bars?format=rgb565&range=limited", "range", nil, "full",
                typed + ", but not used: limited range needs 8 bits or more"
            ),
            (
                "test:bars?format=rggb8&matrix=bt709", "matrix", nil, "rgb",
                typed + ", but not used: the format has no Cb and Cr"
            ),
            ("test:bars?format=gray8", "transfer", nil, "bt709", "untagged; the format is gray"),
            ("b.mkv", "matrix", "ictcp (no equivalent)", "bt601", Self.small),
            ("b.mkv", "transfer", "log100 (no equivalent)", "bt709", "the format is YCbCr"),
            ("b.mkv?matrix=bt2020", "matrix", "ictcp (no equivalent)", "bt2020", typed),
            ("c.mkv", "range", "full (impossible in v210)", "limited", "the format is YCbCr"),
            ("c.mkv?range=full", "range", "full (impossible in v210)", "full", typed),
        ]
        for row in rows {
            let part = try probe(row.input, in: folder)[row.part]
            #expect(part?.said == row.said, "\(row.input) \(row.part)")
            #expect(part?.taken == row.taken, "\(row.input) \(row.part)")
            #expect(part?.reason == row.reason, "\(row.input) \(row.part)")
        }
    }

    @Test("Tags that cannot be used are warned of once, unless options replace them")
    func warnings() throws {
        let folder = TemporaryFolder()
        try Clips.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=size=64x48", "-frames:v", "3", "-c:v", "libx264", "-colorspace", "ictcp",
                "-color_trc", "log100", "a.mkv",
            ], in: folder.path)
        func render(_ input: String) throws -> [String] {
            let run = try Run(
                ["render", input, "--frames", "6", "--size", "32x24", "--output", "a.y4m"], in: folder.path)
            #expect(run.status == 0)
            return run.errors
        }
        let errors = try render("a.mkv?loop")
        #expect(errors.count == 2, "\(errors)")
        let matrix = "a.mkv: the tag matrix=ictcp (no equivalent) is drawn as bt601; add ?matrix= to choose another."
        #expect(errors.contains { $0.contains(matrix) }, "\(errors)")
        let transfer = "the tag transfer=log100 (no equivalent) is drawn as bt709"
        #expect(errors.contains { $0.contains(transfer) }, "\(errors)")
        #expect(try render("a.mkv?matrix=bt2020").count == 1)
        #expect(try render("a.mkv?matrix=bt2020&transfer=sRGB").isEmpty)
        #expect(try render("test:bars").isEmpty)
    }

    @Test("An input is probed although another one cannot be opened")
    func some() throws {
        let folder = TemporaryFolder()
        _ = folder.write("empty.y4m", Clips.y4m(frames: 0))
        let run = try Run(["probe", "empty.y4m", "test:bars"], in: folder.path)
        #expect(run.status == 1)
        #expect(run.errors.count == 1)
        #expect(run.text.hasPrefix("test:bars\n"))
        let none = try Run(["probe", "missing.y4m", "empty.y4m"], in: folder.path)
        #expect(none.status == 66)
        #expect(none.errors.count == 2 && none.output.isEmpty)
        #expect(try Run(["probe"]).status == 64)
    }
}
