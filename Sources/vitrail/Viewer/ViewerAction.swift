import V4L2Capture
import WindowGL

/// A user's action, from an event of the window.
enum ViewerAction: Hashable {
    /// Close the window.
    case quit
    /// Show all tiles if only one is shown, or else leave fullscreen.
    case leave
    /// Remove the only visible tile, or else the one under the mouse.
    case remove
    /// Enter or leave fullscreen.
    case toggleFullscreen
    /// Pause or resume all streams.
    case togglePause
    /// Save the window's content.
    case snapshot
    /// Show or hide the statistics.
    case toggleStatistics
    /// Show only one tile, or all if it is the only one already.
    case focus(Int)
    /// Show only the next (1) or previous (-1) tile.
    case moveFocus(Int)
    /// Show all tiles.
    case showAll
    /// Show only the tile at this position, or all again.
    case focusAt(WindowEvent.MousePosition)
    /// Try out other colours.
    case turn(ColorKnob)
    /// Turn effects on or off, choose a parameter or change it.
    case turnEffects(EffectKnob.Turn)
    /// Choose a control of the camera or change it.
    case turnCamera(CameraKnob.Turn)
    /// Save the effects.
    case savePreset
    /// Show or hide the pixel inspector.
    case toggleInspector
    /// The mouse is at this position.
    case pointAt(WindowEvent.MousePosition)
    /// The mouse is outside the window.
    case pointAtNothing
    /// Add these files to the wall.
    case add([String])
    /// Redraw, even if nothing has changed.
    case redraw

    /// Interprets an event; `nil` for one without an action.
    init?(_ event: WindowEvent) {
        switch event {
        case .closeRequested: self = .quit
        case .refreshNeeded, .resized, .iconified(false): self = .redraw
        case .drop(let paths): self = .add(paths)
        case .mouseButton(.left, let position, clicks: 2, _): self = .focusAt(position)
        case .mouseMoved(let position): self = .pointAt(position)
        case .mouseLeft: self = .pointAtNothing
        case .character(let character, let isRepeat): self.init(character, isRepeat)
        case .key(let key, let modifiers, let isRepeat): self.init(key, modifiers, isRepeat)
        default: return nil
        }
    }

    /// Letters are interpreted in the user's keyboard layout.
    ///
    /// While a key is held, only actions that go on in steps are repeated.
    private init?(_ character: Character, _ isRepeat: Bool) {
        switch character.lowercased() {
        case "[": self = .turnEffects(.choose(-1))
        case "]": self = .turnEffects(.choose(1))
        case "-": self = .turnEffects(.change(-1))
        case "+", "=": self = .turnEffects(.change(1))
        case "b": self = .turnCamera(.choose(-1))
        case "n": self = .turnCamera(.choose(1))
        case ",": self = .turnCamera(.change(-1))
        case ".": self = .turnCamera(.change(1))
        case _ where isRepeat: return nil
        case "q": self = .quit
        case "f": self = .toggleFullscreen
        case "s": self = .snapshot
        case "i": self = .toggleStatistics
        case "m": self = .turn(.matrix)
        case "r": self = .turn(.range)
        case "c": self = .turn(.siting)
        case "u": self = .turn(.chromaOrder)
        case "p": self = .toggleInspector
        case "e": self = .turnEffects(.toggle)
        case "w": self = .savePreset
        default: return nil
        }
    }

    /// Other keys are identified by position, so digits need no shift in any layout.
    private init?(_ key: Key, _ modifiers: KeyModifiers, _ isRepeat: Bool) {
        guard modifiers.isDisjoint(with: [.control, .alt, .system]) else { return nil }
        switch key {
        case .escape where !isRepeat: self = .leave
        case .delete where !isRepeat: self = .remove
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
