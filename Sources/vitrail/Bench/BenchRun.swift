import Glibc
import MediaIO
import VideoWall
import VitrailGL
import WallRendering

/// The measurement of one workload with one renderer.
struct BenchRun {
    let workload: BenchWorkload
    let chosen: ChosenRenderer
    let frames: BenchFrames
    let filter: ScalingFilter

    /// Times of one picture, in milliseconds.
    private struct Times {
        var wall: [Double] = []
        var cpu: [Double] = []
        /// The mean CPU time of a picture in each repetition.
        var cpuMeans: [Double] = []
        var wallMeans: [Double] = []
    }

    /// Draws pictures and measures them.
    ///
    /// - Parameters:
    ///   - repetitions: how often the pictures are measured.
    ///   - count: the pictures in each repetition.
    ///   - start: when the program would have been started if it had made no frames.
    ///   - fourth: gets the fourth picture, in RGBA.
    /// - Returns: the result.
    /// - Throws: what drawing throws.
    func measure(
        repetitions: Int, count: Int, start: MonotonicTime, fourth: (([UInt8]) throws -> Void)?
    ) throws -> BenchReport {
        let wall = try BenchWall(workload, chosen, frames, filter)
        try wall.draw()
        let startup = (MonotonicTime.now - start) / .milliseconds(1)
        for _ in 1..<4 { try wall.draw() }
        try fourth?(wall.picture.readPixels())
        for _ in 0..<25 { try wall.draw() }
        let (uploaded, pictures) = (wall.uploaded, wall.number)
        let passes = chosen.renderer.passTimes
        var times = Times()
        for _ in 0..<repetitions {
            let (wallStart, cpuStart) = (MonotonicTime.now, Self.cpuMilliseconds)
            var (wallLast, cpuLast) = (wallStart, cpuStart)
            for _ in 0..<count {
                try wall.draw()
                let (wallNow, cpuNow) = (MonotonicTime.now, Self.cpuMilliseconds)
                times.wall.append((wallNow - wallLast) / .milliseconds(1))
                times.cpu.append(cpuNow - cpuLast)
                (wallLast, cpuLast) = (wallNow, cpuNow)
            }
            times.cpuMeans.append((cpuLast - cpuStart) / Double(count))
            times.wallMeans.append((wallLast - wallStart) / .milliseconds(1) / Double(count))
        }
        try wall.check()
        var report = report(
            times, uploaded: wall.uploaded - uploaded, pictures: wall.number - pictures, startup: startup)
        report.gpuMillisecondsPerFrame = chosen.renderer.passTimes.map {
            Self.gpuTimes($0.since(passes ?? PassTimes()))
        }
        return report
    }

    /// The value that a share of the values stay below, as a percentile does; there must be at least one.
    static func share(_ values: [Double], _ share: Double) -> Double {
        let sorted = values.sorted()
        return rounded(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

    private static func gpuTimes(_ passes: PassTimes) -> BenchReport.GPUTimes {
        let mean = passes.mean
        func milliseconds(_ time: Duration) -> Double { rounded(time / .milliseconds(1)) }
        return BenchReport.GPUTimes(
            upload: milliseconds(mean.upload), prepare: milliseconds(mean.prepare), draw: milliseconds(mean.draw))
    }

    private func report(_ times: Times, uploaded: Int, pictures: Int, startup: Double) -> BenchReport {
        let wall = Self.share(times.wallMeans, 0.5)
        return BenchReport(
            workload: workload.name, renderer: chosen.kind.rawValue, rendererName: chosen.renderer.name,
            rendererReason: chosen.reason, upload: chosen.renderer.upload,
            cpuMillisecondsPerFrame: Self.share(times.cpuMeans, 0.5),
            cpuMillisecondsP99: Self.share(times.cpu, 0.99), wallMillisecondsPerFrame: wall,
            wallMillisecondsP99: Self.share(times.wall, 0.99),
            framesPerSecond: Self.rounded(wall > 0 ? 1000 / wall : 0),
            uploadBytesPerFrame: uploaded * workload.frameBytes / pictures,
            peakMemoryMiB: Self.rounded(Double(Self.peakMemory - frames.byteCount) / 1_048_576),
            startupMilliseconds: Self.rounded(startup))
    }

    /// The time that all threads of this process have computed.
    static var cpuMilliseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    /// The most memory of this process that was resident, in bytes.
    private static var peakMemory: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1024
    }
}
