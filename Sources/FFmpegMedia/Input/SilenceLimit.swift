import CVitrailFFmpeg
import MediaIO

/// How long a live stream may send nothing before its connection counts as lost.
///
/// It is shorter than the time for connecting: a sender that has begun goes on. One that sends a packet now and then has
/// three times as long as it usually needs.
struct SilenceLimit {
    /// The shortest limit.
    static let least = Duration.seconds(5)

    private let timeout: Duration
    /// When the last packet came, in microseconds of FFmpeg's clock; `nil` before the first.
    private var last: Int64?
    /// The longest time between two packets, which is slowly forgotten; `nil` before the second packet.
    private var gap: Duration?

    /// Begins a connection; `timeout` is the longest limit.
    init(timeout: Duration) { self.timeout = timeout }

    /// How long to wait for the next packet.
    var limit: Duration { gap.map { min(timeout, max(Self.least, $0 * 3)) } ?? timeout }

    /// Notes that a packet has come.
    mutating func notePacket(at now: Int64 = av_gettime_relative()) {
        defer { last = now }
        guard let last else { return }
        let new = Duration.microseconds(now - last)
        // Of 25 packets a second, after ten seconds a hundredth is left.
        gap = max(new, (gap ?? .zero) * 0.98)
    }
}
