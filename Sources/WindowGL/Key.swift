internal import CVitrailGLFW

/// A key by its position, with its name on a US keyboard; a letter is that of the user's layout, if it is "a" to "z".
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

    /// - Parameters:
    ///   - code: GLFW's number, which is that of a position.
    ///   - scanCode: the number that the system gives the key; 0 if it is unknown.
    init(glfw code: Int32, scanCode: Int32 = 0) {
        if let letter = Self.letter(code, scanCode) {
            self = .letter(letter)
            return
        }
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

    /// The letter of a key in the user's layout: Ctrl+Z is where Z is written.
    private static func letter(_ code: Int32, _ scanCode: Int32) -> Character? {
        // Positions of digits and of the number pad are not letters in any use.
        guard scanCode > 0, (GLFW_KEY_APOSTROPHE...GLFW_KEY_GRAVE_ACCENT).contains(code),
            !(GLFW_KEY_0...GLFW_KEY_9).contains(code), let name = glfwGetKeyName(code, scanCode)
        else { return nil }
        let text = String(cString: name).lowercased()
        guard text.utf8.count == 1, let letter = text.first, ("a"..."z").contains(letter) else { return nil }
        return letter
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
