public import MediaIO

/// An event of a window.
public enum WindowEvent: Hashable, Sendable {
    /// A mouse button.
    public enum MouseButton: Hashable, Sendable {
        /// The primary button.
        case left
        /// The secondary button.
        case right
        /// The wheel button.
        case middle
        /// A further button, counted from 4.
        case extra(Int)
    }

    /// The mouse position in pixels of the framebuffer, from its upper left corner; it may be outside during a drag.
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

    /// A key was pressed, or repeats because it is held.
    case key(Key, KeyModifiers, isRepeat: Bool)
    /// A character was typed in the user's layout, or repeats because its key is held.
    case character(Character, isRepeat: Bool)
    /// A mouse button was pressed; `clicks` is 2 for a double click, 3 for the next click, and so on.
    case mouseButton(MouseButton, MousePosition, clicks: Int, KeyModifiers)
    /// A mouse button was released; the position may be outside the window if it was pressed inside.
    case mouseReleased(MouseButton, MousePosition)
    /// The mouse was moved; of several consecutive moves only the last one is reported.
    case mouseMoved(MousePosition)
    /// The mouse has left the window.
    case mouseLeft
    /// The wheel was scrolled, by steps or fractions of a step; y is upwards.
    case scroll(x: Double, y: Double)
    /// The framebuffer was resized.
    case resized(VideoSize)
    /// Files with these paths were dropped on the window.
    case drop([String])
    /// The user wants to close the window; it stays open until the program releases it.
    case closeRequested
    /// The window gained or lost the keyboard focus.
    case focusChanged(Bool)
    /// The window's content is lost: draw it again.
    case refreshNeeded
    /// The window was minimised or restored; not reported by Wayland.
    case iconified(Bool)
}
