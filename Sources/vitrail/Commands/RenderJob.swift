import ArgumentParser
import FFmpegMedia
import Logging
import MediaIO
import VideoWall
import WallRendering

/// A wall to be rendered to files.
struct RenderJob {
    let specifications: [InputSpecification]
    /// Other streams of the same inputs, which are not read.
    var substreams: [InputSpecification] = []
    /// What is opened for each of the specifications, in their order.
    let inputs: [RenderInput]
    /// An empty wall, which the tiles of the inputs are put on.
    let wall: Wall
    /// The file, as typed.
    let output: String
    /// The size of the pictures; by default that of the only tile's stream, else 1920x1080.
    let size: VideoSize?
    /// How an encoded file is encoded; `nil` for the usual way.
    var encoding: EncodingOptions?
    let drawing: RendererOptions
    /// What the decoders of all inputs have in common.
    let decoding: SharedDecoding
    /// Records incomplete files.
    let files: TemporaryFiles
    let times: RenderTimes
    let logger: Logger
    /// Why the renderer is chosen; `nil` if the user chose it, or nobody did.
    var reason: String?
    /// Moves the parameters of effects, or `nil`.
    var demo: EffectDemo?

    /// Opens the inputs and writes the pictures.
    ///
    /// - Throws: ``ProgramError``, or an exit status if everything is already logged.
    func run() throws {
        let form = try OutputSpecification(output)
        if let option = encoding?.given, !form.isEncoded {
            throw ProgramError(
                .usage,
                "\(option) is for .mp4, .mov, .mkv, .webm and .ts, not for “\(MediaLocation.hidingSecrets(in: output))”: omit it."
            )
        }
        if let input = (specifications + substreams).first(where: { $0.reads(output) }) {
            throw ProgramError(
                .usage,
                "\(MediaLocation.hidingSecrets(in: output)) is both the input \(input.typed) and the output: choose another output."
            )
        }
        let frameCount = try frameCount(form)
        let chosen = try drawing.make(because: reason)
        logger.info("drawn by \(chosen.renderer.summary(chosen.reason))")
        let limit = chosen.renderer.maximumSide
        try size?.check("The size of the picture", limit)
        for specification in specifications { try specification.checkSize(limit) }

        var failures = InputFailures(of: specifications.count, logger)
        for (index, specification) in specifications.enumerated() {
            do throws(StreamError) {
                try inputs[index].open(
                    specification, at: .seconds(times.start), limit: limit, decoding, logger)
            } catch {
                failures.add(error, of: index)
            }
        }
        try failures.checkAny()
        let infos = inputs.compactMap(\.info)
        for tile in inputs.flatMap(\.tiles) { wall.insert(tile) }
        let size = size ?? (wall.tiles.count == 1 ? infos.first?.displaySize : nil) ?? Self.wallSize
        let rate = infos.compactMap(\.frameRate).max { $0.value < $1.value } ?? Rational(30)
        if self.size == nil, max(size.width, size.height) > limit {
            throw ProgramError(
                .cannotOpen, "\(specifications[0].name) is shown as \(size), which is too large: set --size WxH.")
        }
        let clock = times.clock(rate, count: frameCount)
        let encoding = encoding?.encoding ?? VideoEncoding()
        wall.colorTarget = encoding.colorTarget
        try render(
            chosen, RenderOutput(form, size: size, frameRate: clock.rate, encoding, files), size, clock, &failures)
        try failures.check()
    }

    private static let wallSize = VideoSize(width: 1920, height: 1080)

    /// The number of pictures to make; `nil` for as many as there are until all inputs end.
    private func frameCount(_ form: OutputSpecification) throws(ProgramError) -> Int? {
        if case .picture = form {
            guard times.frames ?? 1 == 1 else {
                throw ProgramError(
                    .usage,
                    "\(MediaLocation.hidingSecrets(in: output)) is one picture: omit --frames, or number the pictures, as in wall-%04d.png."
                )
            }
            return 1
        }
        if times.frames == nil, let endless = specifications.first(where: \.isEndless) {
            throw ProgramError(.usage, "\(endless.name) never ends: set the number of pictures with --frames.")
        }
        return times.frames
    }

    /// How many pictures there are until all inputs end; `nil` if one of them does not say it.
    private func count(_ clock: RenderClock) -> Int? {
        var end = Duration.zero
        for info in inputs.compactMap(\.info) {
            guard let duration = info.duration else { return nil }
            end = max(end, duration)
        }
        return end > clock.start ? clock.rate.frame(at: end - clock.start) : nil
    }

    private func render(
        _ chosen: ChosenRenderer, _ output: RenderOutput, _ size: VideoSize, _ clock: RenderClock,
        _ failures: inout InputFailures
    ) throws {
        var chosen = chosen
        var picture = try chosen.renderer.makeOffscreenTarget(size: size, format: output.pictureFormat)
        var progress = ProgressBar(total: clock.count ?? count(clock), unit: "pictures")
        defer { progress.clear() }
        let log = OnceLog(logger)
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
                    throw ProgramError(
                        .usage, "Every input ends before --start \(times.start): choose an earlier time.")
                }
                if clock.count == nil { break }
            }
            wall.time = clock.time(index)
            demo?.move(to: wall.time)
            do {
                try write(index, chosen.renderer, picture, output, &failures)
            } catch let error as RenderingError where error.code == .contextLost && chosen.kind == .gpu {
                logger.error("\(error.description)")
                logger.warning("The GPU was lost: the CPU draws from now on.")
                chosen = try ChosenRenderer(.cpu, because: "the GPU was lost")
                picture = try chosen.renderer.makeOffscreenTarget(size: size, format: output.pictureFormat)
                try write(index, chosen.renderer, picture, output, &failures)
            }
            // A text that is rejected is missing in the picture.
            if let failure = wall.report.failure { log.log(.error, failure) }
            progress.advance()
        }
        // A picture that shows only failures is useless.
        if failures.isAll { try failures.check() }
        try output.finish()
    }

    /// Draws what has changed since the last picture, and writes it.
    private func write(
        _ index: Int, _ renderer: any WallRenderer, _ picture: any OffscreenTarget, _ output: RenderOutput,
        _ failures: inout InputFailures
    ) throws {
        // Unchanged parts are still in the picture.
        if try renderer.render(wall, into: picture) {
            for (number, input) in inputs.enumerated() {
                do throws(StreamError) { try input.checkUpload() } catch { failures.add(error, of: number) }
            }
            if let failure = wall.report.effectFailure { throw ProgramError(.failed, failure.description) }
        }
        try output.write(picture, index)
    }
}
