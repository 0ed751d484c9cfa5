import Foundation
import TestSupport
import Testing

/// A system that gives the program little memory or few threads: one line that says so, and no crash.
@Suite(
    .timeLimit(.minutes(25)), .enabled(if: HeapCounter.isAvailable, "A sanitizer itself needs more memory and threads.")
)
struct ResourceTests {
    private static let commands = [
        "view --quit-after 1", "render test:bars -o a.png", "effects --demo --quit-after 1",
        "bench --streams 1 --frames 2 --repetitions 1", "certify --bits 8 --range full --step 64", "info",
    ]

    @Test("Too little memory", arguments: commands, [500_000, 700_000, 800_000])
    func memory(_ command: String, _ limit: Int) throws {
        let run = try Self.run(command, limit)
        #expect(run.status == 1)
        #expect(run.errors.count == 1 && run.errors[0].contains("ulimit -v"), "\(run.errors)")
    }

    @Test("Memory that may be enough", arguments: commands, [1_000_000, 1_500_000])
    func scarceMemory(_ command: String, _ limit: Int) throws {
        let run = try Self.run(command, limit)
        let isRefused = run.errors.count == 1 && run.errors[0].contains("ulimit -v")
        #expect(run.status == 0 || run.status == 1 && isRefused, "\(run.status) \(run.errors)")
    }

    /// Runs a command of the program with a limit of memory, in KiB.
    private static func run(_ command: String, _ limit: Int) throws -> Run {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let program = try RunningProgram.url(of: "vitrail").path(percentEncoded: false)
        return try RunningProgram(
            executable: "/bin/bash", ["-c", "ulimit -v \(limit); exec '\(program)' \(command)"], in: folder.path,
            environment: ["DISPLAY": display.name, "SWIFT_BACKTRACE": "enable=no"]
        ).finish()
    }

    @Test("Threads share two heaps: memory that many of them have freed would stay in as many places")
    func heaps() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let program = try RunningProgram(
            ["view", "--statistics-to", "a.jsonl", "test:bars", "test:clock", "test:gradient", "test:zoneplate"],
            in: folder.path, environment: ["DISPLAY": display.name])
        // Two lines, a second apart: by then, every stream has had its threads, and they have allocated.
        func lineCount() -> Int {
            (try? Data(contentsOf: URL(filePath: "\(folder.path)/a.jsonl")))?.count { $0 == 10 } ?? 0
        }
        while lineCount() < 2, program.process.isRunning { usleep(20_000) }
        let maps = try String(contentsOfFile: "/proc/\(program.process.processIdentifier)/maps", encoding: .utf8)
        program.process.terminate()
        _ = try program.finish()
        #expect((1...2).contains(Self.heapCount(in: maps)), "\(maps)")
    }

    /// The main heap, and each part of 64 MiB, at a multiple of that, whose rest is reserved for more blocks.
    private static func heapCount(in maps: String) -> Int {
        let regions = maps.split(separator: "\n").map { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            let ends = words[0].split(separator: "-").map { UInt64($0, radix: 16) ?? 0 }
            return (start: ends[0], end: ends[1], access: words[1], name: words.count > 5 ? words[5] : "")
        }
        let size: UInt64 = 64 << 20
        let others = zip(regions, regions.dropFirst()).count { heap, rest in
            heap.start.isMultiple(of: size) && heap.access == "rw-p" && rest.access == "---p"
                && heap.end == rest.start && rest.end == heap.start + size
        }
        return others + (regions.contains { $0.name == "[heap]" } ? 1 : 0)
    }

    @Test("Too few threads", arguments: commands)
    func threads(_ command: String) throws {
        let display = try VirtualDisplay()
        let program = try RunningProgram.url(of: "vitrail").path(percentEncoded: false)
        let folder = TemporaryFolder()
        var words = command.split(separator: " ").map(String.init)
        if geteuid() == 0 {
            // The limit does not hold for root. Another user runs a copy, since the folders above may be root's own.
            let copy = folder.path + "/vitrail"
            // By another process: a program that this one still had open for writing, in a child, could not be run.
            #expect(try Self.run(["/bin/cp", program, copy], display).status == 0)
            chmod(folder.path, 0o755)
            words =
                [
                    "/usr/bin/setpriv", "--reuid=64321", "--regid=64321", "--clear-groups", "/usr/bin/prlimit",
                    "--nproc=6", copy,
                ]
                + words
        } else {
            words = ["/usr/bin/prlimit", "--nproc=6", program] + words
        }
        let run = try Self.run(words, display)
        #expect(run.status == 1)
        #expect(run.errors.count == 1 && run.errors[0].contains("hreads can be started"), "\(run.errors)")
    }

    private static func run(_ words: [String], _ display: VirtualDisplay) throws -> Run {
        try RunningProgram(
            executable: words[0], Array(words.dropFirst()),
            environment: ["DISPLAY": display.name, "SWIFT_BACKTRACE": "enable=no"]
        ).finish()
    }
}
