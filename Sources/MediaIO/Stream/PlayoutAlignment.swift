/// Has the pictures of several live streams shown at the same time after they were captured.
///
///     let alignment = PlayoutAlignment()
///     let yard = LiveSource(name: "yard", decoder: decoder, alignment: alignment) { … }
///     let door = LiveSource(name: "door", decoder: decoder, alignment: alignment) { … }
///
/// When they were captured is known from the senders' clocks (RTCP, for example) or the cameras' drivers. Streams without
/// such a clock, or with one that is wrong, are aligned by their arrival: the picture that the network has delivered the
/// quickest counts as captured then.
///
/// The delay is the shortest with which no picture of the last ten seconds is late. It grows at once, and shrinks by a tenth
/// of the time that passes. No stream waits for another: one that is silent for two seconds is not counted. Of one whose
/// slowest pictures take longer than ``maximum``, these are late.
///
/// **Thread:** any. **Cost:** every picture; one short lock.
public final class PlayoutAlignment: Sendable {
    private struct Member {
        var need: Duration?
        var last: MonotonicTime
    }

    private struct State {
        var members: [Int: Member] = [:]
        var next = 0
        var delay = Duration.zero
        var last = MonotonicTime(sinceBoot: .zero)
    }

    /// The longest delay, unless a longer one is given.
    public static let maximum = PlayoutDelay.maximum
    /// The longest delay that can be given: packets wait in memory.
    public static let longestGiven = Duration.seconds(10)
    /// A stream that has had no picture for so long is not counted.
    private static let patience = Duration.seconds(2)

    /// The delay that was given; `nil` for the shortest that all can keep.
    public let given: Duration?
    private let state = Monitor(State())

    /// Makes an alignment without streams.
    ///
    /// - Parameter delay: the delay, clamped to zero…``longestGiven``; `nil` for the shortest that all streams can keep.
    public init(delay: Duration? = nil) { given = delay.map { min(max($0, .zero), Self.longestGiven) } }

    /// How long after their capture pictures are shown at present.
    public var delay: Duration { given ?? state.withLock { $0.delay } }

    /// The longest delay that a stream may need.
    var longest: Duration { max(given ?? .zero, Self.maximum) }

    /// A number for a stream.
    func join() -> Int {
        state.withLock { state in
            state.next += 1
            return state.next
        }
    }

    /// Forgets a stream.
    func leave(_ member: Int) { state.withLock { $0.members[member] = nil } }

    /// Notes which delay a stream needs.
    ///
    /// - Parameters:
    ///   - need: so long after its capture, its slowest picture was there; `nil` if it is not aligned.
    ///   - member: the number of the stream.
    ///   - now: the time.
    /// - Returns: the delay of all.
    func note(_ need: Duration?, of member: Int, now: MonotonicTime) -> Duration {
        state.withLock { state in
            state.members[member] = Member(need: need, last: now)
            // Threads may come here in another order than that of their times.
            let time = max(now, state.last)
            var target = Duration.zero
            for other in state.members.values where time - other.last <= Self.patience {
                target = max(target, other.need ?? .zero)
            }
            let step = (time - state.last) / 10
            state.last = time
            state.delay = target >= state.delay ? target : max(target, state.delay - step)
            return given ?? state.delay
        }
    }
}
