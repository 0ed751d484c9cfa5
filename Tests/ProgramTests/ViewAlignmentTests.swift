import Foundation
import MediaIO
import TestSupport
import Testing

/// Cameras behind slow networks show the same instant, read from the time in their pictures.
@Suite(.timeLimit(.minutes(25)), .serialized)
final class ViewAlignmentTests {
    private static let delays = [0, 100, 300, 700]
    private let folder = TemporaryFolder()

    /// The numbers that four tiles show, in two rows.
    private func numbers(_ display: VirtualDisplay) throws -> [Int] {
        let screen = try display.screenshot()
        return (0..<4).map { tile in
            (0..<3).reduce(0) { number, column in
                let (x, y) = (tile % 2 * 320 + 70 + column * 90, tile / 2 * 180 + 90)
                return number * 10 + Int(((Double(screen.color(x: x, y: y)[1]) - 20) / 22).rounded())
            }
        }
    }

    /// How much later each number is than the first one.
    private func differences(_ numbers: [Int]) -> [Int] {
        numbers.map { ($0 - numbers[0] + 1500) % 1000 - 500 }
    }

    private var present: Int { Int(Date.now.timeIntervalSince1970 * 25) % 1000 }

    /// Writes the wall file as an editor does, which the viewer then reads.
    private func save(_ cameras: [ClockCamera], _ head: String = "") throws {
        let inputs = cameras.map { "[[input]]\nurl = \"\($0.address)\"\n" }.joined()
        let text = "\(head)\n[layout]\nrows = 2\ncolumns = 2\ngap = 0\n[look]\nanimation = false\n\(inputs)"
        _ = folder.write("new.toml", Array(text.utf8))
        try #require(rename("\(folder.path)/new.toml", "\(folder.path)/wall.toml") == 0)
    }

    @Test("Without alignment, each shows what it has; with it, all show the same picture, or the one beside it")
    func four() throws {
        let cameras = try Self.delays.map { try ClockCamera(delay: .milliseconds($0)) }
        let display = try VirtualDisplay()
        try save(cameras)
        let program = try startViewer(
            ["wall.toml", "--size", "640x360", "--verbose", "--statistics-to", "s.jsonl"], display, folder)
        let end = Date.now + 120
        var found: [Int] = []
        while Date.now < end {
            found = differences(try numbers(display))
            // 700 ms are 17 or 18 pictures.
            if (-20 ... -15).contains(found[3]), (-10 ... -5).contains(found[2]) { break }
            usleep(50_000)
        }
        #expect((-20 ... -15).contains(found[3]), "\(found)")

        try save(cameras, "align = \"auto\"")
        // Each server says its clock with its first report, and then all pictures of a row of screenshots must fit.
        var (aligned, ages): (Int, [Int]) = (0, [])
        while aligned < 20, Date.now < end {
            let numbers = try numbers(display)
            found = differences(numbers)
            ages.append((present - numbers[0] + 1000) % 1000)
            aligned = found.allSatisfy({ abs($0) <= 1 }) ? aligned + 1 : 0
            usleep(30_000)
        }
        #expect(aligned == 20, "\(found)")
        // No longer behind than the slowest network makes it, and what decoding and a slow machine take.
        let age = ages.suffix(20).min() ?? 0
        #expect((17...35).contains(age), "\(age)")
        let lines = String(decoding: try folder.read("s.jsonl"), as: UTF8.self).split(separator: "\n")
        #expect(lines.contains { $0.contains(/"alignment":\{"delay":[78]\d\d/) }, "\(lines.last ?? "")")
        #expect(!program.errorText.contains("its clock is"))
        _ = try program.quit(display)
    }

    @Test("A clock that is five seconds wrong is told within ten, and delays nobody", arguments: [5, -5])
    func wrong(_ error: Int) throws {
        let cameras = [try ClockCamera(delay: .zero), try ClockCamera(delay: .milliseconds(100), clockError: error)]
        let display = try VirtualDisplay()
        let program = try startViewer(
            cameras.map(\.address) + ["--align", "--size", "640x360", "--verbose"], display, folder)
        let (begin, end) = (Date.now, Date.now + 60)
        let text = "its clock is 5.0 s \(error > 0 ? "ahead" : "behind")"
        let rounded = error > 0 ? /its clock is 4\.9 s ahead/ : /its clock is 5\.1 s behind/
        while !program.errorText.contains(text), !program.errorText.contains(rounded), Date.now < end { usleep(20_000) }
        #expect(Date.now.timeIntervalSince(begin) < 10, "\(program.errorText)")
        _ = try program.quit(display)
    }
}
