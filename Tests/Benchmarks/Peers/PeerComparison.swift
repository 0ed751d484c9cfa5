import Foundation
import TestSupport

/// Draws workloads with this program and with others, in turn, and prints the ratios.
struct PeerComparison {
    private static let rounds = 3

    private let folder: URL
    private let display: VirtualDisplay

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("vitrail-peers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        display = try VirtualDisplay()
    }

    /// Prints a table for each workload named, or for all.
    func run(_ names: [String]) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        print("Processor time of a picture, in milliseconds of all threads, and as a multiple of Vitrail's on the CPU;")
        print("medians of \(Self.rounds) rounds in turn. OpenGL: what this machine has.\n")
        print("| | " + Peer.allCases.map(\.rawValue).joined(separator: " | ") + " |")
        print("|---|" + Peer.allCases.map { _ in "---|" }.joined())
        for workload in PeerWorkload.all(in: folder) where names.isEmpty || names.contains(workload.name) {
            try workload.writeFrames()
            try pack(workload)
            var times: [Peer: [Double]] = [:]
            var failed: Set<Peer> = []
            for _ in 0..<Self.rounds {
                for peer in Peer.allCases where !failed.contains(peer) {
                    do {
                        times[peer, default: []].append(try measure(peer, workload))
                    } catch {
                        failed.insert(peer)
                        FileHandle.standardError.write(Data("\(peer.rawValue), \(workload.name): \(error)\n".utf8))
                    }
                }
            }
            print(row(workload, times))
        }
    }

    private func row(_ workload: PeerWorkload, _ times: [Peer: [Double]]) -> String {
        func median(_ peer: Peer) -> Double? { times[peer].map { $0.sorted()[$0.count / 2] } }
        let own = median(.vitrailCPU)
        let cells = Peer.allCases.map { peer -> String in
            guard let time = median(peer) else { return "–" }
            let number = String(format: time < 10 ? "%.2f" : "%.1f", time)
            guard let own, peer != .vitrailCPU else { return number }
            return number + String(format: time / own < 10 ? " (×%.1f)" : " (×%.0f)", time / own)
        }
        return "| \(workload.name) | " + cells.joined(separator: " | ") + " |"
    }

    /// The milliseconds of processor time for a picture.
    private func measure(_ peer: Peer, _ workload: PeerWorkload) throws -> Double {
        switch peer {
        case .vitrailCPU, .vitrailGL:
            let output = try perform(peer.command(workload, 0)).output
            let report = try JSONDecoder().decode(Report.self, from: output)
            return report.cpuMillisecondsPerFrame
        default:
            let counts = peer.counts
            let few = try perform(peer.command(workload, counts.few)).seconds
            let many = try perform(peer.command(workload, counts.many)).seconds
            return (many - few) / Double(counts.many - counts.few) * 1000
        }
    }

    private struct Report: Decodable { let cpuMillisecondsPerFrame: Double }

    private struct Failure: Error, CustomStringConvertible { let description: String }

    /// Puts frames into files that mpv can open.
    private func pack(_ workload: PeerWorkload) throws {
        for stream in 0..<workload.streams
        where !FileManager.default.fileExists(atPath: workload.file(stream, "nut")) {
            _ = try perform([
                "ffmpeg", "-v", "error", "-nostdin", "-f", "rawvideo", "-video_size",
                "\(workload.width)x\(workload.height)", "-pixel_format", workload.format, "-framerate", "30", "-i",
                workload.file(stream), "-c", "copy", workload.file(stream, "nut"),
            ])
        }
    }

    /// Runs a command to its end.
    private func perform(_ command: [String]) throws -> (seconds: Double, output: Data) {
        let (process, output, errors) = (Process(), Pipe(), folder.appendingPathComponent("errors"))
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.environment = ProcessInfo.processInfo.environment.merging(["DISPLAY": display.name]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: errors)
        let start = ProcessorTime.ofChildren
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw Failure(description: "\(command[0]) failed: \(text.suffix(200))")
        }
        return (ProcessorTime.ofChildren - start, data)
    }
}
