import Foundation
import PNGFile
import TestSupport
import Testing

/// The examples that need no window do what they say.
@Suite(.timeLimit(.minutes(10)))
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

    @Test("The example in the README is the code of HelloFrame")
    func readme() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        func text(_ path: String) throws -> String {
            try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        let readme = try text("README.md")
        let start = try #require(readme.firstRange(of: "```swift\n")?.upperBound)
        let end = try #require(readme[start...].firstRange(of: "```")?.lowerBound)
        let example = try text("Sources/Examples/HelloFrame/main.swift")
        let lines = readme[start..<end].split(separator: "\n")
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
