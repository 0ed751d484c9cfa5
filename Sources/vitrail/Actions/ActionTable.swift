import WindowGL

/// All actions, in the order of the help; keys, control lines and all explanations are read from here.
enum ActionTable {
    /// The actions.
    static let all: [ViewerAction] = wall + layout + tile + effects + program

    /// The action of a verb; `nil` if there is none.
    static func action(named name: String) -> ViewerAction? { all.first { $0.name == name } }

    /// What a key does; `nil` for nothing, such as for the repetition of one that acts once.
    static func meaning(of event: WindowEvent) -> (action: ViewerAction, words: [String])? {
        // Of two bindings of a key, the one with more modifiers is meant.
        var best: (action: ViewerAction, binding: ViewerAction.Binding)?
        for action in all where action.repeats || !event.isRepeat {
            for binding in action.bindings where binding.key.matches(event) {
                guard binding.key.modifierCount > best?.binding.key.modifierCount ?? -1 else { continue }
                best = (action, binding)
            }
        }
        return best.map { ($0.action, $0.binding.words) }
    }
}

extension KeyBinding {
    /// How many modifiers must be held.
    var modifierCount: Int {
        switch self {
        case .key(_, let modifiers): modifiers.rawValue.nonzeroBitCount
        case .character(let character): character.isUppercase ? 1 : 0
        }
    }
}
