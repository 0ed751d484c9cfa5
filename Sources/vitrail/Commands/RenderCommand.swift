import ArgumentParser
import FFmpegMedia
import GLRendering
import MediaIO
import VideoWall

/// `vitrail render`: the wall without a window.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Render the wall to files, without a window.",
        discussion: """
            vitrail render a.mp4 -o a.png --start 12.5   the picture at 12.5 s
            vitrail render a.mp4 b.mp4 -o wall.y4m       both, side by side
            vitrail render test:clock --frames 90 -o clock-%04d.png
            vitrail render a.mp4 -o - | ffmpeg -i - wall.mp4

            Time comes from the frames, never from the clock: the same inputs give
            the same bytes. Picture k shows each input at --start + k/fps.
            A file appears only when it is complete, and not at all after an error.
            Pictures of a series are numbered from 0.

            If one of several inputs cannot be opened or fails later, its tile and
            standard error say so; the wall is rendered, and the exit status is 1.
            If none can be opened, the status is 66, and nothing is written.
            A damaged input is reported, and the rest of it rendered.
            When the reader of standard output exits, vitrail exits with 0.
            """)

    @OptionGroup var wall: WallOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Output file: .png, -%04d.png (a series) or .y4m; or - for Y4M on standard output.", valueName: "file"))
    var output: String

    @Option(help: ArgumentHelp("Picture size; by default that of a single input, else 1920x1080.", valueName: "WxH"))
    var size: VideoSize?

    @Option(
        help: ArgumentHelp(
            "Number of pictures; by default 1 for .png, else until all inputs have ended.", valueName: "n"))
    var frames: Int?

    @Option(help: ArgumentHelp("Time of the first picture, from the start of the inputs.", valueName: "seconds"))
    var start: Double = 0

    @Option(
        help: ArgumentHelp(
            "Pictures per second, N or N/D; by default the highest frame rate of the inputs.", valueName: "rate"))
    var fps: Rational?

    func validate() throws {
        if let frames, frames < 1 { throw ValidationError("The value of --frames must be 1 or more, not \(frames).") }
        guard start >= 0, start <= 1e9 else {
            throw ValidationError("The value of --start must be a number of seconds, 0 or more, not \(start).")
        }
    }

    func run() throws {
        let (specifications, style) = try wall.parsed()
        let output = try OutputSpecification(output)
        let frameCount = try frameCount(output, specifications)
        let files = TemporaryFiles()
        try files.removeOnSignals()
        let renderer: any WallRenderer = try GLRenderer(context: openHeadlessContext())
        let limit = renderer.maximumSide
        try size?.check("The size of the picture", limit)
        for specification in specifications { try specification.checkSize(limit) }

        var failures = InputFailures(of: specifications.count, wall.logger)
        let start = Duration.seconds(start)
        let inputs = specifications.map { RenderInput($0, style) }
        for (index, specification) in specifications.enumerated() {
            do throws(StreamError) { try inputs[index].open(specification, at: start, limit: limit, wall.logger) } catch
            {
                failures.add(error, of: index)
            }
        }
        try failures.checkAny()
        let infos = inputs.compactMap(\.info)
        let size = size ?? (specifications.count == 1 ? infos.first?.displaySize : nil) ?? Self.wallSize
        let rate = fps ?? infos.compactMap(\.frameRate).max { $0.value < $1.value } ?? Rational(30)
        if self.size == nil, max(size.width, size.height) > limit {
            throw ProgramError(
                .cannotOpen, "\(specifications[0].name) is shown as \(size), which is too large: set --size WxH.")
        }
        let clock = RenderClock(start: start, rate: rate, count: frameCount)
        let shown = style.makeWall(wall.layout)
        for input in inputs { shown.insert(input.tile) }
        try render(
            shown, inputs, renderer, RenderOutput(output, size: size, frameRate: rate, files), size, clock, &failures)
        try failures.check()
    }

    private static let wallSize = VideoSize(width: 1920, height: 1080)

    /// The number of pictures to make; `nil` for until the end.
    private func frameCount(
        _ output: OutputSpecification, _ specifications: [InputSpecification]
    ) throws(ProgramError) -> Int? {
        if case .picture = output {
            guard frames ?? 1 == 1 else {
                throw ProgramError(
                    .usage,
                    "\(MediaLocation.hidingSecrets(in: self.output)) is one picture: omit --frames, or number the pictures, as in wall-%04d.png."
                )
            }
            return 1
        }
        if frames == nil, let endless = specifications.first(where: \.isEndless) {
            throw ProgramError(.usage, "\(endless.name) never ends: set the number of pictures with --frames.")
        }
        return frames
    }

    private func render(
        _ shown: Wall, _ inputs: [RenderInput], _ renderer: any WallRenderer, _ output: RenderOutput, _ size: VideoSize,
        _ clock: RenderClock,
        _ failures: inout InputFailures
    ) throws {
        let picture = try renderer.makeOffscreenTarget(size: size)
        var progress = RenderProgress(total: clock.count)
        defer { progress.clear() }
        for index in 0..<(clock.count ?? .max) {
            for (number, input) in inputs.enumerated() {
                do throws(StreamError) { try input.advance(to: clock.time(index)) } catch {
                    failures.add(error, of: number)
                }
            }
            if inputs.allSatisfy(\.hasEnded) {
                if index == 0 {
                    // One line is enough: a failed input is already reported.
                    try failures.check()
                    throw ProgramError(.usage, "Every input ends before --start \(start): choose an earlier time.")
                }
                if clock.count == nil { break }
            }
            shown.time = clock.time(index)
            // Unchanged parts are still in the picture.
            if try renderer.render(shown, into: picture) {
                for (number, input) in inputs.enumerated() {
                    do throws(StreamError) { try input.checkUpload() } catch { failures.add(error, of: number) }
                }
                if let failure = shown.report.effectFailure { throw ProgramError(.failed, failure.description) }
            }
            try output.write(picture, index)
            progress.show(index + 1)
        }
        // A picture that shows only failures is useless.
        if failures.isAll { try failures.check() }
        try output.finish()
    }
}

/// The times of the pictures to render.
struct RenderClock: Hashable {
    /// The time of picture 0.
    let start: Duration
    /// Pictures per second.
    let rate: Rational
    /// The number of pictures, or `nil` for until the inputs end.
    let count: Int?

    /// The time of picture `index`.
    func time(_ index: Int) -> Duration { start + rate.time(ofFrame: index) }
}
