/// The output of `vitrail bench` for one workload; a frame is a picture of the whole wall.
struct BenchReport: Codable, Hashable {
    var workload: String
    /// `gpu` or `cpu`.
    var renderer: String
    var rendererName: String
    var rendererReason: String
    var cpuMillisecondsPerFrame: Double
    var cpuMillisecondsP99: Double
    var wallMillisecondsPerFrame: Double
    var wallMillisecondsP99: Double
    var framesPerSecond: Double
    var uploadBytesPerFrame: Int
    /// Without the frames of the streams.
    var peakMemoryMiB: Double
    /// From the start of the program to the first picture, without the time in which the streams' frames were made.
    var startupMilliseconds: Double

    static let header = [
        "workload", "renderer", "CPU ms", "p99", "wall ms", "p99", "pictures/s", "upload MB", "memory MiB", "start ms",
    ]

    /// A row of the table.
    var row: [String] {
        [
            workload, renderer, "\(cpuMillisecondsPerFrame)", "\(cpuMillisecondsP99)", "\(wallMillisecondsPerFrame)",
            "\(wallMillisecondsP99)", "\(Int(framesPerSecond.rounded()))",
            "\((Double(uploadBytesPerFrame) / 10_000).rounded() / 100)", "\(Int(peakMemoryMiB.rounded()))",
            "\(Int(startupMilliseconds.rounded()))",
        ]
    }
}
