import Foundation
import PNGFile
import TestSupport
import Testing

/// The examples that need no window do what they say.
@Suite(.timeLimit(.minutes(25)))
struct ExampleTests {
    @Test("HelloFrame makes a picture: dark to bright from left to right, blue above red")
    func helloFrame() throws {
        let picture = try picture(of: "HelloFrame")
        #expect((picture.width, picture.height) == (640, 360))
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(picture.rgba[(y * 640 + x) * 4..<(y * 640 + x) * 4 + 4]) }
        #expect(pixel(10, 180)[1] < 60 && pixel(630, 180)[1] > 200)
        #expect(pixel(320, 5)[2] > pixel(320, 5)[0] && pixel(320, 355)[0] > pixel(320, 355)[2])
        #expect(pixel(320, 5)[3] == 255)
    }

    @Test("CustomSource shows a white ball on grey")
    func customSource() throws {
        let picture = try picture(of: "CustomSource")
        let levels = Set(stride(from: 1, to: picture.rgba.count, by: 4).map { picture.rgba[$0] })
        #expect(levels.contains(255) && (levels.min() ?? 0) < 40)
    }

    @Test("CustomSink measures ten frames")
    func customSink() throws {
        let run = try Run([], of: "CustomSink")
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 10)
        #expect(lines.allSatisfy { $0.contains("mean luma") })
    }

    @Test("CustomEffect enlarges and tints what is under a lens, which has moved to the right, and nothing else")
    func customEffect() throws {
        let picture = try picture(of: "CustomEffect")
        let folder = TemporaryFolder()
        let run = try Run(
            ["render", "test:bars?size=640x360", "--start", "0.967", "-o", "plain.png"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let plain = try PNG.read("\(folder.path)/plain.png")
        // The centre at the time of the last frame, and a column of pixels through it.
        let (x, y) = (0.2 + 0.6 * 29 / 30, 0.4)
        func pixel(_ picture: PNGImage, _ x: Double, _ y: Double) -> [UInt8] {
            let start = (Int(y * 360) * 640 + Int(x * 640)) * 4
            return Array(picture.rgba[start..<start + 4])
        }
        // Along a row, across the bars.
        for step in [-0.3, -0.16, -0.12, -0.02, 0.02, 0.12, 0.16, 0.2] {
            let isInside = abs(step) * 16 / 9 < 0.24
            let expected = pixel(plain, x + (isInside ? step / 2 : step), y).enumerated().map { index, value in
                isInside ? Double(value) * [255, 0xe0, 0xb0, 255][index] / 255 : Double(value)
            }
            let drawn = pixel(picture, x + step, y).map(Double.init)
            #expect(zip(drawn, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(step): \(drawn) \(expected)")
        }
    }

    @Test("BlackAndWhite gives the same picture on the CPU and as a shader")
    func blackAndWhite() throws {
        let picture = try picture(of: "BlackAndWhite")
        #expect(picture.width == 2560 && picture.height == 720)
        var (worst, brightest, darkest, colored) = (0, 0, 255, 0)
        for y in 0..<720 {
            for x in 0..<1280 {
                let (left, right) = ((y * 2560 + x) * 4, (y * 2560 + x + 1280) * 4)
                let (one, other) = (picture.rgba[left..<left + 3], picture.rgba[right..<right + 3])
                colored += Set(one).count + Set(other).count - 2
                worst = max(worst, abs(Int(one[left]) - Int(other[right])))
                (brightest, darkest) = (max(brightest, Int(one[left])), min(darkest, Int(one[left])))
            }
        }
        #expect(worst <= 1 && colored == 0)
        #expect(brightest - darkest > 60)
    }

    @Test("AgoraMediaIO shows the frames of its own source in its own renderer")
    func agoraMediaIO() throws {
        let picture = try picture(of: "AgoraMediaIO")
        #expect((picture.width, picture.height) == (640, 480))
        #expect(Set(stride(from: 1, to: picture.rgba.count, by: 4).map { picture.rgba[$0] }).count >= 3)
    }

    @Test("ZegoCustomVideo captures when it is told to, and renders the preview and a stream")
    func zegoCustomVideo() throws {
        let run = try Run([], of: "ZegoCustomVideo")
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.text.split(separator: "\n").map(String.init)
        #expect(lines.count { $0 == "start capturing for the channel main" } == 1)
        #expect(lines.count { $0 == "stop capturing for the channel main" } == 1)
        #expect(lines.contains("preview of the channel main, flip horizontal: format bgra32, 320x240"))
        #expect(lines.contains("the stream door: format bgra32, 320x180"))
    }

    /// Lines of code, without empty ones and comments; for the SDKs' tutorials, those of the code that they print.
    @Test(
        "Examples are not longer than what they are compared with",
        arguments: [
            ("HelloFrame", 20), ("CustomEffect", 60), ("AgoraMediaIO", 109), ("ZegoCustomVideo", 65),
            ("BlackAndWhite", 55),
        ])
    func examplesAreShort(_ example: String, _ limit: Int) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Examples/\(example)")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let lines = try files.reduce(0) { sum, file in
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return sum + lines.count { !$0.isEmpty && !$0.hasPrefix("//") }
        }
        #expect((10...limit).contains(lines), "\(lines)")
    }

    @Test("The first example of the page about the library is the code of HelloFrame")
    func library() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        func text(_ path: String) throws -> String {
            try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        let page = try text("Sources/vitrail/Vitrail.docc/Library.md")
        let start = try #require(page.firstRange(of: "```swift\n")?.upperBound)
        let end = try #require(page[start...].firstRange(of: "```")?.lowerBound)
        let example = try text("Sources/Examples/HelloFrame/main.swift")
        let lines = page[start..<end].split(separator: "\n")
        #expect((6...12).contains(lines.count))
        for line in lines { #expect(example.contains(line), "\(line)") }
    }

    private func picture(of example: String) throws -> PNGImage {
        let folder = TemporaryFolder()
        let run = try Run(["out.png"], of: example, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        return try PNG.read("\(folder.path)/out.png")
    }
}
