import Foundation
import TestSupport
import Testing

@testable import vitrail

/// Lines on standard input have a limit, and so have those that wait.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct ControlReaderTests {
    private static func lines(_ parts: [[UInt8]]) -> [ControlLine] {
        var (splitter, lines) = (LineSplitter(), [ControlLine]())
        for part in parts { splitter.split(part[...]) { lines.append($0) } }
        splitter.finish { lines.append($0) }
        return lines
    }

    @Test("Bytes become lines, however they are divided; a line that is too long is left out once")
    func splitting() {
        let long = [UInt8](repeating: 65, count: LineSplitter.longest)
        #expect(Self.lines([]) == [])
        #expect(Self.lines([Array("a\n\nb".utf8)]) == [.text("a"), .text(""), .text("b")])
        #expect(Self.lines([Array("a".utf8), Array("b\nc\n".utf8)]) == [.text("ab"), .text("c")])
        #expect(Self.lines([long, [10]]) == [.text(String(repeating: "A", count: long.count))])
        #expect(Self.lines([long, long, long, [65, 10, 66, 10]]) == [.tooLong, .text("B")])
        #expect(Self.lines([long + [65]]) == [.tooLong])
    }

    @Test("An answer that quotes much of a line is cut between words, and no secret is in it")
    func longAnswers() {
        let secret = "password=" + String(repeating: "ab1 ", count: 300)
        let line = "rtsp://h/1?x=" + String(repeating: "y", count: 900) + "&" + secret
        let answer = ControlLine.text(line).hidingSecrets(in: "This is wrong: \(line)")
        #expect(answer.hasPrefix("This is wrong: rtsp://h/1?x=yyy") && answer.hasSuffix(" …") && answer.count <= 1002)
        #expect(!answer.contains("ab1"))
        #expect(ControlLine.text(line).hidingSecrets(in: "Short.") == "Short.")
    }

    @Test("Neither a line without an end nor lines without end keep the program busy or fill its memory")
    func floods() throws {
        let display = try VirtualDisplay()
        let program = try RunningProgram.url(of: "vitrail").path(percentEncoded: false)
        for (source, error) in [
            ("cat /dev/zero", ""), ("yes '{\"on\": false}'", ""),
            ("(head -c 70000 /dev/zero; echo; echo '{\"on\": 7}'; cat)", "more than 65536 bytes"),
        ] {
            let line = "\(source) | exec '\(program)' view test:bars --size 64x64 --control --quit-after 3"
            let running = try RunningProgram(
                executable: "/bin/bash", ["-c", line], environment: ["DISPLAY": display.name])
            var most = 0
            while running.process.isRunning {
                most = max(most, Self.largestChild(of: running.process.processIdentifier))
                usleep(20_000)
            }
            let run = try running.finish()
            #expect(run.status == 0, "\(run.errors)")
            // A sanitizer's own memory counts, too.
            #expect(most > 0 && (most < 600_000 || !HeapCounter.isAvailable), "\(source): \(most) KiB")
            if !error.isEmpty { #expect(run.errors.count { $0.contains(error) } == 1, "\(run.errors)") }
        }
    }

    /// The memory that the largest child has had, in KiB.
    private static func largestChild(of process: Int32) -> Int {
        let children = (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)) ?? ""
        return children.split(separator: " ").map { child in
            let status = (try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
        }.max() ?? 0
    }
}
