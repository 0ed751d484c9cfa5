/// Which of an input's two streams its tile plays: the substream while the tile is small, the main stream when it is large.
///
/// A tile begins with the substream, whose first picture comes sooner. While another one is connected to, the old one goes
/// on; where one of them cannot be reached, the other one is tried.
struct StreamChoice {
    /// One of the streams.
    enum Stream { case main, substream }

    /// What is to be done.
    enum Step: Equatable {
        /// Nothing.
        case none
        /// Connect to a stream, and go on with the other one until its first picture.
        case connect(Stream)
        /// Close the stream that was being connected to.
        case cancel
    }

    /// A picture of at most so many pixels of the wall is small: that of a usual substream, 640 x 360.
    static let smallArea = 640 * 360
    /// How long a tile must be small before its large stream is given up: the focus comes and goes.
    static let patience = Duration.seconds(2)

    /// The stream that the tile plays.
    private(set) var playing = Stream.substream
    /// The stream that is being connected to; `nil` for none.
    private(set) var pending: Stream?
    private var wish = Stream.substream
    private var shrunk: ContinuousClock.Instant?

    /// When the choice may change although nothing happens; `nil` for never.
    var due: ContinuousClock.Instant? { shrunk.map { $0 + Self.patience } }

    /// Decides what is to be done.
    ///
    /// - Parameters:
    ///   - area: how many pixels of the wall the whole picture would cover; `nil` while the tile is hidden.
    ///   - isFailing: whether the stream that plays has failed or waits for its next try.
    ///   - now: the time.
    /// - Returns: the step, which is to be taken at once.
    mutating func next(area: Double?, isFailing: Bool, now: ContinuousClock.Instant) -> Step {
        // The time of a hidden tile does not count: nothing asks for its choice.
        if let area { update(area, now) } else { shrunk = nil }
        let other: Stream = playing == .main ? .substream : .main
        guard pending == nil else {
            guard wish == playing, !isFailing else { return .none }
            pending = nil
            return .cancel
        }
        guard wish != playing || isFailing else { return .none }
        pending = other
        return .connect(other)
    }

    /// Notes the first picture of the stream that was connected to.
    mutating func takeOver() {
        if let pending { playing = pending }
        pending = nil
    }

    private mutating func update(_ area: Double, _ now: ContinuousClock.Instant) {
        switch wish {
        case .main where area <= Double(Self.smallArea):
            let start = shrunk ?? now
            shrunk = start
            if now >= start + Self.patience { (wish, shrunk) = (.substream, nil) }
        case .main: shrunk = nil
        // A little larger, or a tile of just this size would change all the time.
        case .substream: if area > Double(Self.smallArea) * 1.2 { wish = .main }
        }
    }
}
