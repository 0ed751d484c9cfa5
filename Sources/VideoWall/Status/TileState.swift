/// What a tile says about its stream: by a colour, by a sign of its own shape, and in words.
///
/// **Thread:** any.
public enum TileState: String, Hashable, Sendable, CaseIterable {
    /// There was no picture yet, and nothing has failed.
    case connecting
    /// Pictures arrive.
    case live
    /// The next picture should be there; see ``SilenceLadder``.
    case late
    /// No picture has come for some time, although the source is connected; see ``SilenceLadder``.
    case stalled
    /// Pictures arrive, but the same one for longer than this source usually repeats one; see ``SilenceLadder/frozen``.
    case frozen
    /// The camera gets no signal.
    case noSignal = "no signal"
    /// The stream has no video.
    case noVideo = "no video"
    /// The source is not connected, and waits.
    case offline
    /// The last picture has arrived.
    case ended
    /// The user has stopped it.
    case paused
    /// It will not come, or cannot be drawn.
    case failed

    /// How much an operator must care.
    public enum Severity: Hashable, Sendable {
        /// As it should be.
        case normal
        /// Nothing to see, for a reason that is no fault.
        case idle
        /// Something may be wrong.
        case warning
        /// The picture is not a present one.
        case fault
    }

    /// How much an operator must care.
    public var severity: Severity {
        switch self {
        case .live: .normal
        case .connecting, .ended, .paused, .noVideo: .idle
        case .late, .frozen: .warning
        case .stalled, .noSignal, .offline, .failed: .fault
        }
    }

    /// Whether it is about a source that is live, but not as it should be.
    var isOfSilence: Bool {
        switch self {
        case .late, .stalled, .frozen: true
        default: false
        }
    }

    /// What its place in the bar of a tile says.
    var word: String { rawValue }

    /// The same as a headline.
    var headline: String {
        switch self {
        case .connecting: "Connecting"
        case .live: "Live"
        case .late: "Late"
        case .stalled: "Stalled"
        case .frozen: "Frozen"
        case .noSignal: "No signal"
        case .noVideo: "No video"
        case .offline: "Offline"
        case .ended: "Ended"
        case .paused: "Paused"
        case .failed: "Failed"
        }
    }
}

extension TileState.Severity {
    /// The colour of the sign: R, G, B and A.
    ///
    /// On the bar, each has a contrast of at least 3:1 on any picture (WCAG 2.1, 1.4.11). Green leans to blue and red to
    /// orange, so that people who confuse red and green can tell them apart; the shapes of the signs need no colour.
    var color: SIMD4<Float> {
        switch self {
        case .normal: SIMD4(0.18, 0.76, 0.60, 1)
        case .idle: SIMD4(0.78, 0.82, 0.88, 1)
        case .warning: SIMD4(0.96, 0.80, 0.30, 1)
        case .fault: SIMD4(1, 0.43, 0.34, 1)
        }
    }
}
