internal import CVitrailGLFW

/// A key by its position, with its name on a US keyboard.
///
/// For the character in the user's layout see ``WindowEvent/character(_:isRepeat:)``.
public enum Key: Hashable, Sendable {
    /// Escape.
    case escape
    /// Enter, including that of the number pad.
    case enter
    /// The tab key.
    case tab
    /// The space bar.
    case space
    /// Backspace.
    case backspace
    /// Insert.
    case insert
    /// Delete.
    case delete
    /// The left arrow.
    case left
    /// The right arrow.
    case right
    /// The up arrow.
    case up
    /// The down arrow.
    case down
    /// Page up.
    case pageUp
    /// Page down.
    case pageDown
    /// Home.
    case home
    /// End.
    case end
    /// F1 to F25.
    case function(Int)
    /// 0 to 9, including those of the number pad.
    case digit(Int)
    /// "a" to "z".
    case letter(Character)
    /// Any other key, by GLFW's number.
    case code(Int)

    init(glfw code: Int32) {
        self =
            switch code {
            case GLFW_KEY_ESCAPE: .escape
            case GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER: .enter
            case GLFW_KEY_TAB: .tab
            case GLFW_KEY_SPACE: .space
            case GLFW_KEY_BACKSPACE: .backspace
            case GLFW_KEY_INSERT: .insert
            case GLFW_KEY_DELETE: .delete
            case GLFW_KEY_LEFT: .left
            case GLFW_KEY_RIGHT: .right
            case GLFW_KEY_UP: .up
            case GLFW_KEY_DOWN: .down
            case GLFW_KEY_PAGE_UP: .pageUp
            case GLFW_KEY_PAGE_DOWN: .pageDown
            case GLFW_KEY_HOME: .home
            case GLFW_KEY_END: .end
            case GLFW_KEY_F1...GLFW_KEY_F25: .function(Int(code - GLFW_KEY_F1) + 1)
            case GLFW_KEY_0...GLFW_KEY_9: .digit(Int(code - GLFW_KEY_0))
            case GLFW_KEY_KP_0...GLFW_KEY_KP_9: .digit(Int(code - GLFW_KEY_KP_0))
            // GLFW numbers the letters as ASCII's capitals.
            case GLFW_KEY_A...GLFW_KEY_Z: .letter(Character(UnicodeScalar(UInt8(code) | 0x20)))
            default: .code(Int(code))
            }
    }
}

/// The modifier keys that are held.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
    /// GLFW's bits.
    public let rawValue: Int32
    /// Shift.
    public static let shift = KeyModifiers(rawValue: GLFW_MOD_SHIFT)
    /// Control.
    public static let control = KeyModifiers(rawValue: GLFW_MOD_CONTROL)
    /// Alt.
    public static let alt = KeyModifiers(rawValue: GLFW_MOD_ALT)
    /// The super key, also called Windows or Command key.
    public static let system = KeyModifiers(rawValue: GLFW_MOD_SUPER)

    /// Creates a set from GLFW's bits.
    public init(rawValue: Int32) { self.rawValue = rawValue }
}
