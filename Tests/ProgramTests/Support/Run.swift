import Foundation
import MediaIO

/// A built product that was run to its end.
struct Run {
    /// The exit status, or the negative number of the signal that ended it.
    let status: Int32
    /// All of standard output.
    let output: [UInt8]
    /// The lines of standard error.
    let errors: [String]

    /// Standard output as text.
    var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs a product that lies beside the tests.
    ///
    /// - Parameters:
    ///   - arguments: what follows its name.
    ///   - product: its name.
    ///   - folder: where it runs.
    ///   - environment: added to the tests' own; there is no display unless one is named here.
    ///   - input: a file for standard input.
    /// - Throws: what starting it throws.
    init(
        _ arguments: [String], of product: String = "vitrail", in folder: String = "/tmp",
        environment: [String: String] = [:], input: String = "/dev/null"
    ) throws {
        let running = try RunningProgram(arguments, of: product, in: folder, environment: environment, input: input)
        self = try running.finish()
    }

    /// Runs the program in a shell, for what only a shell can do.
    ///
    /// - Parameters:
    ///   - line: what follows the program's name.
    ///   - environment: added to the tests' own.
    /// - Throws: what starting it throws.
    init(shell line: String, environment: [String: String] = [:]) throws {
        let program = try RunningProgram.url(of: "vitrail").path(percentEncoded: false)
        let running = try RunningProgram(
            executable: "/bin/bash", ["-c", "'\(program)' \(line)"], environment: environment)
        self = try running.finish()
    }

    fileprivate init(status: Int32, output: [UInt8], errors: [String]) {
        (self.status, self.output, self.errors) = (status, output, errors)
    }
}

/// A built product that runs, for twenty minutes at most.
final class RunningProgram {
    let process = Process()
    private let output = Pipe()
    private let errorFile: String

    /// Where a product lies: beside the tests.
    static func url(of product: String) throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: tests).deletingLastPathComponent().appending(path: product)
    }

    convenience init(
        _ arguments: [String], of product: String = "vitrail", in folder: String = "/tmp",
        environment: [String: String] = [:], input: String = "/dev/null"
    ) throws {
        let path = try Self.url(of: product).path(percentEncoded: false)
        try self.init(executable: path, arguments, in: folder, environment: environment, input: input)
    }

    init(
        executable: String, _ arguments: [String], in folder: String = "/tmp", environment: [String: String] = [:],
        input: String = "/dev/null"
    ) throws {
        // Errors go to a file, so that reading output to its end cannot wait for a full pipe.
        errorFile = "/tmp/vitrail-errors-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: errorFile, contents: nil)
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = ProcessInfo.processInfo.environment
            .filter { !["DISPLAY", "WAYLAND_DISPLAY"].contains($0.key) }
            // No folder can be made there: what tests open does not become recent for whoever runs them.
            .merging(["XDG_STATE_HOME": "/dev/null"]) { $1 }
            .merging(environment) { $1 }
        process.standardInput = FileHandle(forReadingAtPath: input)
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: errorFile)
        try process.run()
        Watchdog.watch(process)
    }

    /// What it has written to standard error so far.
    var errorText: String { (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? "" }

    /// The functions in which a thread crashed, the innermost first; `nil` if the program wrote no such report.
    private var crash: String? {
        let report = errorText.split(separator: " crashed:\n", maxSplits: 1)
        guard report.count == 2, let thread = report[1].split(separator: "\nThread ").first else { return nil }
        return thread.matches(of: /0x[0-9a-f]+ (.*?)(?: \+ [0-9]+)? in\s/).map { String($0.1) }.joined(separator: " < ")
    }

    /// Waits until it ends.
    func finish() throws -> Run {
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        defer { try? FileManager.default.removeItem(atPath: errorFile) }
        if let crash { print("✘ \(process.arguments ?? []) crashed in \(crash)") }
        let sign: Int32 = process.terminationReason == .uncaughtSignal ? -1 : 1
        return Run(
            status: process.terminationStatus * sign, output: Array(bytes),
            errors: errorText.split(separator: "\n").map(String.init))
    }
}

/// Kills programs that should have ended long ago: the test that waits for one fails, instead of waiting forever.
private enum Watchdog {
    private static let programs = Monitor<[(program: Process, end: ContinuousClock.Instant)]>([])
    private static let thread: Void = Thread.detachNewThread {
        while true {
            sleep(1)
            programs.withLock { programs in
                programs.removeAll { !$0.program.isRunning }
                for (program, end) in programs where end < .now {
                    print("\(program.executableURL?.lastPathComponent ?? "") \(program.arguments ?? []) did not end.")
                    kill(program.processIdentifier, SIGKILL)
                }
            }
        }
    }

    static func watch(_ program: sending Process) {
        _ = thread
        programs.withLock { $0.append((program, .now + .seconds(1200))) }
    }
}
