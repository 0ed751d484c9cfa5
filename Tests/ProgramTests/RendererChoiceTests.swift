import Foundation
import GLRendering
import MediaIO
import PNGFile
import TestSupport
import Testing

@testable import vitrail

/// Which renderer draws, and `vitrail bench`.
@Suite(.timeLimit(.minutes(25)))
struct RendererChoiceTests {
    private static let withoutOpenGL = ["__EGL_VENDOR_LIBRARY_FILENAMES": "/dev/null"]

    @Test("Both renderers draw the same picture")
    func samePicture() throws {
        let folder = TemporaryFolder()
        let inputs = [
            "test:bars", "test:zoneplate?rotate=90&label=label", "test:clock?mirror=horizontal", "nowhere.mp4",
            "test:gradient?format=p010&transfer=pq&primaries=bt2020", "test:bars?effect=sepia",
        ]
        let pictures = try ["cpu", "gpu"].map { renderer in
            // With one filter: the automatic one begins to antialias earlier on a GPU.
            let run = try Run(
                ["render"] + inputs
                    + ["--renderer", renderer, "--filter", "bilinear", "--size", "641x479", "-o", "a.png"],
                in: folder.path)
            #expect(run.status == 1 && run.errors.count == 1, "\(run.errors)")
            return try PNG.read("\(folder.path)/a.png").rgba
        }
        // HDR is converted by different powers.
        let worst = zip(pictures[0], pictures[1]).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
        #expect(worst <= 2)
        #expect(zip(pictures[0], pictures[1]).count { abs(Int($0) - Int($1)) > 1 } < 20)
        #expect(Set(pictures[0]).count > 200)
    }

    @Test("The CPU needs no OpenGL, and says why it draws")
    func withoutOpenGL() throws {
        let folder = TemporaryFolder()
        for renderer in ["auto", "cpu"] {
            let run = try Run(
                ["render", "test:bars", "--renderer", renderer, "--verbose", "-o", "\(renderer).png"], in: folder.path,
                environment: Self.withoutOpenGL)
            #expect(run.status == 0)
            #expect(run.errors.contains { $0.contains("drawn by CPU") }, "\(run.errors)")
        }
        #expect(try folder.read("auto.png") == folder.read("cpu.png"))
        let info = try Run(["info", "--json"], environment: Self.withoutOpenGL)
        let report = try JSONDecoder().decode(MachineReport.self, from: Data(info.output))
        #expect(info.status == 0 && report.openGL == nil && report.renderer.kind == "cpu")
        #expect(report.openGLProblem?.contains("tried") == true && !report.renderer.reason.isEmpty)
    }

    @Test("An effect without OpenGL is a failure that says so")
    func effectWithoutOpenGL() throws {
        let folder = TemporaryFolder()
        let run = try Run(
            ["render", "test:bars", "--effect", "blur", "-o", "a.png"], in: folder.path,
            environment: Self.withoutOpenGL)
        #expect(run.status == 1)
        #expect(run.errors.count == 1 && run.errors[0].contains("effects need OpenGL"), "\(run.errors)")
    }

    @Test("info says which renderer draws", arguments: ["cpu", "gpu"])
    func info(_ renderer: String) throws {
        let run = try Run(["info", "--renderer", renderer, "--json"])
        let report = try JSONDecoder().decode(MachineReport.self, from: Data(run.output))
        #expect(report.renderer.kind == renderer && report.renderer.reason == "it was asked for")
        #expect(renderer == "cpu" || report.renderer.name == report.openGL?.renderer)
    }

    @Test("Every way of uploading gives the same picture, and is named", arguments: UploadMethod.allCases)
    func upload(_ method: UploadMethod) throws {
        let folder = TemporaryFolder()
        // A generator, a decoder.
        try Clips.encode("clip.mp4", in: folder.path)
        func render(_ name: String, _ options: [String]) throws -> Run {
            let inputs = ["test:bars", "clip.mp4"]
            return try Run(
                ["render"] + inputs
                    + ["--size", "320x180", "--frames", "10", "-o", name, "--renderer", "gpu", "--verbose"] + options,
                in: folder.path)
        }
        #expect(try render("a.y4m", []).status == 0)
        let run = try render("b.y4m", ["--upload", method.rawValue])
        #expect(run.status == 0, "\(run.errors)")
        let words = method == .auto ? "upload " : "upload \(method) (it was asked for)"
        #expect(run.errors.contains { $0.contains(words) }, "\(run.errors)")
        let isSame = try folder.read("a.y4m") == folder.read("b.y4m")
        #expect(isSame)
        let info = try Run(["info", "--renderer", "gpu", "--upload", method.rawValue])
        #expect(info.text.contains(method == .auto ? "upload" : "(it was asked for)"), "\(info.text)")
    }

    @Test("One processor is one thread")
    func oneProcessor() throws {
        let program = try RunningProgram.url(of: "vitrail").path(percentEncoded: false)
        // The first processor that this process may use.
        let line = "taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[,-].*//') '\(program)' info --renderer cpu"
        let run = try RunningProgram(executable: "/bin/bash", ["-c", line]).finish()
        #expect(run.status == 0 && run.text.contains("1 thread ("), "\(run.text) \(run.errors)")
    }

    // MARK: vitrail bench

    @Test("bench measures every workload on both renderers", arguments: ["cpu", "gpu"])
    func bench(_ renderer: String) throws {
        let run = try Run(["bench", "--renderer", renderer, "--repetitions", "1", "--frames", "2", "--json"])
        #expect(run.status == 0, "\(run.errors)")
        let reports = try JSONDecoder().decode([BenchReport].self, from: Data(run.output))
        #expect(reports.map(\.workload) == ["W1", "W2", "W3", "W4", "W5"])
        for report in reports {
            #expect(report.renderer == renderer && report.cpuMillisecondsPerFrame > 0, "\(report)")
            if renderer == "cpu" { #expect(report.gpuMillisecondsPerFrame == nil) }
            #expect(report.framesPerSecond > 0 && report.peakMemoryMiB > 0 && report.startupMilliseconds > 0)
        }
        // One new frame of sixteen: 640 x 360 samples and a half.
        #expect(reports.map(\.uploadBytesPerFrame) == [3_110_400, 5_529_600, 5_529_600, 345_600, 12_441_600])
    }

    @Test(
        "bench finds the most streams whose pictures are in time", arguments: [0, 1, 3, 4, 100, 255, 700, 1024, 5000])
    func limit(_ most: Int) {
        func p99(_ streams: Int) -> Double { streams <= most ? 33 : 33.1 }
        let points = BenchLimits.counts.map {
            BenchLimits.Point(streams: $0, wallMillisecondsMedian: 1, wallMillisecondsP99: p99($0))
        }
        let found = BenchLimits.limit(points, p99)
        #expect(found <= most && found >= min(most, 1024) * 98 / 100 - 1, "\(found)")
    }

    @Test("A stream has the frames of its turns", arguments: [1, 3, 5, 8])
    func turns(_ newFrames: Int) {
        let workload = BenchWorkload(
            streams: 8, format: .i420, size: VideoSize(width: 2, height: 2), output: VideoSize(width: 8, height: 8),
            newFrames: newFrames)
        for stream in 0..<8 {
            var last = workload.frame(stream, at: 0)
            for picture in 1..<50 {
                let frame = workload.frame(stream, at: picture)
                #expect(frame - last == (workload.isNew(stream, at: picture) ? 1 : 0))
                last = frame
            }
        }
        #expect((0..<50).allSatisfy { picture in (0..<8).count { workload.isNew($0, at: picture) } == newFrames })
    }

    @Test("bench draws frames from files, and writes the fourth picture")
    func frames() throws {
        let folder = TemporaryFolder()
        // Five grey frames.
        let bytes = (0..<5).flatMap { number -> [UInt8] in
            [UInt8](repeating: UInt8(16 + 40 * number), count: 1920 * 1080)
                + [UInt8](repeating: 128, count: 1920 * 1080 / 2)
        }
        _ = folder.write("W1_00.yuv", bytes)
        let run = try Run(
            [
                "bench", "w1", "--frames-from", ".", "--picture", "a.rgba", "--repetitions", "1", "--frames", "1",
                "--renderer", "cpu",
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let picture = try folder.read("a.rgba")
        // (136 - 16) / 219 of 255.
        #expect(picture.count == 1920 * 1080 * 4 && Array(picture[..<4]) == [140, 140, 140, 255])
    }

    @Test("bench draws a workload that the caller describes")
    func ownWorkload() throws {
        let run = try Run([
            "bench", "--streams", "3", "--size", "64x36", "--format", "nv21", "--output-size", "100x60",
            "--repetitions", "1", "--frames", "1", "--threads", "1", "--renderer", "cpu",
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.text.contains("3x64x36-nv21") && run.text.contains("1 thread ("), "\(run.text)")
    }

    @Test(
        "Wrong options are 64",
        arguments: [
            ["W6"], ["--streams", "0"], ["--frames", "0"], ["--format", "nothing", "--streams", "1"],
            ["W1", "--streams", "2"], ["W1", "--limits"],
            ["--limits", "--streams", "2"], ["--picture", "a.rgba"], ["--renderer", "vulkan"],
            ["--upload", "pigeon"], ["--streams", "1", "--size", "4000000000x4000000000"],
            ["--streams", "1", "--output-size", "16385x20"], ["--size", "64x36"], ["W1", "--format", "nv12"],
        ])
    func usage(_ arguments: [String]) throws {
        let run = try Run(["bench"] + arguments)
        #expect(run.status == 64 && run.errors.count == 1, "\(run.errors)")
    }

    @Test("Missing frames end with status 66")
    func missingFrames() throws {
        let folder = TemporaryFolder()
        _ = folder.write("W1_00.yuv", [1, 2, 3])
        for name in ["W1", "W2"] {
            let run = try Run(["bench", name, "--frames-from", "."], in: folder.path)
            #expect(run.status == 66 && run.errors.count == 1, "\(run.errors)")
        }
    }
}
