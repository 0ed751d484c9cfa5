import ArgumentParser
import MediaIO

/// The options that say which moments are rendered.
struct RenderTimes: ParsableArguments {
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

    /// The times of the pictures, at that rate unless another one is set.
    ///
    /// - Parameters:
    ///   - rate: the highest frame rate of the inputs.
    ///   - count: the number of pictures; `nil` for until the inputs end.
    /// - Returns: the times.
    func clock(_ rate: Rational, count: Int?) -> RenderClock {
        RenderClock(start: .seconds(start), rate: fps ?? rate, count: count)
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
