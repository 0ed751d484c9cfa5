import Foundation
import TestSupport
import Testing

/// What signals do to a program that writes files.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct SignalTests {
    private static let series = [
        "render", "test:bars?size=32x16", "--size", "32x16", "--renderer", "cpu", "--frames", "1000000", "-o",
        "a-%07d.png",
    ]

    @Test("However a program that writes many files is interrupted, no incomplete one is left")
    func manyInterruptions() throws {
        var random = SeededGenerator(seed: 7)
        for number in 0..<120 {
            let folder = TemporaryFolder()
            let program = try Self.start(Self.series, folder.path)
            while try folder.names.isEmpty, program.process.isRunning { usleep(1000) }
            usleep(UInt32.random(in: 0..<5000, using: &random))
            kill(program.process.processIdentifier, SIGTERM)
            #expect(try program.finish().status == -SIGTERM)
            let incomplete = try folder.names.filter { !$0.hasPrefix("a-") }
            #expect(incomplete.isEmpty, "\(number): \(incomplete)")
            if !incomplete.isEmpty { return }
        }
    }

    @Test("Ctrl+\\ ends the program without a crash report", arguments: [true, false])
    func quit(_ writesFiles: Bool) throws {
        let folder = TemporaryFolder()
        try #require(mkfifo("\(folder.path)/pipe.y4m", 0o600) == 0)
        // It writes files, or waits for the pipe.
        let program = try Self.start(
            writesFiles ? Self.series : ["info", "pipe.y4m"], folder.path,
            environment: ["SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no"])
        while try folder.names.count == 1, writesFiles, program.process.isRunning { usleep(1000) }
        while !Self.hasBegun(program) { usleep(1000) }
        kill(program.process.processIdentifier, SIGQUIT)
        let run = try program.finish()
        #expect(run.status == -SIGQUIT && run.errors.isEmpty, "\(run.errors)")
        #expect(try folder.names.allSatisfy { $0 == "pipe.y4m" || $0.hasPrefix("a-") })
    }

    /// Starts the program with no signal blocked, as a shell does; the tests' own threads block most of them.
    private static func start(
        _ arguments: [String], _ folder: String, environment: [String: String] = [:]
    ) throws -> RunningProgram {
        let path = try RunningProgram.url(of: "vitrail").path(percentEncoded: false)
        let unblock = "use POSIX; sigprocmask(SIG_SETMASK, POSIX::SigSet->new); exec @ARGV"
        return try RunningProgram(
            executable: "/usr/bin/perl", ["-e", unblock, path] + arguments, in: folder, environment: environment)
    }

    /// Whether the program has set its actions of signals, after Swift's runtime.
    private static func hasBegun(_ program: RunningProgram) -> Bool {
        let path = "/proc/\(program.process.processIdentifier)/status"
        guard program.process.isRunning, let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            return true
        }
        return number("SigIgn", in: text) & 1 << UInt64(SIGXFSZ - 1) != 0
    }

    private static func number(_ name: String, in status: String) -> UInt64 {
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line.flatMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) } ?? 0
    }

    @Test("bench blocks the signals before it starts threads, which would otherwise take them")
    func bench() throws {
        let folder = TemporaryFolder()
        let program = try Self.start(
            ["bench", "W1", "--renderer", "cpu", "--threads", "4", "--frames", "100000", "--picture", "a.rgba"],
            folder.path)
        let tasks = "/proc/\(program.process.processIdentifier)/task"
        // The picture is written once the threads draw.
        while try folder.names != ["a.rgba"], program.process.isRunning { usleep(1000) }
        let masks = try FileManager.default.contentsOfDirectory(atPath: tasks).map { task in
            Self.number("SigBlk", in: try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8))
        }
        #expect(masks.count >= 5)
        // The one that waits for them.
        #expect(masks.count { $0 & 1 << UInt64(SIGTERM - 1) == 0 } <= 1, "\(masks)")
        kill(program.process.processIdentifier, SIGTERM)
        #expect(try program.finish().status == -SIGTERM)
    }
}
