import Foundation
import TestSupport
import Testing

/// A viewer of three inputs of one luma each in a row of a window of 600 × 120, and a way to give it lines.
final class TestWall {
    let display: VirtualDisplay
    let folder: TemporaryFolder
    let program: RunningProgram
    private let writer: Int32

    static let lumas: [UInt8] = [70, 130, 200]
    /// The middle of each of three columns.
    static let columns = [(100, 20), (300, 20), (500, 20)]

    init(_ options: [String] = ["--grid", "1x3", "--gap", "0"]) throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        for (index, luma) in Self.lumas.enumerated() {
            _ = folder.write(
                "\(index + 1).yuv", Array(repeating: luma, count: 4096) + Array(repeating: 128, count: 2048))
        }
        let pipe = "\(folder.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        writer = open(pipe, O_RDWR)
        program = try startViewer(
            (1...3).map { "\($0).yuv?size=64x64&format=i420&loop=yes&content=stretch" }
                + ["--size", "600x120", "--no-animation", "--control"] + options, display, folder, input: pipe)
        self.display = display
        self.folder = folder
    }

    deinit { close(writer) }

    func send(_ line: String) {
        _ = Array((line + "\n").utf8).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
    }

    func act(_ words: String, tile: Int? = nil) {
        send("{\"do\": \"\(words)\"\(tile.map { ", \"tile\": \($0)" } ?? "")}")
    }

    /// Which input each of some places shows: 1 to 3, and 0 for none.
    func shown(_ places: [(Int, Int)]) throws -> [Int] {
        let screen = try display.screenshot()
        return places.map { place in
            // Limited range, as full.
            let gray = Int(screen.color(x: place.0, y: place.1)[0])
            let expected = Self.lumas.map { (Int($0) - 16) * 255 / 219 }
            return (expected.firstIndex { abs($0 - gray) <= 3 } ?? -1) + 1
        }
    }

    func wait(
        _ places: [(Int, Int)], _ inputs: [Int], _ place: SourceLocation = #_sourceLocation
    ) throws {
        let end = Date.now + 120
        while try shown(places) != inputs, Date.now < end, program.process.isRunning { usleep(10_000) }
        let seen = try shown(places)
        #expect(seen == inputs, "\(program.errorText)", sourceLocation: place)
    }
}
