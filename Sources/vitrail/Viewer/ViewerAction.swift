import WindowGL

/// What the user wants, read from what happened to the window.
enum ViewerAction: Hashable {
    /// Close the window.
    case quit
    /// Fill the screen, or no longer.
    case toggleFullscreen
    /// Hold all streams, or let them go on.
    case togglePause
    /// Save what is on the window.
    case snapshot
    /// Show how the streams are doing, or no longer.
    case toggleStatistics
    /// Show one tile alone; the same one again: all.
    case focus(Int)
    /// Show the tile after (1) or before (-1) the present one alone.
    case moveFocus(Int)
    /// Show all tiles.
    case showAll
    /// Show the tile at this place alone, or all again.
    case focusAt(WindowEvent.MousePosition)
    /// Try out other colours.
    case turn(ColorKnob)
    /// Tell the pixel under the mouse, or no longer.
    case toggleInspector
    /// The mouse is here.
    case pointAt(WindowEvent.MousePosition)
    /// Put these files on the wall, too.
    case add([String])
    /// Draw again, though no stream has anything new.
    case redraw

    /// Reads an event; `nil` for one that means nothing here.
    init?(_ event: WindowEvent) {
        switch event {
        case .closeRequested: self = .quit
        case .refreshNeeded, .resized, .iconified(false): self = .redraw
        case .drop(let paths): self = .add(paths)
        case .mouseButton(.left, let position, clicks: 2, _): self = .focusAt(position)
        case .mouseMoved(let position): self = .pointAt(position)
        case .character(let character): self.init(character)
        case .key(let key, let modifiers, let isRepeat): self.init(key, modifiers, isRepeat)
        default: return nil
        }
    }

    /// Letters are what the user's layout types, wherever the key is.
    private init?(_ character: Character) {
        switch character.lowercased() {
        case "q": self = .quit
        case "f": self = .toggleFullscreen
        case "s": self = .snapshot
        case "i": self = .toggleStatistics
        case "m": self = .turn(.matrix)
        case "r": self = .turn(.range)
        case "c": self = .turn(.siting)
        case "u": self = .turn(.chromaOrder)
        case "p": self = .toggleInspector
        default: return nil
        }
    }

    /// What is no letter goes by the place of the key: digits need no shift on any layout then.
    private init?(_ key: Key, _ modifiers: KeyModifiers, _ isRepeat: Bool) {
        guard modifiers.isDisjoint(with: [.control, .alt, .system]) else { return nil }
        switch key {
        case .escape: self = .quit
        case .space where !isRepeat: self = .togglePause
        case .backspace: self = .turn(.reset)
        case .right: self = .moveFocus(1)
        case .left: self = .moveFocus(-1)
        case .up, .down, .digit(0): self = .showAll
        case .digit(let number) where !isRepeat: self = .focus(number - 1)
        default: return nil
        }
    }
}
