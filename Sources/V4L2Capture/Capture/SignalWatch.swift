import MediaIO

/// When a camera's driver is asked for the signal: with the first frame, and then about once a second, however many frames
/// come.
struct SignalWatch {
    /// The time between two questions.
    static let interval = Duration.seconds(1)

    /// Why there is no signal, as last heard; `nil` if there is one.
    private(set) var problem: StreamError?
    /// When to ask next.
    private(set) var next: MonotonicTime
    private var hasAsked = false

    /// Begins when the camera is started.
    init(at now: MonotonicTime) { next = now + Self.interval }

    /// Whether to ask now.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - hasFrame: whether a frame has come. Before the first one, a driver may not have found the signal yet.
    /// - Returns: whether to ask.
    func isDue(at now: MonotonicTime, hasFrame: Bool) -> Bool { now >= next || hasFrame && !hasAsked }

    /// Notes the answer.
    mutating func note(_ problem: StreamError?, at now: MonotonicTime) {
        (self.problem, next, hasAsked) = (problem, now + Self.interval, true)
    }
}
