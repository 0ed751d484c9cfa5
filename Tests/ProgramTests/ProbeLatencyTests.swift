import Foundation
import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// How old the pictures of a stream are, read back from the clock in them.
@Suite(.timeLimit(.minutes(25)))
final class ProbeLatencyTests {
    private struct Report: Decodable {
        struct Times: Decodable {
            var median: Double
            var p99: Double
        }
        var pictures: Int
        var missing: Int
        var unreadable: Int?
        var latency: Times?
    }

    private struct Output: Decodable { var inputs: [Report] }

    private let folder = TemporaryFolder()

    @Test(
        "A picture's number says when it was made, also beyond 32 bits",
        arguments: [(30, 0), (30, 3), (25, 62), (1, 9), (30, -4)])
    func ages(_ rate: Int, _ back: Int) {
        // The number of a picture since 1970 has more than 32 bits at 30 a second.
        let now = Duration.seconds(1_790_000_000)
        let present = 1_790_000_000 * rate
        let measured = LatencyReport.age(of: (present - back) & 0xFFFF_FFFF, Rational(rate), at: now)
        #expect(abs(measured / .seconds(1) - Double(back) / Double(rate)) < 1e-6, "\(measured)")
    }

    @Test("What the network takes longer is measured")
    func stream() throws {
        let ports = try (0..<3).map { _ in try LoopbackServer.unusedPort() }
        let relay = try DelayedDatagrams(from: ports[1], to: ports[2], delay: .milliseconds(1500))
        defer { withExtendedLifetime(relay) {} }
        let options = "?size=320x180&fps=25"
        let sender = try RunningProgram(
            ["view", "test:clock?utc&size=320x180&fps=25", "--no-window", "--renderer", "cpu", "--no-names"]
                + ports.prefix(2).flatMap { ["--also", "udp://127.0.0.1:\($0)\(options)"] },
            in: folder.path)
        defer { sender.process.terminate() }
        let probes = try [ports[0], ports[2]].map { port in
            try RunningProgram(
                ["probe", "--latency", "--json", "--seconds", "5", "--rate", "25", "udp://127.0.0.1:\(port)"],
                in: folder.path)
        }
        let medians = try probes.map { probe in
            let run = try probe.finish()
            #expect(run.status == 0, "\(run.errors) \(sender.errorText)")
            let report = try JSONDecoder().decode(Output.self, from: Data(run.output)).inputs[0]
            let latency = try #require(report.latency)
            #expect(report.pictures > 10 && latency.median <= latency.p99, "\(report)")
            return latency.median
        }
        #expect(medians[0] > 0 && abs(medians[1] - medians[0] - 1500) < 500, "\(medians)")
    }

    @Test("What does not show the pattern is refused, with what to do")
    func other() throws {
        try Clips.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-t", "60", "-c:v", "mpeg4", "a.mp4"],
            in: folder.path)
        let run = try Run(["probe", "--latency", "--seconds", "1", "a.mp4"], in: folder.path)
        #expect(run.status != 0 && run.errors.joined().contains("does not show test:clock"), "\(run.errors)")
    }

    @Test("Numbers that are not the time are refused", arguments: ["test:clock", "test:clock?utc&fps=25"])
    func numbers(_ input: String) throws {
        let run = try Run(["probe", "--latency", "--seconds", "1", input])
        #expect(run.status != 0 && run.errors.joined().contains("not the time at 30 pictures"), "\(run.errors)")
    }
}
