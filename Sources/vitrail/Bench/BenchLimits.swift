import MediaIO
import VideoWall
import WallRendering

/// How the time of a picture grows with the number of streams, and how many streams a renderer can show.
struct BenchLimits {
    /// Streams of one kind, in pictures at 30 Hz.
    struct Load: Sendable {
        let name: String
        let size: VideoSize
        /// A stream has one new frame in this many pictures.
        let interval: Int

        static let all = [
            Load(name: "720p30", size: VideoSize(width: 1280, height: 720), interval: 1),
            Load(name: "360p15", size: VideoSize(width: 640, height: 360), interval: 2),
        ]

        func workload(_ streams: Int) -> BenchWorkload {
            BenchWorkload(
                streams: streams, format: .i420, size: size, output: VideoSize(width: 1920, height: 1080),
                newFrames: (streams + interval - 1) / interval)
        }
    }

    /// The time of a picture of `streams` streams.
    struct Point: Codable, Hashable {
        var streams: Int
        var wallMillisecondsMedian: Double
        var wallMillisecondsP99: Double
    }

    /// One line of the table.
    struct Report: Codable, Hashable {
        var load: String
        /// `gpu` or `cpu`.
        var renderer: String
        var rendererName: String
        var points: [Point]
        /// The most streams whose pictures are in time; ``largest`` if that is not the limit.
        var limit: Int

        static let header = ["load", "renderer"] + counts.map { "\($0)" } + ["limit"]

        /// A row of the table.
        var row: [String] {
            let times = points.map { "\($0.wallMillisecondsMedian) / \($0.wallMillisecondsP99)" }
            return [load, renderer] + times + [limit >= largest ? "\(largest) or more" : "\(limit)"]
        }
    }

    static let counts = [1, 4, 16, 64, 256]
    /// The most streams that are tried.
    static let largest = 1024
    /// How long a picture may take: at 30 Hz, in milliseconds.
    static let longest = 33.0

    let chosen: ChosenRenderer
    let filter: ScalingFilter

    /// Measures a load.
    ///
    /// - Parameter load: the streams.
    /// - Returns: the times of all ``counts``, and the limit.
    /// - Throws: what drawing throws.
    func measure(_ load: Load) throws -> Report {
        let frames = try BenchFrames(generating: load.workload(Self.largest), for: chosen.renderer)
        func point(_ streams: Int) throws -> Point { try measure(load.workload(streams), frames) }
        let points = try Self.counts.map(point)
        let limit = try Self.limit(points) { try point($0).wallMillisecondsP99 }
        return Report(
            load: load.name, renderer: chosen.kind.rawValue, rendererName: chosen.renderer.name, points: points,
            limit: limit)
    }

    /// Finds the most streams whose pictures are in time, to two percent.
    ///
    /// - Parameters:
    ///   - points: what is known already.
    ///   - p99: measures the time of a picture of a number of streams, in milliseconds.
    /// - Returns: the number, at most ``largest``; 0 if even one stream is too slow.
    /// - Throws: what `p99` throws.
    static func limit(_ points: [Point], _ p99: (Int) throws -> Double) rethrows -> Int {
        var bad = points.first { $0.wallMillisecondsP99 > longest }?.streams ?? largest
        var good = points.last { $0.streams < bad }?.streams ?? 0
        if bad == largest, try p99(bad) <= longest { return bad }
        while bad - good > max(1, good / 50) {
            let middle = (good + bad) / 2
            if try p99(middle) <= longest { good = middle } else { bad = middle }
        }
        return good
    }

    private func measure(_ workload: BenchWorkload, _ frames: BenchFrames) throws -> Point {
        let wall = try BenchWall(workload, chosen, frames, filter)
        for _ in 0..<4 { try wall.draw() }
        var times: [Double] = []
        let end = MonotonicTime.now + .seconds(3)
        // A slow renderer's limit is clear after few pictures.
        while times.count < 10 || (times.count < 200 && MonotonicTime.now < end) {
            let start = MonotonicTime.now
            try wall.draw()
            times.append((MonotonicTime.now - start) / .milliseconds(1))
        }
        try wall.check()
        return Point(
            streams: workload.streams, wallMillisecondsMedian: BenchRun.share(times, 0.5),
            wallMillisecondsP99: BenchRun.share(times, 0.99))
    }
}
