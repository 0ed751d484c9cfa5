import MediaIO
import VideoSources
import VideoWall

/// The output of `vitrail probe --latency` for an input: how old its pictures of `test:clock?utc` are.
struct LatencyReport: InspectionReport, Encodable {
    /// How long pictures are read that are not counted: senders first deliver what they have kept.
    private static let beginning = Duration.seconds(1)
    /// Numbers that say more are not times: another rate, or the time since a start.
    private static let longest = Duration.seconds(3600)

    var input: String
    /// The pictures that were read, and those between them that were not there.
    var (pictures, missing) = (0, 0)
    /// Those without a readable time, and those that show a later time than this machine's clock.
    var (unreadable, early) = (0, 0)
    /// From the time that a picture shows until it was decoded, in milliseconds; `nil` of none.
    var latency: WallRecord.Times?

    /// Reads pictures for some time.
    ///
    /// - Parameters:
    ///   - input: the name of the input.
    ///   - reader: the input, open.
    ///   - rate: the pictures a second of the pattern.
    ///   - time: for how long they are counted.
    /// - Throws: what reading throws; ``StreamError/Code/malformed`` if no picture has a number.
    init(_ input: String, _ reader: any FrameReader, rate: Rational, for time: Duration) throws(StreamError) {
        self.input = input
        var ages = FrameLatency()
        var last: Int?
        var hasNumber = false
        let begin = MonotonicTime.now + Self.beginning
        while MonotonicTime.now < begin + time, let frame = try reader.next() {
            guard MonotonicTime.now >= begin else { continue }
            pictures += 1
            guard let number = TestPatternClock.frameNumber(in: try frame.pixelBuffer) else {
                unreadable += 1
                continue
            }
            let age = Self.age(of: number, rate, at: MachineClock.read().sinceEpoch)
            guard max(age, .zero - age) <= Self.longest else {
                (unreadable, hasNumber) = (unreadable + 1, true)
                continue
            }
            if let last { missing += max(0, number - last - 1) }
            last = number
            if age < .zero { early += 1 }
            ages.note(age)
        }
        guard last != nil else {
            throw StreamError(
                .malformed,
                hasNumber
                    ? """
                    \(input) shows numbers that are not the time at \(rate) pictures a second: say the sender's rate with \
                    --rate, begin it with vitrail view 'test:clock?utc' --no-names, and set the clocks of both machines.
                    """
                    : """
                    \(input) does not show test:clock: begin it with vitrail view 'test:clock?utc' --no-names --also OUTPUT.
                    """)
        }
        latency = WallRecord.Times(ages)
    }

    /// How old the picture of a number is, which counts modulo 2³²; negative if its time is yet to come.
    static func age(of number: Int, _ rate: Rational, at sinceEpoch: Duration) -> Duration {
        let present = rate.frame(at: sinceEpoch)
        let behind = Int(Int32(truncatingIfNeeded: present - number))
        return sinceEpoch - rate.time(ofFrame: present - behind)
    }

    var tables: [[[String]]] {
        func text(_ milliseconds: Double?) -> String { milliseconds.map { "\($0) ms" } ?? "–" }
        let (median, p99, longest) = (text(latency?.median), text(latency?.p99), text(latency?.longest))
        var rows = [
            ["latency", "median \(median), p99 \(p99), at most \(longest)"],
            ["pictures", "\(pictures), \(missing) missing"],
        ]
        if early > 0 {
            let pictures = early == 1 ? "picture is" : "pictures are"
            rows.append(["clocks", "\(early) \(pictures) from the future: set the clocks"])
        }
        if unreadable > 0 { rows.append(["unreadable", "\(unreadable)"]) }
        return [rows]
    }
}
