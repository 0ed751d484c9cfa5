import ArgumentParser
import MediaIO
import VideoWall
import WallRendering

/// `vitrail bench`: how fast this machine draws.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure how fast this machine draws walls.",
        discussion: """
            vitrail bench                      all five workloads
            vitrail bench W3 --renderer gpu    one of them, with OpenGL
            vitrail bench --streams 64 --size 1280x720 --format i420
            vitrail bench --limits             how many streams can be shown

            W1  one 1920x1080 I420, unscaled
            W2  four 1280x720 I420 in 1920x1080
            W3  sixteen 640x360 NV12 in 1920x1080
            W4  W3, where one stream of the sixteen has a new frame
            W5  one 3840x2160 NV12 reduced to 1280x720

            Frames are gradients with noise, at least eight for each stream, in
            memory; a picture is done when it is in memory, too (or on the GPU).
            Times are for one picture: the median of the repetitions, and the 99th
            percentile of all pictures. CPU time is that of all threads. Memory is
            the most that was resident, without the streams' frames. The start is
            from that of the program to the first picture.

            --limits draws 1, 4, 16, 64 and 256 streams in 1920x1080, with each
            renderer, and finds the most whose pictures take at most 33 ms (99th
            percentile): of 1280x720, with a new frame of each stream for every
            picture, and of 640x360, with one for every other. Decoding is no part.
            """)

    @Argument(help: ArgumentHelp("Workload: W1 to W5; by default all.", valueName: "workload"))
    var workloads: [String] = []

    /// The longest side of streams and pictures, in pixels.
    private static let maximumSide = 16_384

    @Option(help: ArgumentHelp("A workload of so many streams, instead of W1 to W5.", valueName: "n"))
    var streams: Int?

    @Flag(help: "Find how many streams this machine can show; two minutes.")
    var limits = false

    @Option(help: ArgumentHelp("Size of each stream, with --streams; 1280x720.", valueName: "WxH"))
    var size: VideoSize?

    @Option(
        help: ArgumentHelp("Pixel format of each stream, with --streams: vitrail formats; i420.", valueName: "name"))
    var format: String?

    @Option(help: ArgumentHelp("Size of the picture, with --streams; 1920x1080.", valueName: "WxH"))
    var outputSize: VideoSize?

    @OptionGroup var drawing: RendererOptions

    @Option(help: ArgumentHelp("Threads that draw on the CPU; by default one for each processor.", valueName: "n"))
    var threads: Int?

    @Option(help: ArgumentHelp("Scaling filter, see vitrail render --help.", valueName: "name"))
    var filter = ScalingFilter.bilinear

    @Option(help: ArgumentHelp("How often the pictures are measured.", valueName: "n"))
    var repetitions = 5

    @Option(help: ArgumentHelp("Pictures in each repetition.", valueName: "n"))
    var frames = 48

    @Option(
        help: ArgumentHelp(
            "Folder with the frames instead: raw planes, W3_00.yuv and so on, a file for each stream.",
            valueName: "folder"))
    var framesFrom: String?

    @Option(
        help: ArgumentHelp("Write the fourth picture to a file: RGBA, the top row first.", valueName: "file"),
        completion: .file())
    var picture: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        for (name, value, range) in [
            ("streams", streams ?? 1, 1...1000), ("threads", threads ?? 1, 1...256),
            ("repetitions", repetitions, 1...1000), ("frames", frames, 1...100_000),
        ] where !range.contains(value) {
            throw ValidationError(
                "The value of --\(name) must be from \(range.lowerBound) to \(range.upperBound), not \(value).")
        }
        if streams != nil, !workloads.isEmpty {
            throw ValidationError("Choose either workloads, such as \(workloads[0]), or --streams.")
        }
        for (name, given, size) in [
            ("size", size != nil, size), ("format", format != nil, nil), ("output-size", outputSize != nil, outputSize),
        ] {
            if given, streams == nil {
                throw ValidationError("--\(name) is for streams of your own: add their number, --streams.")
            }
            // Larger pictures fit into no renderer's memory.
            if let size, max(size.width, size.height) > Self.maximumSide {
                throw ValidationError(
                    "The size \(size) of --\(name) is too large: a side may have up to \(Self.maximumSide) pixels.")
            }
        }
        if limits, streams != nil || !workloads.isEmpty || framesFrom != nil || picture != nil {
            throw ValidationError(
                "--limits has its own streams: name neither workloads nor streams, frames or a picture.")
        }
    }

    func run() throws {
        // The CPU time until here is part of the program's start; the time for making frames is not.
        let before = BenchRun.cpuMilliseconds
        try ResourceCheck.run()
        let files = try TemporaryFiles.removedOnSignals()
        guard !limits else { return try findLimits() }
        let chosen = try selected()
        guard picture == nil || chosen.count == 1 else {
            throw ProgramError(.usage, "--picture is one picture: name one workload, such as W1.")
        }
        var progress = ProgressBar(total: chosen.count)
        defer { progress.clear() }
        var reports: [BenchReport] = []
        for workload in chosen {
            reports.append(try measure(workload, after: before, files))
            progress.advance()
        }
        progress.clear()
        guard json else { return try write(reports) }
        if let only = reports.first, reports.count == 1 { return try StandardOutput.write(json: only) }
        try StandardOutput.write(json: reports)
    }

    /// Measures both renderers where this machine has both, unless one was asked for.
    private func findLimits() throws {
        let choices = drawing.renderer == .auto ? [RendererChoice.cpu, .gpu] : [drawing.renderer]
        let renderers = try choices.compactMap { choice -> ChosenRenderer? in
            do throws(ProgramError) {
                return try drawing.make(choice, threadCount: threads)
            } catch {
                guard choice == .gpu, drawing.renderer == .auto else { throw error }
                LineLogHandler.write(error.description)
                return nil
            }
        }
        var progress = ProgressBar(total: renderers.count * BenchLimits.Load.all.count)
        defer { progress.clear() }
        var reports: [BenchLimits.Report] = []
        for load in BenchLimits.Load.all {
            for renderer in renderers {
                reports.append(try BenchLimits(chosen: renderer, filter: filter).measure(load))
                progress.advance()
            }
        }
        progress.clear()
        guard !json else { return try StandardOutput.write(json: reports) }
        try StandardOutput.write("Milliseconds for a picture, median / 99th percentile, by the number of streams:\n")
        try StandardOutput.write(table: [BenchLimits.Report.header] + reports.map(\.row))
    }

    private func write(_ reports: [BenchReport]) throws {
        if let first = reports.first {
            let upload = first.upload.map { ", upload \($0)" } ?? ""
            try StandardOutput.write("\(first.rendererName) (\(first.rendererReason))\(upload)\n")
        }
        try StandardOutput.write(table: [BenchReport.header] + reports.map(\.row))
    }

    private func selected() throws -> [BenchWorkload] {
        if let streams {
            guard let format = PixelFormat(named: self.format ?? "i420") else {
                throw ProgramError(
                    .usage, "There is no pixel format \(self.format ?? ""): vitrail formats lists them.")
            }
            let size = self.size ?? VideoSize(width: 1280, height: 720)
            let output = outputSize ?? VideoSize(width: 1920, height: 1080)
            return [BenchWorkload(streams: streams, format: format, size: size, output: output)]
        }
        guard !workloads.isEmpty else { return BenchWorkload.named }
        return try workloads.map { name in
            guard let found = BenchWorkload.named.first(where: { $0.name == name.uppercased() }) else {
                throw ProgramError(.usage, "There is no workload \(name): choose W1 to W5, or --streams.")
            }
            return found
        }
    }

    private func measure(
        _ workload: BenchWorkload, after before: Double, _ files: TemporaryFiles
    ) throws -> BenchReport {
        let begin = MonotonicTime.now
        let chosen = try drawing.make(threadCount: threads)
        let making = MonotonicTime.now - begin
        let frames = try makeFrames(workload, chosen)
        let start = MonotonicTime.now - .milliseconds(1) * before - making
        let run = BenchRun(workload: workload, chosen: chosen, frames: frames, filter: filter)
        return try run.measure(
            repetitions: repetitions, count: self.frames, start: start,
            fourth: picture.map { path in
                { bytes in
                    let file = try OutputFile(path, files)
                    try file.write(bytes)
                    try file.commit()
                }
            })
    }

    private func makeFrames(_ workload: BenchWorkload, _ chosen: ChosenRenderer) throws -> BenchFrames {
        do {
            if let framesFrom { return try BenchFrames(in: framesFrom, of: workload, for: chosen.renderer) }
            return try BenchFrames(generating: workload, for: chosen.renderer)
        } catch let error as StreamError {
            throw ProgramError(.cannotOpen, error.description)
        }
    }
}
