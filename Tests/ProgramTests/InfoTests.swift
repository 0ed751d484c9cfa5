import Foundation
import MediaIO
import TestSupport
import Testing
import VideoSources

@testable import vitrail

/// What `vitrail info` and `vitrail formats` print.
@Suite(.timeLimit(.minutes(2)))
struct InfoTests {
    @Test("Formats name all that the program knows")
    func formats() throws {
        let run = try Run(["formats", "--json"])
        #expect(run.status == 0)
        let report = try JSONDecoder().decode(FormatsReport.self, from: Data(run.output))
        #expect(report.pixelFormats.map(\.name) == PixelFormat.allCases.map(\.rawValue))
        #expect(report.pixelFormats.first { $0.name == "nv12" }?.planes == 2)
        #expect(report.pixelFormats.allSatisfy { $0.subsampling == "4:2:0" })
        #expect(report.testPatterns.map(\.name) == TestPattern.allCases.map(\.rawValue))
        #expect(report.options.map(\.name) == InputOption.allCases.map(\.rawValue))
        let text = try Run(["formats"]).text
        for pattern in TestPattern.allCases { #expect(text.contains("test:\(pattern.rawValue)")) }
    }

    @Test("Info without an input is about OpenGL")
    func machine() throws {
        let run = try Run(["info", "--json"])
        #expect(run.status == 0, "\(run.errors)")
        let report = try JSONDecoder().decode(MachineReport.self, from: Data(run.output))
        #expect(report.version == Vitrail.version)
        #expect(report.openGL.maximumTextureSize >= 1024)
        #expect(try Run(["info"]).text.contains(report.openGL.renderer))
    }

    @Test("Info of inputs tells what they are, with the options taken into account")
    func inputs() throws {
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", Clips.y4m(frames: 5, shape: "2:1"))
        let run = try Run(
            ["info", "--json", "a.y4m", "test:bars?size=40x20&fps=30000/1001&rotate=90&range=full"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let reports = try JSONDecoder().decode([String: [InputReport]].self, from: Data(run.output))["inputs"] ?? []
        try #require(reports.count == 2)
        let (file, pattern) = (reports[0], reports[1])
        #expect(file.input == "a.y4m" && file.container == "y4m" && file.format == "i420")
        #expect((file.width, file.height, file.displayWidth, file.displayHeight) == (32, 16, 64, 16))
        #expect(file.framesPerSecond == "10" && file.durationInSeconds == 0.5 && file.pixelAspectRatio == "2:1")
        #expect((pattern.displayWidth, pattern.displayHeight, pattern.rotation) == (20, 40, 90))
        #expect(pattern.range == "full" && pattern.framesPerSecond == "30000/1001")
        #expect(pattern.durationInSeconds == nil)
    }

    @Test("What can be opened is printed although another input cannot")
    func some() throws {
        let run = try Run(["info", "missing.y4m", "test:bars"])
        #expect(run.status == 1)
        #expect(run.errors.count == 1)
        #expect(run.text.hasPrefix("test:bars\n") && run.text.contains("1280x720"))
    }
}
