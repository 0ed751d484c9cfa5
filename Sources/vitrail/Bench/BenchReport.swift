/// The output of `vitrail bench` for one workload; a frame is a picture of the whole wall.
struct BenchReport: Codable, Hashable {
    var workload: String
    /// `gpu` or `cpu`.
    var renderer: String
    var rendererName: String
    var rendererReason: String
    /// How frames reach the GPU, and why; `nil` for the CPU.
    var upload: String?
    var cpuMillisecondsPerFrame: Double
    var cpuMillisecondsP99: Double
    var wallMillisecondsPerFrame: Double
    var wallMillisecondsP99: Double
    var framesPerSecond: Double
    /// How long the GPU worked, as it says itself; `nil` where the CPU draws.
    var gpuMillisecondsPerFrame: GPUTimes?
    var uploadBytesPerFrame: Int
    /// The peak memory of the process, without the frames of the streams.
    var peakMemoryMiB: Double
    /// From the start of the program to the first picture, without the time in which the streams' frames were made.
    var startupMilliseconds: Double

    /// Milliseconds of a picture's passes.
    struct GPUTimes: Codable, Hashable {
        var upload: Double
        var prepare: Double
        var draw: Double
    }

    static let header = [
        "workload", "renderer", "CPU ms", "p99", "wall ms", "p99", "GPU ms", "pictures/s", "upload MB", "memory MiB",
        "start ms",
    ]

    /// A row of the table.
    var row: [String] {
        [
            workload, renderer, "\(cpuMillisecondsPerFrame)", "\(cpuMillisecondsP99)", "\(wallMillisecondsPerFrame)",
            "\(wallMillisecondsP99)",
            gpuMillisecondsPerFrame.map { "\((($0.upload + $0.prepare + $0.draw) * 1000).rounded() / 1000)" } ?? "–",
            "\(Int(framesPerSecond.rounded()))",
            "\((Double(uploadBytesPerFrame) / 10_000).rounded() / 100)", "\(Int(peakMemoryMiB.rounded()))",
            "\(Int(startupMilliseconds.rounded()))",
        ]
    }
}
