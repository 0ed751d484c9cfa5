package import MediaIO

/// A turn on the display without a GPU that several threads draw on, one at a time.
///
/// Mesa's llvmpipe has two displays (see `HeadlessContext`), and one thread at a time may draw on each. The first lane of
/// effects has one for itself, since an effect may take minutes to compile; all others take turns on the other one.
///
/// **Thread:** any.
package struct SoftwareTurn: Sendable {
    /// The display on which threads take turns.
    package static let display = 1

    private struct State {
        var last = 0
        /// Whose turn it is.
        var present: Int?
    }

    // The displays are those of the process, too.
    private static let state = Monitor(State())
    private let number: Int

    /// Waits until nobody else has a turn.
    ///
    /// - Parameter deadline: when to give up; `nil` for never.
    /// - Returns: the turn, which must be ended; `nil` if somebody else has one for longer.
    package static func take(until deadline: MonotonicTime? = nil) -> SoftwareTurn? {
        state.wait(until: deadline) { state in
            guard state.present == nil else { return nil }
            state.last += 1
            state.present = state.last
            return SoftwareTurn(number: state.last)
        }
    }

    /// Lets others draw; does nothing if it has ended.
    package func end() {
        Self.state.change { state in if state.present == number { state.present = nil } }
    }
}
