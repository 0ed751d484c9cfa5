import WindowGL

/// A key that does something.
enum KeyBinding: Hashable, Sendable {
    /// A character in the user's keyboard layout; one in lower case stands for both, unless the other has a meaning.
    case character(Character)
    /// A key by its position; held Shift does not matter unless it is named.
    case key(Key, KeyModifiers = [])

    /// Whether an event is this key.
    func matches(_ event: WindowEvent) -> Bool {
        switch (self, event) {
        case (.character(let own), .character(let typed, _)): return typed == own || typed.lowercased() == String(own)
        case (.key(let own, let modifiers), .key(let key, let held, _)):
            let relevant: KeyModifiers = [.control, .alt, .system]
            return key == own && held.intersection(relevant) == modifiers.intersection(relevant)
                && held.isSuperset(of: modifiers)
        default: return false
        }
    }

    /// The key as help names it.
    var text: String {
        switch self {
        case .character(let character): String(character)
        case .key(let key, let modifiers):
            [(KeyModifiers.control, "Ctrl+"), (.alt, "Alt+"), (.shift, "Shift+")]
                .filter { modifiers.contains($0.0) }.map(\.1).joined() + Self.name(of: key)
        }
    }

    private static func name(of key: Key) -> String {
        switch key {
        case .escape: "Esc"
        case .enter: "Enter"
        case .tab: "Tab"
        case .space: "Space"
        case .backspace: "Backspace"
        case .insert: "Insert"
        case .delete: "Delete"
        case .left: "Left"
        case .right: "Right"
        case .up: "Up"
        case .down: "Down"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .home: "Home"
        case .end: "End"
        case .function(let number): "F\(number)"
        case .digit(let digit): "\(digit)"
        case .letter(let letter): letter.uppercased()
        case .code(let code): "key \(code)"
        }
    }
}

extension WindowEvent {
    /// Whether the event is the repetition of a key that is held.
    var isRepeat: Bool {
        switch self {
        case .character(_, let isRepeat), .key(_, _, let isRepeat): isRepeat
        default: false
        }
    }
}
