import Foundation
import MediaIO
import PNGFile
import TestSupport
import Testing
import VideoSources

/// What `vitrail render` writes.
@Suite(.timeLimit(.minutes(25)))
struct RenderTests {
    @Test(
        "The same inputs give the same bytes",
        arguments: [
            ["--output", "a.png"], ["--output", "a.png", "--start", "0.5", "--size", "333x111"],
            ["--output", "a.y4m", "--frames", "3", "--fps", "7"],
        ])
    func sameBytes(_ options: [String]) throws {
        let inputs = ["test:bars", "test:zoneplate?rotate=90&label=a", "test:clock?mirror=horizontal&fps=10"]
        let bytes = try (0..<2).map { _ in
            let folder = TemporaryFolder()
            let run = try Run(["render"] + inputs + options, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            return try folder.read(options[1])
        }
        #expect(bytes[0] == bytes[1])
        #expect(bytes[0].count > 1000)
    }

    @Test("An input's own filter overrides the wall's")
    func filters() throws {
        let folder = TemporaryFolder()
        let pictures = try ["auto", "nearest"].flatMap { own in
            try ["auto", "nearest"].map { wall in
                let name = "\(own)-\(wall).png"
                let input = "test:zoneplate?size=640x360&filter=\(own)"
                let run = try Run(
                    ["render", input, "--filter", wall, "--size", "80x45", "--output", name], in: folder.path)
                #expect(run.status == 0, "\(run.errors)")
                return try folder.read(name)
            }
        }
        #expect(pictures[0] == pictures[1] && pictures[2] == pictures[3] && pictures[0] != pictures[2])
    }

    @Test(
        "--color converts what its name says",
        arguments: [(ColorSpace.Primaries.bt709, ColorSpace.Transfer.sRGB), (.bt601Lines525, .bt709), (.bt2020, .pq)])
    func color(_ primaries: ColorSpace.Primaries, _ transfer: ColorSpace.Transfer) throws {
        let folder = TemporaryFolder()
        _ = folder.write("a.rgb24", (0..<64).flatMap { _ in [140, 100, 60] as [UInt8] })
        let input = "a.rgb24?size=8x8&range=full&primaries=\(primaries.rawValue)&transfer=\(transfer.rawValue)"
        var colors: [[Double]] = []
        for mode in ColorConversionMode.allCases {
            let run = try Run(["render", input, "--color", mode.rawValue, "-o", "a.png"], in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            let drawn = try PNG.read("\(folder.path)/a.png").rgba[..<3].map(Double.init)
            let code = [140.0, 100, 60].map { $0 / 255 }
            let expected = ColorReference.shown(code, primaries, transfer, nil, mode).map { $0 * 255 }
            #expect(zip(drawn, expected).allSatisfy { abs($0 - $1) <= 0.6 }, "\(mode) \(drawn) \(expected)")
            colors.append(drawn)
        }
        // Nothing to convert; only for exact; only not for off.
        #expect(Set(colors).count == (primaries == .bt709 ? 1 : 2))
        #expect((colors[0] == colors[2]) == (primaries != .bt2020))
        // The default is the first.
        let run = try Run(["render", input, "-o", "b.png"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try PNG.read("\(folder.path)/b.png").rgba[..<3].map(Double.init) == colors[0])
    }

    @Test("A Y4M is rendered unchanged: same size, rate, number of pictures and grey")
    func roundTrip() throws {
        let folder = TemporaryFolder()
        _ = folder.write("in.y4m", Clips.y4m(frames: 5))
        let run = try Run(["render", "in.y4m", "--output", "out.y4m"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let reader = try Y4MReader(path: "\(folder.path)/out.y4m")
        #expect(reader.info.size == VideoSize(width: 32, height: 16))
        #expect(reader.info.frameRate == Rational(10))
        var levels: [UInt8] = []
        while let frame = try reader.next() { levels.append(frame.planes.packedBytes[100]) }
        #expect(levels.count == 5)
        for (index, level) in levels.enumerated() { #expect(abs(Int(level) - (30 + index * 10)) <= 1) }
    }

    @Test("Standard output gets the same Y4M as a file, and nothing else; standard input is read")
    func pipes() throws {
        let folder = TemporaryFolder()
        let input = folder.write("in.y4m", Clips.y4m(frames: 3))
        let toFile = try Run(["render", "in.y4m", "--output", "out.y4m"], in: folder.path)
        #expect(toFile.status == 0, "\(toFile.errors)")
        let toOutput = try Run(["render", "-", "--output", "-"], in: folder.path, input: input)
        #expect(toOutput.status == 0, "\(toOutput.errors)")
        #expect(toOutput.output == (try folder.read("out.y4m")))
    }

    @Test("A series has one picture per time, each with the newest frame")
    func series() throws {
        let folder = TemporaryFolder()
        _ = folder.write("in.y4m", Clips.y4m(frames: 4))
        let arguments = ["render", "in.y4m", "-o", "p-%02d.png", "--fps", "20", "--start", "0.1"]
        let run = try Run(arguments, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let names = try folder.names.filter { $0.hasSuffix(".png") }
        #expect(names == (0..<6).map { "p-0\($0).png" })
        let levels = try names.map { try PNG.read("\(folder.path)/\($0)").rgba[0] }
        for (level, frame) in zip(levels, [1, 1, 2, 2, 3, 3]) {
            // Limited range: (code value − 16) × 255 / 219.
            let expected = Double(30 + frame * 10 - 16) * 255 / 219
            #expect(abs(Double(level) - expected) <= 1.5, "\(levels)")
        }
    }

    @Test(
        "Seeking gives the same picture as reading", arguments: [0, 0.05, 0.1, 0.35, 0.9])
    func start(_ seconds: Double) throws {
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", Clips.y4m(frames: 10))
        try Clips.convert("a.y4m", to: "a.mkv", in: folder.path)
        for name in ["a.y4m", "a.mkv"] {
            let run = try Run(["render", name, "-o", "\(name).png", "--start", "\(seconds)"], in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(try folder.read("a.y4m.png") == folder.read("a.mkv.png"))
        let picture = try PNG.read("\(folder.path)/a.mkv.png")
        let expected = Double(30 + Int(seconds * 10) * 10 - 16) * 255 / 219
        #expect(abs(Double(picture.rgba[0]) - expected) <= 1.5)
    }

    @Test(
        "The default size is that of a single input as shown, else 1920x1080",
        arguments: [
            (["test:bars?size=40x20"], 40, 20), (["test:bars?size=40x20&rotate=90"], 20, 40),
            (["wide.y4m"], 64, 16), (["test:bars", "test:clock"], 1920, 1080),
        ] as [([String], Int, Int)])
    func size(_ inputs: [String], _ width: Int, _ height: Int) throws {
        let folder = TemporaryFolder()
        _ = folder.write("wide.y4m", Clips.y4m(frames: 1, shape: "2:1"))
        let run = try Run(["render"] + inputs + ["-o", "a.png"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let picture = try PNG.read("\(folder.path)/a.png")
        #expect((picture.width, picture.height) == (width, height))
    }

    @Test("A signal leaves nothing behind", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(_ number: Int32) throws {
        let folder = TemporaryFolder()
        let program = try RunningProgram(
            ["render", "test:bars?size=16x16", "--frames", "100000000", "-o", "a.y4m"], in: folder.path)
        // The file under way appears under another name.
        while try folder.names.isEmpty, program.process.isRunning { usleep(1000) }
        #expect(try folder.names.contains("a.y4m") == false)
        kill(program.process.processIdentifier, number)
        let run = try program.finish()
        #expect(run.status == -number)
        #expect(try folder.names == [])
    }

    @Test("A named pipe is written to, and stays a pipe")
    func namedPipe() throws {
        let folder = TemporaryFolder()
        try #require(mkfifo("\(folder.path)/a.y4m", 0o600) == 0)
        let program = try RunningProgram(
            ["render", "test:bars?size=16x16", "--frames", "2", "-o", "a.y4m"], in: folder.path)
        let pipe = try #require(FileHandle(forReadingAtPath: "\(folder.path)/a.y4m"))
        let bytes = try pipe.readToEnd() ?? Data()
        #expect(try program.finish().status == 0)
        #expect(bytes.starts(with: Array("YUV4MPEG2".utf8)))
        #expect(try folder.names == ["a.y4m"])
    }
}
