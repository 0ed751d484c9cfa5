import Foundation
import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// The output of `vitrail probe`.
@Suite(.timeLimit(.minutes(2)))
struct ProbeTests {
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
        #expect(reports[0].colors[0].taken == "bt601" && reports[0].colors[0].reason.contains("below 1280x720"))
        for (part, value) in [(0, "bt2020"), (1, "full"), (4, "top")] {
            #expect(reports[1].colors[part].taken == value)
            #expect(reports[1].colors[part].reason == "set on the command line")
        }
        #expect(reports[1].colors[2].reason != "set on the command line")
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
        let tags = ColorTags(matrix: .bt2020, transfer: .pq)
        let buffer = try PixelBuffer(format: .p010, size: size) { planes in
            for index in 0..<planes.count {
                planes.withPlane(index) { $0.update(repeating: 0) }
            }
        }
        var frame = VideoFrame(
            buffer,
            attributes: FrameAttributes(
                colorSpace: tags.colorSpace(of: .p010, size: size), chromaLocation: tags.chromaLocation(of: .p010),
                crop: Rectangle(x: 2, y: 4, width: 60, height: 20),
                hdrMetadata: HDRMetadata(maximumLuminance: 1000, minimumLuminance: 0.005, maximumContentLight: 800)))
        var report = ProbeReport(input: "x", tags: tags, options: InputOptions(), frame: frame)
        #expect(report.conversion == "bt2020 pq to bt709 sRGB, tone mapped from 800 cd/m²")
        #expect(report.brightness?.words == "mastering display up to 1000, down to 0.005, MaxCLL 800 cd/m²")
        #expect(report.rows.contains(["shown", "60x20 at 2,4"]))
        #expect(report.colors[0].said == "bt2020" && report.colors[2].said == nil && report.colors[2].taken == "bt2020")
        frame.colorSpace.transfer = .hlg
        #expect(
            ProbeReport(input: "x", tags: tags, options: InputOptions(), frame: frame).conversion
                == "bt2020 hlg to bt709 sRGB, tone mapped from 1000 cd/m²")
        frame.attributes.hdrMetadata = HDRMetadata()
        report = ProbeReport(input: "x", tags: tags, options: InputOptions(), frame: frame)
        #expect(report.conversion.hasPrefix("bt2020 hlg to bt709 sRGB, tone mapped from "))
        #expect(report.brightness?.words == "not specified")
        #expect(report.colors[3].reason == "tagged by the first frame")
        frame.colorSpace.primaries = .bt709
        frame.colorSpace.transfer = .linear
        report = ProbeReport(input: "x", tags: tags, options: InputOptions(), frame: frame)
        #expect(report.conversion == "transfer linear to sRGB")
        frame.colorSpace.primaries = .bt2020
        frame.colorSpace.transfer = .bt709
        report = ProbeReport(input: "x", tags: tags, options: InputOptions(), frame: frame)
        #expect(report.conversion == "primaries bt2020 to bt709")
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
