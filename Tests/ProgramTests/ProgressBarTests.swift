import Foundation
import Testing

@testable import vitrail

/// The progress of long commands: on a terminal only.
@Suite(.timeLimit(.minutes(25)))
struct ProgressBarTests {
    static let arguments = "certify --step 64 --bits 8 --range full"

    @Test("The bar is full at the end") func bar() {
        #expect(ProgressBar.line(0).filter { $0 == "#" }.isEmpty)
        #expect(ProgressBar.line(50).filter { $0 == "#" }.count == 20)
        #expect(ProgressBar.line(100) == "[" + String(repeating: "#", count: 40) + "] 100%")
    }

    @Test(
        "The time left follows from the rate so far",
        arguments: [
            (1, 10, 1.0, nil), (10, 100, 10.0, "1:30"), (100, 100, 10, "0:00"), (1, 4000, 3, "3:19:57"),
            (101, 100, 10, nil), (0, 100, 10, nil), (1, 2, 9.5, "0:09"),
        ] as [(Int, Int, Double, String?)])
    func timeLeft(_ done: Int, _ total: Int, _ seconds: Double, _ expected: String?) {
        #expect(ProgressBar.timeLeft(done, of: total, after: .seconds(seconds)) == expected)
    }

    @Test(
        "On a terminal it grows and is removed, on a dumb one there is none; standard output has the table alone",
        arguments: ["xterm", "dumb"])
    func terminal(_ kind: String) throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        defer { close(terminal) }
        // TIOCSPTLCK and TIOCGPTN, which Swift does not import, as it does not import posix_openpt: unlock, and number.
        var (lock, number) = (Int32(0), Int32(-1))
        try #require(ioctl(terminal, 0x4004_5431, &lock) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
        let run = try Run(shell: "\(Self.arguments) 2>/dev/pts/\(number)", environment: ["TERM": kind])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.text.hasPrefix("vitrail ") && !run.text.contains("\r") && !run.text.contains("[#"))

        // So few steps fit into the terminal's memory.
        guard kind != "dumb" else {
            #expect(fcntl(terminal, F_SETFL, O_NONBLOCK) == 0)
            var byte: UInt8 = 0
            #expect(read(terminal, &byte, 1) < 1)
            return
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(terminal, &bytes, bytes.count)
        let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        var steps = text.components(separatedBy: "\r")
        #expect(steps.removeFirst().isEmpty)
        #expect(steps.popLast() == "\u{1B}[K")
        let numbers = steps.compactMap { $0.split(separator: " ").last.flatMap { Int($0.dropLast()) } }
        #expect(numbers.count == steps.count && numbers.count > 5)
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count && numbers.last == 100)
        #expect(steps == numbers.map(ProgressBar.line))
    }

    @Test("In a pipe there is none")
    func pipe() throws {
        let run = try Run(shell: "\(Self.arguments) 2>&1 >/dev/null | cat")
        #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
    }
}
