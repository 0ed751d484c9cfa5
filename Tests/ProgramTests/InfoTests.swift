import Foundation
import MediaIO
import TestSupport
import Testing
import VideoSources

@testable import vitrail

/// What `vitrail info` and `vitrail formats` print.
@Suite(.timeLimit(.minutes(25)))
struct InfoTests {
    @Test("formats lists everything that the program supports")
    func formats() throws {
        let run = try Run(["formats", "--json"])
        #expect(run.status == 0)
        let report = try JSONDecoder().decode(FormatsReport.self, from: Data(run.output))
        #expect(report.pixelFormats.map(\.name) == PixelFormat.allCases.map(\.rawValue))
        #expect(report.pixelFormats.first { $0.name == "nv12" }?.planes == 2)
        #expect(report.pixelFormats.first { $0.name == "y210" }?.subsampling == "4:2:2")
        #expect(report.pixelFormats.first { $0.name == "i010" }?.names["ffmpeg"] == ["yuv420p10le"])
        #expect(report.testPatterns.map(\.name) == TestPattern.allCases.map(\.rawValue))
        #expect(report.options.map(\.name) == InputOption.allCases.map(\.rawValue))
        let text = try Run(["formats"]).text
        for pattern in TestPattern.allCases { #expect(text.contains("test:\(pattern.rawValue)")) }
        let table = text.split(separator: "\n").drop { !$0.hasPrefix("Format") }
        #expect(table.count == PixelFormat.allCases.count + 1)
        #expect(table.allSatisfy { $0.utf8.count <= 80 })
    }

    @Test("A format is found by any of its names")
    func namedFormats() throws {
        let run = try Run(["formats", "--json", "webrtc:ARGB", "YUYV"])
        #expect(run.status == 0)
        let formats = try JSONDecoder().decode([String: [FormatsReport.Format]].self, from: Data(run.output))
        #expect(formats["pixelFormats"]?.map(\.name) == ["bgra32", "yuyv"])
        #expect(try Run(["formats", "p010"]).text.contains("VIDEO_CVPIXEL_P010"))
    }

    @Test("A name that implies colours sets them, unless an option sets others")
    func impliedColors() throws {
        let folder = TemporaryFolder()
        _ = folder.write("a.yuv", [UInt8](repeating: 0, count: 8 * 4 * 2))
        let names = ["yuvj422p", "yuvj422p&range=limited", "HDYC", "matrix=fcc&format=hdyc", "UYVY"]
        let run = try Run(
            ["info", "--json"] + names.map { "a.yuv?size=8x4&" + ($0.contains("format") ? $0 : "format=" + $0) },
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let reports = try JSONDecoder().decode([String: [InputReport]].self, from: Data(run.output))["inputs"] ?? []
        #expect(reports.map(\.range) == ["full", "limited", "limited", "limited", "limited"])
        #expect(reports.map(\.chromaLocation) == ["center", "center", "left", "left", "left"])
        #expect(reports.map(\.matrix) == ["bt601", "bt601", "bt709", "fcc", "bt601"])
        #expect(reports.map(\.primaries).suffix(3) == ["bt709", "bt709", "bt601Lines525"])
        #expect(try Run(["formats", "i422"]).text.contains("yuv422p yuvj422p (range=full&chroma=center)"))
        #expect(try Run(["formats", "uyvy"]).text.contains("HDYC (matrix=bt709&primaries=bt709)"))
    }

    @Test("An unknown name is rejected with similar ones", arguments: [["formats"], ["info"]])
    func unknownFormat(_ command: [String]) throws {
        let run = try Run(command + [command == ["info"] ? "test:bars?format=yuv420q" : "yuv420q"])
        #expect(run.status == 64)
        #expect(run.errors.count == 1)
        #expect(run.errors[0].contains("yuv420p") && run.errors[0].contains("vitrail formats lists all"))
        #expect(run.output.isEmpty)
    }

    @Test("Options override the stream, and the size follows the crop")
    func overrides() throws {
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", Clips.y4m(frames: 1, shape: "2:1"))
        _ = folder.write("a.yuv", [UInt8](repeating: 0, count: 16 * 16 * 3))
        let options = "matrix=smpte240m&range=full&primaries=dciP3&transfer=gamma28&chroma=bottom&crop=10x6+3+1"
        let run = try Run(
            [
                "info", "--json", "a.y4m?\(options)&rotate=90",
                // Raw planes are untagged: the rest follows from the options, as if they were the stream's tags.
                "a.yuv?size=16x16&format=i010&transfer=pq", "test:bars?format=v210&range=full",
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let reports = try JSONDecoder().decode([String: [InputReport]].self, from: Data(run.output))["inputs"] ?? []
        try #require(reports.count == 3)
        let (file, planes, pattern) = (reports[0], reports[1], reports[2])
        #expect(
            [file.matrix, file.range, file.primaries, file.transfer, file.chromaLocation]
                == ["smpte240m", "full", "dciP3", "gamma28", "bottom"])
        #expect((file.width, file.height, file.displayWidth, file.displayHeight) == (32, 16, 6, 20))
        #expect(
            [planes.matrix, planes.range, planes.primaries, planes.transfer, planes.chromaLocation]
                == ["bt2020", "limited", "bt2020", "pq", "topLeft"])
        #expect(pattern.range == "full" && pattern.format == "v210")
        #expect(file.crop == "10x6+3+1" && planes.crop == nil)
    }

    @Test("A raw file's format is its extension, unless an option sets another")
    func endings() throws {
        let folder = TemporaryFolder()
        for name in ["a.yuyv", "a.uyvy"] { _ = folder.write(name, [UInt8](repeating: 0, count: 8 * 4 * 2)) }
        let run = try Run(
            ["info", "--json", "a.yuyv?size=8x4&sar=2:1", "a.uyvy?size=8x4&format=yuyv"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let reports = try JSONDecoder().decode([String: [InputReport]].self, from: Data(run.output))["inputs"] ?? []
        #expect(reports.map(\.format) == ["yuyv", "yuyv"])
        #expect(reports.map(\.displayWidth) == [16, 8])
    }

    @Test("A crop outside a stream's frames makes the input fail to open")
    func cropBeyond() throws {
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", Clips.y4m(frames: 1))
        let run = try Run(["info", "a.y4m?crop=32x16+0+1"], in: folder.path)
        #expect(run.status == 66)
        #expect(run.errors.count == 1 && run.errors[0].contains("32x16+0+1 does not fit in it"), "\(run.errors)")
    }

    @Test("info without an input describes the renderers")
    func machine() throws {
        let run = try Run(["info", "--json"])
        #expect(run.status == 0, "\(run.errors)")
        let report = try JSONDecoder().decode(MachineReport.self, from: Data(run.output))
        #expect(report.version == Vitrail.version)
        let openGL = try #require(report.openGL)
        #expect(openGL.maximumTextureSize >= 1024)
        let text = try Run(["info"]).text
        #expect(text.contains(openGL.renderer) && text.contains(report.renderer.name))
    }

    @Test("info describes inputs with options applied")
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

    @Test("An input is described although another one cannot be opened")
    func some() throws {
        let run = try Run(["info", "missing.y4m", "test:bars"])
        #expect(run.status == 1)
        #expect(run.errors.count == 1)
        #expect(run.text.hasPrefix("test:bars\n") && run.text.contains("1280x720"))
    }
}
