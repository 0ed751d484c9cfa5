/// What happened to a window.
public enum WindowEvent: Hashable, Sendable {
    /// A button of the mouse.
    public enum MouseButton: Hashable, Sendable {
        /// The primary one.
        case left
        /// The secondary one.
        case right
        /// The wheel.
        case middle
        /// One more, counted from 4.
        case extra(Int)
    }

    /// Where the mouse points: pixels of the framebuffer from its upper left corner, outside of it when dragged there.
    public struct MousePosition: Hashable, Sendable {
        /// Pixels from the left.
        public var x: Double
        /// Pixels from the top.
        public var y: Double

        /// Creates a position.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// A key went down, or repeats because it is held.
    case key(Key, KeyModifiers, isRepeat: Bool)
    /// A key, or several, typed this in the user's layout.
    case character(Character)
    /// A button went down; `clicks` is 2 for a double click, 3 for the next, and so on.
    case mouseButton(MouseButton, MousePosition, clicks: Int, KeyModifiers)
    /// The mouse moved; of several moves in a row only the last one is told.
    case mouseMoved(MousePosition)
    /// The wheel was turned, by steps or parts of one; y is upwards.
    case scroll(x: Double, y: Double)
    /// The framebuffer has another size.
    case resized(PixelSize)
    /// Files were dropped here: their paths.
    case drop([String])
    /// The user wants the window closed; it stays until the program lets go of it.
    case closeRequested
    /// The window gets the keys now, or no longer.
    case focusChanged(Bool)
    /// What the window showed is lost: draw it again.
    case refreshNeeded
    /// The window was minimised, or is back. Wayland does not tell.
    case iconified(Bool)
}
