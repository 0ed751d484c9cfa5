import FFmpegMedia
import Foundation
import MediaIO
import Testing

@testable import vitrail

/// What is recorded, as wall files and the command line say it.
@Suite(.timeLimit(.minutes(25))) struct RecordingPlanTests {
    @Test(
        "Lengths and sizes are read and written",
        arguments: [
            ("90s", "90s"), ("600s", "10min"), ("60min", "1h"), ("720h", "720h"), ("500MB", "500MB"), ("2000mb", "2GB"),
            ("1TB", "1TB"),
        ])
    func lengths(_ row: (typed: String, written: String)) {
        #expect(RecordingLength(row.typed)?.description == row.written)
        #expect(RecordingLength(row.written) == RecordingLength(row.typed))
    }

    @Test(
        "What is no length is refused",
        arguments: ["", "s", "0s", "-1s", "10", "1.5h", "721h", "500kB", "0MB", "٣s", "99999999999999999999s", "5 GB"])
    func noLengths(_ text: String) { #expect(RecordingLength(text) == nil) }

    @Test("Sizes without a unit are refused, except 0")
    func sizes() {
        #expect(ByteCount("0")?.count == 0 && ByteCount("0")?.description == "0")
        #expect(ByteCount("15kB")?.count == 15_000 && ByteCount("12") == nil && ByteCount("GB") == nil)
    }

    @Test("A wall file has all of it")
    func file() throws {
        var document = WallDocument()
        document.recording.folder = "/srv/films"
        document.recording.names = try RecordingPattern("{date}/{name}_{time}.ts")
        document.recording.part = .time(seconds: 600)
        document.recording.reserve = ByteCount(5_000_000_000)
        document.recording.hasSound = false
        document.recording.before = 0
        document.history = HistoryPlan(seconds: 120, memory: ByteCount(1_000_000_000))
        document.recording.isOfAll = true
        var input = WallInput(address: "rtsp://door/1")
        input.settings[.record] = "no"
        document.add(input)
        let text = document.toml
        #expect(text.contains("[recording]\nfolder = \"/srv/films\"\n"), "\(text)")
        #expect(text.contains("record = false"), "\(text)")
        #expect(text.contains("[history]\nlength = \"2min\"\nmemory = \"1GB\"\n"), "\(text)")
        #expect(try WallFileTests.read(text).document == document)
    }

    @Test(
        "What it cannot be is refused with its place",
        arguments: [
            ("names = \"{name}.mkv\"", "add {time} or {number}"), ("part = \"10\"", "no length of a part"),
            ("reserve = \"x\"", "no number of bytes"), ("sound = 1", "true or false"),
            ("fold = \"a\"", "did you mean folder"), ("delete-oldest = true", "delete-oldest"),
        ])
    func refused(_ row: (line: String, reason: String)) {
        let error = WallFileTests.error("[recording]\n\(row.line)\n")
        #expect(error.contains(row.reason) && error.contains(":2"), "\(error)")
    }

    @Test("A wall file gets half of the machine's memory at most for what is kept, and none for 0")
    func memory() throws {
        let text = "[history]\nmemory = \"1000000TB\"\n[[input]]\nurl = \"test:bars\"\n"
        let plan = try WallFileTests.read(text).document.history
        let rings = try #require(plan.rings)
        #expect(UInt64(rings.byteCount) <= ProcessInfo.processInfo.physicalMemory / 2 && rings.byteCount > 64 << 20)
        #expect(HistoryPlan(seconds: 0).rings == nil && HistoryPlan(memory: ByteCount(0)).rings == nil)
    }
}
