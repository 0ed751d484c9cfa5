import Foundation
import MediaIO
import PNGFile
import TestSupport
import Testing
import VideoSources
import VideoWall

/// Composition as a whole, against pictures that a person has checked.
///
/// Without text: fonts differ between machines.
///
/// A difference writes `NAME.actual.png` and `NAME.diff.png` beside the reference. `RECORD_REFERENCES=1` writes the
/// reference and fails, so that recording is never mistaken for passing.
@Suite(.renderTurn, .everyRenderer) struct GoldenTests {
    @Test func wallOfMixedTiles() throws {
        let wall = try TestWall(layout: GridLayout(gap: 4))
        wall.add(try frame(.bars), filter: .bilinear)
        wall.add(try frame(.gradient), filter: .bilinear).rotation = .clockwise90
        let filled = wall.add(try frame(.clock), filter: .bilinear)
        filled.contentMode = .fill
        filled.mirror = .horizontal
        wall.add(try frame(.zoneplate), filter: .bilinear).contentMode = .stretch
        wall.add(try frame(.bars), filter: .nearest).rotation = .clockwise180
        try check(wall.picture(VideoSize(width: 480, height: 300)), "wall-of-mixed-tiles")
    }

    private func frame(_ pattern: TestPattern) throws -> VideoFrame {
        let reader = try TestPatternReader(
            pattern: pattern, size: VideoSize(width: 161, height: 91), frameRate: Rational(30), format: .nv12)
        for _ in 0..<20 { _ = try reader.next() }
        return try #require(try reader.next())
    }

    private func check(_ image: RGBAImage, _ name: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "References")
        func path(_ suffix: String) -> String { folder.appending(path: name + suffix).path }
        if ProcessInfo.processInfo.environment["RECORD_REFERENCES"] == "1" {
            try write(image, path(".png"))
            Issue.record("\(name).png was recorded: look at it, then run again without RECORD_REFERENCES.")
            return
        }
        let reference = try PNG.read(path(".png"))
        try #require(reference.width == image.size.width && reference.height == image.size.height)
        let expected = RGBAImage(size: image.size, bytes: reference.rgba)
        let worst = image.largestDifference(from: expected)
        // Filters of drivers differ in the last bits of a weight.
        if worst.value > 3 {
            try write(image, path(".actual.png"))
            var difference = image
            for index in image.bytes.indices where index % 4 != 3 {
                let value = abs(Int(image.bytes[index]) - Int(expected.bytes[index]))
                difference.bytes[index] = UInt8(min(255, value * 8))
            }
            try write(difference, path(".diff.png"))
        }
        #expect(worst.value <= 3, "the worst pixel is (\(worst.x), \(worst.y)); see \(path(".diff.png"))")
    }

    private func write(_ image: RGBAImage, _ path: String) throws {
        try image.bytes.withUnsafeBytes { bytes in
            try PNG.write(
                rgba: bytes, width: image.size.width, height: image.size.height, bytesPerRow: image.size.width * 4,
                to: path)
        }
    }
}
