import Foundation
import Glibc
import TestSupport
import Testing

@testable import vitrail

/// `vitrail wall convert`, and what holds for every format.
@Suite(.timeLimit(.minutes(25)))
struct ConvertCommandTests {
    private func decoded(_ wall: ForeignWall) throws -> WallDocument {
        try JSONDecoder().decode(WallDocument.self, from: try JSONEncoder().encode(wall.document))
    }

    @Test("A wall file says all of the document, and is read as the same", arguments: ForeignSamples.all)
    func roundTrip(name: String, text: String) throws {
        let wall = try ForeignSamples.wall(text, name)
        #expect(try decoded(wall) == wall.document)
    }

    @Test(
        "An address that looks as if it had options is read as the same",
        arguments: [
            "rtsp://192.0.2.1/1?rotate=90", "rtsp://192.0.2.1/1?latency=200&a=b", "rtsp://192.0.2.1/1#mirror=both",
            "rtsp://192.0.2.1/1#", "rtsp://192.0.2.1/1?a=b", "/nowhere/100%3F?.mp4", "/nowhere/a#b c.mp4",
            "/nowhere/ž?loop",
        ])
    func writtenAddresses(address: String) throws {
        let wall = try ForeignSamples.wall("#GRIDPLAYER\n\(address)")
        #expect(wall.document.inputs.map(\.address) == [address])
        #expect(try decoded(wall) == wall.document)
    }

    @Test("Printed, with notes but without passwords on standard error")
    func prints() throws {
        let folder = TemporaryFolder()
        for (name, text) in ForeignSamples.all where name != "b.conf" {
            let path = folder.write(name, Array(text.utf8))
            let run = try Run(["wall", "convert", path])
            #expect(run.status == 0, "\(run.errors)")
            #expect(try ForeignWall(path: path).document.toml == run.text)
            for secret in ["hidden", "s%40fe", "s@fe", "viewer:"] {
                #expect(!run.errors.joined().contains(secret), "\(run.errors)")
            }
            #expect(run.errors.joined().contains("contains passwords") == (name != "d.gpls"))
        }
    }

    @Test("Saved: nobody else may read a file with passwords")
    func saves() throws {
        let folder = TemporaryFolder()
        _ = folder.write("secret.conf", Array(ForeignSamples.spans.utf8))
        _ = folder.write("plain.gpls", Array(ForeignSamples.fixed.utf8))
        for (input, output, mode) in [("secret.conf", "a.toml", 0o600), ("plain.gpls", "b.toml", 0o644)] {
            let path = folder.write(output, [1])
            chmod(path, 0o644)
            let run = try Run(["wall", "convert", input, "-o", output], in: folder.path)
            #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
            var status = stat()
            #expect(stat(path, &status) == 0 && Int(status.st_mode & 0o777) == mode)
            #expect(try String(contentsOfFile: path, encoding: .utf8).contains("rtsp://"))
            #expect(run.errors.joined().contains("mode 600") == (mode == 0o600))
        }
        let run = try Run(["wall", "convert", "secret.conf", "--output", "secret.conf"], in: folder.path)
        #expect(run.status == 64 && run.errors.count == 2)
        #expect(try Run(["wall", "convert", "plain.gpls", "-o", "no/a.toml"], in: folder.path).status == 73)
    }

    @Test("Errors are one line, with a status")
    func errors() throws {
        let folder = TemporaryFolder()
        _ = folder.write("old.conf", Array(ForeignSamples.old.utf8))
        _ = folder.write("big.m3u", Array(repeating: 10, count: 1 << 20 + 1))
        _ = folder.write("broken.json", Array("[{\n\"a\" \"rtsp://me:hidden4@a/\"}]".utf8))
        _ = folder.write("zero.m3u", [])
        #expect(mkfifo(folder.path + "/pipe.m3u", 0o600) == 0)
        let cases: [([String], Int32, String)] = [
            (["old.conf", "--wall", "3"], 64, "old.conf: There are 2 walls in it"),
            (["old.conf", "--wall", "0"], 64, "--wall counts from 1. See vitrail wall --help."),
            (["missing.m3u"], 66, "missing.m3u: it does not exist"), (["."], 66, ".: it is a directory"),
            (["pipe.m3u"], 66, "pipe.m3u: it is not a regular file."),
            (["big.m3u"], 66, "big.m3u: it has more than 1 MiB"),
            (["broken.json"], 66, "broken.json, line 2: it is not valid JSON."),
            (["zero.m3u"], 66, "zero.m3u: there is no address in it."),
        ]
        for (arguments, status, message) in cases {
            let run = try Run(["wall", "convert"] + arguments, in: folder.path)
            #expect(run.status == status && run.output.isEmpty, "\(arguments) \(run.errors)")
            #expect(run.errors.count == 1 && run.errors[0].hasPrefix("vitrail: " + message), "\(run.errors)")
        }
        let empty = try Run(["wall", "convert", "old.conf"], in: folder.path)
        #expect(empty.status == 66 && empty.errors.count == 2 && empty.errors[1].contains("no tile is left"))
        #expect(try Run(["wall", "convert", "old.conf", "--wall", "1"], in: folder.path).status == 0)
    }

    @Test("Nothing in a file ends the program; what is converted is read as the same, and notes have no passwords")
    func fuzz() throws {
        let rounds = ProcessInfo.processInfo.environment["VITRAIL_CONVERT_ROUNDS"].flatMap { Int($0) } ?? 3000
        var random = SeededGenerator(seed: 20_260)
        let pieces = [
            "\"", "\\", "{", "}", "[", "]", "\n", ",", "-1", "1e999", "999999999", "\0", "\\x", ":", "#", "null", "@",
        ]
        var converted = 0
        for round in 0..<rounds {
            let (name, sample) = ForeignSamples.all[round % ForeignSamples.all.count]
            var bytes = Array(sample.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: index)
                case 3:
                    let end = min(bytes.count, index + Int.random(in: 1...200, using: &random))
                    bytes.insert(
                        contentsOf: Array(bytes[index..<end]), at: Int.random(in: 0...bytes.count, using: &random))
                default: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...60, using: &random)))
                }
            }
            do {
                let wall = try ForeignSamples.wall(bytes, name, wall: round % 3 == 0 ? 1 : nil)
                converted += 1
                #expect(try decoded(wall) == wall.document, "round \(round)")
                #expect(!wall.notes.joined().contains("hidden"), "round \(round)")
            } catch let problem as ConversionProblem {
                #expect(!problem.message.contains("hidden"), "round \(round)")
            }
        }
        #expect(converted > rounds / 4 && converted < rounds)
    }

    @Test("Deep and large files end in time")
    func large() throws {
        let deep = String(repeating: "[", count: 500_000)
        #expect(ForeignSamples.problem("[{\"a\":" + deep) != nil)
        let zeros = "[{\"a\":[" + String(repeating: "0,", count: 400_000) + "0]}]"
        #expect(try ForeignSamples.wall(zeros).document.inputs.isEmpty)
        let cell = #"{"url":"","columnSpan":99,"rowSpan":99},"#
        let cells = "[{\"size\":\"100x100\",\"items\":[" + String(repeating: cell, count: 10_000) + "null]}]"
        #expect(try ForeignSamples.wall(cells).document.inputs.isEmpty)
        let quotes = "[ViewportsLayoutsCollection]\nmodels=" + String(repeating: "\"\\x1,", count: 200_000)
        #expect(ForeignSamples.problem(quotes) != nil)
    }
}
