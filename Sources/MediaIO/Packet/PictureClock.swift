/// When the pictures of a live stream were captured, on the clock of this machine, as far as their arrival tells it.
///
/// The packet that the network has delivered the quickest of late tells how the sender's clock differs. So what jitters on
/// its way does not jitter here, and a clock that runs at another speed is followed.
struct PictureClock {
    /// If the difference changes by more than this, the sender's clock was set.
    private static let longestJump = Duration.seconds(5)
    /// How long a packet tells the difference: between once and twice this.
    private static let memory = Duration.seconds(30)

    /// The smallest differences between arrival and time: of the present span, and of the one before.
    private var (smallest, former) = (Duration?.none, Duration?.none)
    private var spanEnd = MonotonicTime(sinceBoot: .zero)

    /// Forgets what it knows, as when the sender may be another one.
    mutating func reset() { (smallest, former) = (nil, nil) }

    /// When a picture was captured.
    ///
    /// - Parameters:
    ///   - time: its time on the sender's clock; `nil` if it has none.
    ///   - arrival: when its packet arrived.
    /// - Returns: at the latest, the arrival.
    mutating func moment(of time: Duration?, arrival: MonotonicTime) -> MonotonicTime {
        guard let time else { return arrival }
        let difference = arrival.sinceBoot - time
        if let known = smallest ?? former, abs(difference - known) > Self.longestJump { reset() }
        if arrival >= spanEnd {
            (former, smallest, spanEnd) = (smallest, nil, arrival + Self.memory)
        }
        let least = min(smallest ?? difference, difference)
        smallest = least
        return MonotonicTime(sinceBoot: time + min(least, former ?? least))
    }

    private func abs(_ span: Duration) -> Duration { span < .zero ? .zero - span : span }
}
