import Foundation
import GStreamerMedia
import MediaIO
import TestSupport
import Testing

/// Pictures that are handed to pipelines.
@Suite(.timeLimit(.minutes(25))) struct PipelineSenderTests {
    private static let size = VideoSize(width: 65, height: 47)

    private func samples(_ number: Int) -> [UInt8] {
        (0..<PixelFormat.i420.packedByteCount(Self.size)).map { 16 + UInt8(($0 * 7 + number * 31) % 220) }
    }

    private func picture(_ number: Int) throws -> PixelBuffer {
        try PixelBuffer(packed: samples(number), format: .i420, size: Self.size)
    }

    private func sender(_ description: String) -> PipelineSender {
        PipelineSender(
            to: description, size: Self.size, frameRate: Rational(25),
            retries: RetrySchedule(waits: [.milliseconds(100)]))
    }

    /// Elements that take rows of any length, and one that does not.
    @Test(
        "What is sent arrives to the last code value, each picture once and in order",
        arguments: [
            "videoflip method=vertical-flip ! videoflip method=vertical-flip ! filesink location=sent",
            "filesink location=sent",
        ])
    func pictures(_ description: String) throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/sent"
        let sender = sender(description.replacing("location=sent", with: "location=\(path)"))
        for number in 0..<30 {
            // One that there was no room for is sent again.
            while sender.counts.sent == number {
                try sender.send(try picture(number), at: Int64(number))
                usleep(20_000)
            }
        }
        #expect(sender.condition == .sending, "\(sender.condition) \(sender.counts)")
        sender.end(within: .seconds(120))
        var found: [[UInt8]] = []
        // GStreamer's rows have multiples of 4 bytes, and planes an even number of rows.
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let (luma, chroma) = (68 * 48, 36 * 24)
        for start in stride(from: 0, to: bytes.count, by: luma + 2 * chroma) {
            var picture: [UInt8] = []
            for row in 0..<47 { picture += bytes[start + row * 68..<start + row * 68 + 65] }
            for plane in [luma, luma + chroma] {
                for row in 0..<24 {
                    let first = start + plane + row * 36
                    picture += bytes[first..<first + 33]
                }
            }
            found.append(picture)
        }
        #expect(found.count == 30)
        for (number, picture) in found.enumerated() {
            let isRight = picture == samples(number)
            #expect(isRight, "picture \(number)")
        }
    }

    @Test("A pipeline is told the colours and where chroma is")
    func colors() throws {
        // Without a conversion between them, another colorimetry or siting would be refused.
        let sender = sender(
            "appsrc ! capsfilter caps=\"video/x-raw,colorimetry=bt709,chroma-site=(string)jpeg\" ! fakesink")
        let end = Date.now + 60
        while sender.counts.sent < 20, sender.counts.connections < 2, Date.now < end {
            try sender.send(try picture(0))
            usleep(10_000)
        }
        #expect(sender.counts.sent >= 20 && sender.counts.connections == 1, "\(sender.condition)")
    }

    @Test("A pipeline that ends is made again")
    func ends() throws {
        let sender = sender("identity eos-after=5 ! fakesink")
        var reasons: Set<String> = []
        let end = Date.now + 60
        while sender.counts.connections < 3, Date.now < end {
            try sender.send(try picture(0))
            if case .waiting(let reason) = sender.condition { reasons.insert(reason) }
            usleep(10_000)
        }
        #expect(sender.counts.connections >= 3 && reasons.count == 1, "\(sender.counts) \(reasons)")
        #expect(reasons.first?.contains("has ended: it is started again") == true, "\(reasons)")
    }

    @Test("A pipeline that fails is made again, one that cannot be made is not, and a slow one delays nobody")
    func failures() throws {
        let failing = sender("identity error-after=3 ! fakesink")
        var conditions: Set<String> = []
        let end = Date.now + 60
        while conditions.count < 2 || failing.counts.sent < 8, Date.now < end {
            try failing.send(try picture(0))
            switch failing.condition {
            case .waiting(let reason): conditions.insert(reason.contains("identity") ? "waiting" : reason)
            case .sending: conditions.insert("sending")
            default: break
            }
            usleep(10_000)
        }
        #expect(conditions == ["waiting", "sending"] && failing.counts.sent >= 8, "\(conditions) \(failing.counts)")

        let wrong = sender("nosuchelement")
        try wrong.send(try picture(0))
        guard case .failed(let reason) = wrong.condition else {
            Issue.record("\(wrong.condition)")
            return
        }
        #expect(reason.contains("nosuchelement") && wrong.counts.omitted == 1)

        // Nothing comes out of it, as of a receiver that takes nothing.
        let slow = sender("identity sleep-time=10000000 ! fakesink")
        let begin = MonotonicTime.now
        for _ in 0..<50 { try slow.send(try picture(0)) }
        #expect(.now - begin < .seconds(5))
        #expect(slow.counts.omitted >= 50 - PipelineSender.longestQueue - 3, "\(slow.counts)")
    }

    @Test("Pictures of another size or format are refused")
    func refusals() throws {
        let sender = sender("fakesink")
        let other = try PixelBuffer(
            packed: [UInt8](repeating: 0, count: 6), format: .i420, size: VideoSize(width: 2, height: 2))
        #expect(throws: StreamError.self) { try sender.send(other) }
    }
}
