import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing
import VideoWall

@testable import vitrail

/// Streams that are connected, but send no picture.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct StalledStreamTests {
    @Test("Pictures are expected of a live stream, but not while it is paused; not of a file, wherever it is")
    func expectation() throws {
        let clip = Clips.y4m(frames: 3)
        let servers = try [
            LoopbackServer(.bytesThenSilence(clip)), LoopbackServer(.http(["/a.y4m": clip])),
        ]
        defer { for server in servers { server.close() } }
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", clip)
        for (address, isLive) in [
            ("tcp://127.0.0.1:\(servers[0].port)", true), ("http://127.0.0.1:\(servers[1].port)/a.y4m", false),
            ("\(folder.path)/a.y4m", false), ("test:bars", false),
        ] {
            let mailbox = FrameMailbox()
            let stream = ViewerStream(
                try InputSpecification(address), [mailbox], limit: 4096, SharedDecoding(slots: DecodingSlots()),
                LineLogHandler.logger())
            #expect(!stream.expectsPictures)
            stream.open()
            while mailbox.statistics.received == 0 { usleep(1000) }
            #expect(stream.expectsPictures == isLive, "\(address)")
            stream.setPaused(true)
            #expect(!stream.expectsPictures, "\(address)")
            stream.setPaused(false)
            #expect(stream.expectsPictures == isLive, "\(address)")
            stream.close()
        }
    }

    @Test("A stream that sends nothing more is dimmed, named and logged once; it is drawn once a second at most")
    func view() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let server = try LoopbackServer(.bytesThenSilence(Clips.y4m(frames: 5, width: 320, height: 240)))
        defer { server.close() }
        let begin = ContinuousClock.now
        let program = try startViewer(
            ["tcp://127.0.0.1:\(server.port)", "--verbose", "--size", "320x240"], display, folder)
        /// Waits for a colour of the upper left corner, which no text covers.
        func wait(_ condition: (Int) -> Bool) throws -> Int {
            var color = 0
            let end = Date.now + 120
            repeat {
                color = Int(try display.screenshot().color(x: 4, y: 4)[0])
            } while !condition(color) && Date.now < end && program.process.isRunning
            return color
        }
        // The last one's luma is 70. On a busy machine, those before it may be left out.
        let bright = try wait { $0 == 63 }
        #expect(bright == 63)
        let dim = try wait { (1..<50).contains($0) }
        #expect(abs(Double(dim) - Double(bright) * 0.35) <= 1)
        // Three more seconds, of which it says each.
        let end = Date.now + 3
        while Date.now < end, program.process.isRunning { usleep(10_000) }
        let run = try program.quit(display)
        let seconds = begin.duration(to: .now) / .seconds(1)
        #expect(run.status == 0)
        #expect(run.errors.count { $0.contains("no picture for 3 s") } == 1, "\(run.errors)")
        let line = try #require(run.errors.last?.firstMatch(of: /(\d+) frames received.*, (\d+) pictures drawn/))
        // The empty wall, each picture, the steps of silence after five of them, since after five seconds it is connected
        // again, what the window system asks for, and the seconds.
        let received = Double(line.1) ?? 0
        #expect(Double(line.2) ?? .infinity <= 10 + 2 * received + seconds, "\(run.errors)")
    }
}
