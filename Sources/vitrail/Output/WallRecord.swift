import FFmpegMedia
import FoundationEssentials
import Glibc
import MediaIO
import VideoWall

/// What a wall did since it was shown, and in the last second: a line of the statistics.
struct WallRecord: Encodable, Sendable {
    /// Milliseconds that half, 99 of 100 and all of the values do not exceed.
    struct Times: Encodable, Sendable {
        var median: Double
        var p99: Double
        var longest: Double

        /// `nil` if there are none.
        init?(_ times: FrameLatency) {
            guard let median = times.percentile(0.5), let p99 = times.percentile(0.99) else { return nil }
            func milliseconds(_ time: Duration) -> Double { ((time / .milliseconds(1)) * 100).rounded() / 100 }
            self.median = milliseconds(median)
            self.p99 = milliseconds(p99)
            longest = milliseconds(times.maximum)
        }
    }

    /// A tile, and its counts since it was shown.
    struct Tile: Encodable, Sendable {
        var name: String
        var state: TileState.RawValue
        var received: Int
        var dropped: Int
        var omitted: Int
        var failed: Int
        /// How it is recorded; `nil` if it is not.
        var recording: Recording?
        /// What its sender's clock says; `nil` if it says nothing.
        var clock: Clock?
        /// What the pictures of the last second took; `nil` of none, and of stored media.
        var latency: Stages?
    }

    /// How long each stage took, from the capture of a picture to the screen.
    struct Stages: Encodable, Sendable {
        /// From the capture to the arrival; `nil` if the sender's clock is not known.
        var receive: Times?
        /// From then to the decoded picture; `nil` of pictures that were not encoded.
        var decode: Times?
        /// From then until the wall took it.
        var wait: Times?
        var draw: Times?
        var screen: Times?
        /// From the capture, or else from the arrival, to the screen.
        var total: Times?

        /// `nil` if there are none.
        init?(_ stages: StageLatency) {
            guard stages.total.count > 0 else { return nil }
            (receive, decode, wait) = (Times(stages.receive), Times(stages.decode), Times(stages.wait))
            (draw, screen, total) = (Times(stages.draw), Times(stages.screen), Times(stages.total))
        }
    }

    /// The clock of a stream's sender, in milliseconds.
    struct Clock: Encodable, Sendable {
        /// What the network takes at its quickest; `nil` if the clock is wrong.
        var networkDelay: Int?
        /// How far it is behind, negative if it is ahead; `nil` if it may be right.
        var error: Int?

        /// `nil` if nothing is known.
        init?(_ report: CaptureReport) {
            guard report != CaptureReport() else { return nil }
            networkDelay = report.networkDelay.map(WallRecord.milliseconds)
            error = report.clockError.map(WallRecord.milliseconds)
        }
    }

    /// The instant that live streams show together, in milliseconds.
    struct Alignment: Encodable, Sendable {
        /// How long after their capture pictures are shown.
        var delay: Int
        /// How far apart the captures are of what tiles show; `nil` of fewer than two.
        var spread: Int?
    }

    /// The recording of a tile, and its counts since it was begun.
    struct Recording: Encodable, Sendable {
        var state: String
        var path: String?
        var reason: String?
        var files: Int
        var packets: Int
        var bytes: Int
        var omitted: Int

        init(_ condition: RecorderCondition, _ counts: RecorderCounts) {
            switch condition {
            case .waiting: state = "waiting"
            case .recording(let path, let omission): (state, self.path, reason) = ("recording", path, omission)
            case .paused(let reason): (state, self.reason) = ("paused", reason)
            case .failed(let reason): (state, self.reason) = ("failed", reason)
            case .ended: state = "ended"
            }
            (files, packets, bytes, omitted) = (counts.files, counts.packets, counts.bytes, counts.omitted)
        }
    }

    /// An output beside the window, and its counts since it was begun.
    struct Output: Encodable, Sendable {
        var name: String
        var state: LiveOutput.State
        var pictures: Int
        var missed: Int
        var omitted: Int

        init(_ output: LiveOutput) {
            let report = output.report
            (name, state, pictures) = (output.specification.name, report.state, report.pictures)
            (missed, omitted) = (report.missed, report.omitted)
        }
    }

    /// What the program uses of the machine.
    struct Process: Encodable, Sendable {
        /// Its resident memory.
        var memoryKiB: Int
        var threads: Int
        var descriptors: Int
        /// The processor time that it has used.
        var processorSeconds: Double
    }

    /// The local time in ISO 8601.
    var time: String
    /// Seconds since the wall was shown.
    var seconds: Double
    /// Pictures drawn since then.
    var pictures: Int
    /// The time between two pictures in the last second.
    var intervals: Times?
    /// The time from the arrival of a frame to the screen in the last second.
    var latency: Times?
    /// All tiles, hidden ones too.
    var tiles: [Tile]
    /// What is sent or written beside the window; `nil` for nothing.
    var outputs: [Output]?
    /// The instant that live streams show; `nil` if each shows its own.
    var alignment: Alignment?
    /// Known when the line is written.
    private var process: Process?

    /// A record without what the program uses of the machine.
    init(
        time: String, seconds: Double, pictures: Int, intervals: Times?, latency: Times?, tiles: [Tile]
    ) {
        (self.time, self.seconds, self.pictures) = (time, seconds, pictures)
        (self.intervals, self.latency, self.tiles) = (intervals, latency, tiles)
    }

    /// A time in whole milliseconds.
    static func milliseconds(_ time: Duration) -> Int { Int((time / .milliseconds(1)).rounded()) }

    /// The record as JSON, with its keys in order.
    func line(with process: Process) -> String {
        var record = self
        record.process = process
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Every value can be encoded: there are no numbers but finite ones.
        return (try? encoder.encode(record)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension WallRecord.Process {
    /// As the system counts at this moment.
    static var now: Self {
        let fields =
            (try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8))?
            .split(separator: ")").last?.split(separator: " ") ?? []
        // See proc(5): the fields after the name begin with the third.
        func field(_ number: Int) -> Int { fields.indices.contains(number - 3) ? Int(fields[number - 3]) ?? 0 : 0 }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
        return Self(
            memoryKiB: field(24) * sysconf(Int32(_SC_PAGESIZE)) / 1024, threads: field(20),
            // Without the one that reads the folder.
            descriptors: max(0, descriptors - 1),
            processorSeconds: Double(field(14) + field(15)) / Double(sysconf(Int32(_SC_CLK_TCK))))
    }
}
