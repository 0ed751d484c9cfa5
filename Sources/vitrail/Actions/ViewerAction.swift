import VideoWall

/// Something that a user can do: by a key, by a line of control, and as it is explained.
///
/// All actions are in ``ActionTable``, which is all that a new one needs.
struct ViewerAction: Sendable {
    /// What the action has to do with, a heading of the help.
    enum Section: String, CaseIterable, Sendable {
        case wall = "The wall"
        case layout = "Layout"
        case tile = "The tile: alone, chosen, or under the mouse"
        case effects = "Effects and cameras"
        case program = "The program"
    }

    /// A key, and the words that it stands for.
    struct Binding: Sendable {
        let key: KeyBinding
        let words: [String]

        init(_ key: KeyBinding, _ words: String...) { (self.key, self.words) = (key, words) }
    }

    /// A line of the menu, and the words that it stands for.
    struct MenuItem: Sendable {
        let title: String
        let words: [String]

        init(_ title: String, _ words: String...) { (self.title, self.words) = (title, words) }
    }

    /// The verb of control.
    let name: String
    /// What may follow the verb, for help; empty for nothing.
    let usage: String
    let section: Section
    /// The keys.
    let bindings: [Binding]
    /// Whether it goes on in steps while its key is held.
    let repeats: Bool
    /// What it does, in a few words.
    let help: String
    /// Its lines in the menu over the wall; empty for none.
    let menu: [MenuItem]
    /// Does it.
    let perform: @Sendable (Viewer, ActionWords) throws(ProgramError) -> Void

    init(
        _ name: String, _ usage: String = "", in section: Section, keys bindings: [Binding] = [], repeats: Bool = false,
        menu: [MenuItem] = [], _ help: String,
        perform: @escaping @Sendable (Viewer, ActionWords) throws(ProgramError) -> Void
    ) {
        (self.name, self.usage, self.section, self.bindings) = (name, usage, section, bindings)
        (self.repeats, self.menu, self.help, self.perform) = (repeats, menu, help, perform)
    }
}

/// What follows the verb of an action.
struct ActionWords {
    /// The action's name and usage, for errors.
    let action: ViewerAction
    let words: [String]
    /// The words as they were typed; `nil` if they were not.
    var typed: String?
    /// The tile that it is about; `nil` for the only visible one, or else the one under the mouse.
    let tile: WallTile?
    /// Whether somebody is at the window, who can be asked for what is missing.
    let canAsk: Bool

    /// The first word.
    var first: String? { words.first }

    /// All words, as they were typed.
    var text: String { typed ?? words.joined(separator: " ") }

    /// Why the words cannot be used, and which can.
    var refusal: ProgramError {
        let after = action.usage.isEmpty ? "nothing follows it" : "write \(action.name) \(action.usage)"
        return ProgramError(.usage, "\(action.name): “\(text)” cannot be used; \(after)")
    }

    /// Checks that nothing follows the verb.
    func none() throws(ProgramError) { if !words.isEmpty { throw refusal } }

    /// The only word as a number.
    func number(in range: ClosedRange<Int>) throws(ProgramError) -> Int {
        guard words.count == 1, let number = Int(words[0]), range.contains(number) else { throw refusal }
        return number
    }

    /// The only word as one of some choices; `nil` if there is none.
    func choice<Value: RawRepresentable<String>>(_ type: Value.Type = Value.self) throws(ProgramError) -> Value? {
        guard let first else { return nil }
        guard words.count == 1, let value = Value(rawValue: first) else { throw refusal }
        return value
    }

    /// 1 for `next`, -1 for `previous`.
    func step() throws(ProgramError) -> Int {
        switch (words.count, first) {
        case (1, "next"), (1, "more"): return 1
        case (1, "previous"), (1, "less"): return -1
        default: throw refusal
        }
    }

    /// Whether something is to be on: `on`, `off`, or without a word the opposite of what it is.
    func toggled(_ isOn: Bool) throws(ProgramError) -> Bool {
        switch (words.count, first) {
        case (0, _): return !isOn
        case (1, "on"): return true
        case (1, "off"): return false
        default: throw refusal
        }
    }
}
