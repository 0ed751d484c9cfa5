import MediaIO
import Testing

@testable import FFmpegMedia

/// When a recording began.
@Suite(.timeLimit(.minutes(25))) struct RecordingTimeTests {
    @Test(
        "A camera's clock says it, unless it is wrong",
        arguments: [(nil, 0), (0, 0), (-1000, -1000), (-500_000_000, 0), (3_600_000, 0)] as [(Int?, Int)])
    func captures(_ error: Int?, _ expected: Int) throws {
        let folder = try ClipFolder()
        let clip = try RecordedClip(folder, "in.mkv", seconds: 1, ["-c:v", "mjpeg", "-c:a", "aac"])
        let packet = clip.packets[0]
        let now = MachineClock.read()
        // It has waited for three seconds.
        let arrival = now.at - .seconds(3)
        var timing = packet.timing
        timing.capture = error.map { now.sinceEpoch - .seconds(3) + .milliseconds($0) }
        let time = RecordingTime(
            RecordingPart.Arrived(packet: packet, timing: timing, attributes: nil, arrival: arrival))
        let difference = time.sinceEpoch - (now.sinceEpoch - .seconds(3) + .milliseconds(expected))
        #expect(max(difference, .zero - difference) < .milliseconds(500), "\(difference)")
    }
}
