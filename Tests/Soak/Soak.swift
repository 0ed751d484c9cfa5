import Foundation
import TestSupport

/// Shows a wall of sixteen mixed inputs for as long as is asked, does to it what happens in months, and reports whether it
/// has survived: `make soak MINUTES=30`.
///
/// Arguments: the program, minutes, a seed for the order of faults, and which faults, if not all: to find what leaks.
@main
final class Soak {
    private let wall: SoakWall
    private var random: SeededGenerator
    private var tally: [SoakFault: (injected: Int, survived: Int)] = [:]

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let minutes = Double(arguments[2]), let seed = UInt64(arguments[3]) else {
            say("Usage: Soak PROGRAM MINUTES SEED [\(SoakFault.allCases.map { "\($0)" }.joined(separator: "|"))...]")
            exit(64)
        }
        // A program that has ended is reported.
        signal(SIGPIPE, SIG_IGN)
        // `exit` releases nothing, and the display is to end.
        exit(try survives(arguments[1], minutes, seed) ? 0 : 1)
    }

    private static func survives(_ program: String, _ minutes: Double, _ seed: UInt64) throws -> Bool {
        let soak = try Soak(program, seed)
        let result = Result { try soak.run(minutes: minutes) }
        soak.wall.end(keepsStatistics: (try? result.get()) != true)
        return try result.get()
    }

    /// Prints a line at once, so that it is known what goes on.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private func say(_ line: String) { Self.say(line) }

    private init(_ program: String, _ seed: UInt64) throws {
        wall = try SoakWall(program)
        random = SeededGenerator(seed: seed)
    }

    private func run(minutes: Double) throws -> Bool {
        say("\(wall.inputCount) inputs, \(minutes) minutes; the log of the program is \(wall.log)")
        let end = Date.now + minutes * 60
        // All tiles at first.
        guard try wall.wait(seconds: 60, until: { wall.hasPictures && $0.tiles.allSatisfy { $0.state == "live" } })
        else {
            say("Not every tile has a picture: \(wall.states)")
            return false
        }
        let wanted = CommandLine.arguments.dropFirst(4)
        let faults = SoakFault.allCases.filter {
            ($0 != .fullDisk || wall.hasSmallDisk) && (wanted.isEmpty || wanted.contains("\($0)"))
        }
        if !wall.hasSmallDisk { say("No small disk can be mounted here, so none is filled.") }
        var wait: [SoakFault] = []
        while Date.now < end, wall.isRunning {
            // Each once before any comes again.
            if wait.isEmpty { wait = faults.shuffled(using: &random) }
            let fault = wait.removeLast()
            let isSurvived = inject(fault)
            tally[fault, default: (0, 0)].injected += 1
            tally[fault, default: (0, 0)].survived += isSurvived ? 1 : 0
            if !isSurvived { say("\(Date.now.formatted(.iso8601)) \(fault.rawValue): \(wall.states)") }
            try wall.pass(seconds: Double.random(in: 0.5...2, using: &random))
        }
        return report(minutes)
    }

    /// Does something to the wall; what cannot be done to it is not survived.
    private func inject(_ fault: SoakFault) -> Bool {
        do { return try wall.inject(fault, &random) } catch {
            say("\(error)")
            return false
        }
    }

    private func report(_ minutes: Double) -> Bool {
        let isRunning = wall.isRunning
        if !isRunning { say("The program has ended.") }
        func row(_ name: String, _ first: String, _ second: String) {
            func right(_ text: String) -> String { String(repeating: " ", count: max(0, 12 - text.count)) + text }
            say(name + String(repeating: " ", count: max(0, 52 - name.count)) + right(first) + right(second))
        }
        row("fault", "injected", "survived")
        for fault in SoakFault.allCases {
            if let count = tally[fault] { row(fault.rawValue, "\(count.injected)", "\(count.survived)") }
        }
        let all = tally.values.reduce((0, 0)) { ($0.0 + $1.injected, $0.1 + $1.survived) }
        row("all", "\(all.0)", "\(all.1)")
        guard wall.records.all.count >= 10 else { return false }
        let report = SoakReport(wall.records.all)
        func figure(_ number: Double) -> String { String(format: "%.1f", number) }
        say("")
        row("", "at first", "at last")
        for (name, first, last) in report.rows { row(name, figure(first), figure(last)) }
        say("“at first” and “at last” are the first and last \(Int(report.end)) s.")
        for (half, slope) in zip(["first", "second"], report.slopes) {
            say("In the \(half) half, memory grows by \(figure(slope.mean)) ± \(figure(slope.error)) KiB an hour.")
        }
        // The heap grows for 25 minutes, until each size of picture has met each state of the wall, and then no more. In a
        // few minutes, the error is larger than what is looked for.
        let steady = report.slopes[1]
        let isSteady = minutes < 60 || steady.mean - 3 * steady.error < 4096
        let isFlat = report.rows.suffix(2).allSatisfy { $0.last <= $0.first + 6 }
        if !isSteady { say("The memory grows.") }
        if !isFlat { say("Threads or descriptors become more.") }
        let isQuick = report.rows[0].last >= report.rows[0].first / 2
        if !isQuick { say("Pictures become fewer.") }
        return isRunning && all.0 > 0 && all.0 == all.1 && isSteady && isFlat && isQuick
    }
}
