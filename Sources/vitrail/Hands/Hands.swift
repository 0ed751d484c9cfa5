import MediaIO
import VideoWall
import WindowGL

/// What the mouse, a finger or the keyboard is just doing to the wall: dragging, choosing from a menu, typing a text.
///
/// **Thread:** main.
final class Hands {
    /// What the left button holds.
    enum Grip {
        /// Nothing.
        case nothing
        /// A tile, which has not been moved yet.
        case pressed(WallTile, at: WindowEvent.MousePosition, since: ContinuousClock.Instant)
        /// A tile that is carried to another place.
        case carrying(WallTile)
        /// The picture of a tile, which is enlarged.
        case panning(WallTile, last: WindowEvent.MousePosition)
        /// The edge between two tiles.
        case resizing(Split)
    }

    /// What the left button holds.
    var grip = Grip.nothing
    /// The menu, while it is open.
    var menu: WallMenu?
    /// The text that is being typed.
    var prompt: TextPrompt?
    /// The digits that have been typed for the number of a tile.
    var digits = DigitEntry()
    /// The tile that the Tab key has chosen; `nil` while the mouse chooses.
    var selected: WallTile.ID?
    /// Since when the pointer is where it is.
    var restingSince = ContinuousClock.now
    /// Whether the pointer is hidden, because it rests in fullscreen.
    var isPointerHidden = false
    /// Whether the last thing that was pressed is a button of the mouse, or a finger, and not a key.
    private(set) var usesMouse = false

    /// How far the mouse must be moved, in pixels, before a press is a drag.
    static let slack = 6.0
    /// A press of this length opens the menu, as there is no right button on a touch screen.
    static let longPress = Duration.milliseconds(600)

    /// In fullscreen, a pointer that rests for this long is hidden.
    static let longRest = Duration.seconds(3)

    /// Notes what is being used: the mouse or the keyboard.
    func note(_ event: WindowEvent) {
        switch event {
        case .mouseButton: usesMouse = true
        case .key, .character: usesMouse = false
        default: break
        }
    }

    /// When something is due although nothing happens; `nil` for never.
    var due: ContinuousClock.Instant? {
        if case .pressed(_, _, let since) = grip { return since + Self.longPress }
        return digits.end
    }

    /// Whether an edge between tiles is being dragged.
    var isResizing: Bool { if case .resizing = grip { true } else { false } }
}

/// The digits of a tile's number, as a remote control sends them: 1 and 2 within a second are tile 12.
struct DigitEntry {
    private var number = 0
    /// When the number counts as complete; `nil` without one.
    private(set) var end: ContinuousClock.Instant?
    /// How long another digit may take.
    static let time = Duration.seconds(1)

    /// Adds a digit.
    ///
    /// - Parameters:
    ///   - digit: 0 to 9.
    ///   - count: the number of tiles.
    ///   - now: the time.
    /// - Returns: the number if no digit can follow; 0 for all tiles.
    mutating func type(_ digit: Int, of count: Int, now: ContinuousClock.Instant) -> Int? {
        number = number * 10 + digit
        // Another digit would be too much.
        guard number == 0 || number * 10 > count else {
            end = now + Self.time
            return nil
        }
        return finish()
    }

    /// The number that has been typed so far; 0 for none.
    var typed: Int { end == nil ? 0 : number }

    /// Takes the number, when its time is over.
    mutating func take(now: ContinuousClock.Instant) -> Int? {
        guard let end, now >= end else { return nil }
        return finish()
    }

    private mutating func finish() -> Int {
        defer { (number, end) = (0, nil) }
        return number
    }
}
