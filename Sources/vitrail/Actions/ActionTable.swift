import V4L2Capture
import VideoWall
import WindowGL

/// All actions, in the order of the help; keys, control lines and all explanations are read from here.
enum ActionTable {
    /// The actions.
    static let all: [ViewerAction] = wall + layout + tile + effects + program

    private static let wall: [ViewerAction] = [
        ViewerAction(
            "focus", "TILE", in: .wall, keys: (1...9).map { .init(.key(.digit($0)), "\($0)") },
            "only that tile; the same again: all"
        ) { viewer, words throws(ProgramError) in
            let number = try words.number(in: 1...100_000)
            let tiles = viewer.wall.tiles
            viewer.toggleFocus(tiles.indices.contains(number - 1) ? tiles[number - 1] : nil)
        },
        ViewerAction(
            "go", "next|previous", in: .wall, keys: [.init(.key(.left), "previous"), .init(.key(.right), "next")],
            repeats: true, "only the previous or next tile"
        ) { viewer, words throws(ProgramError) in
            viewer.setFocus(viewer.wall.tile(try words.step(), from: viewer.wall.focus))
        },
        ViewerAction(
            "all", in: .wall, keys: [.init(.key(.up)), .init(.key(.down)), .init(.key(.digit(0)))], repeats: true,
            "all tiles"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            viewer.setFocus(nil)
        },
        ViewerAction(
            "page", "next|previous|NUMBER", in: .wall,
            keys: [.init(.key(.pageUp), "previous"), .init(.key(.pageDown), "next")], repeats: true,
            "the previous or next page of tiles"
        ) { viewer, words throws(ProgramError) in
            try viewer.turnPage(words)
        },
        ViewerAction(
            "tour", "SECONDS|off", in: .wall, keys: [.init(.character("t"))],
            "one page or tile after the other; a touch pauses it"
        ) { viewer, words throws(ProgramError) in
            try viewer.setTour(words)
        },
        ViewerAction("pause", "on|off", in: .wall, keys: [.init(.key(.space))], "pause, resume") {
            viewer, words throws(ProgramError) in
            viewer.setPaused(try words.toggled(viewer.isPaused))
        },
        ViewerAction("add", "ADDRESS", in: .wall, "add a file, an address or a list of them") {
            viewer, words throws(ProgramError) in
            guard !words.words.isEmpty else { throw words.refusal }
            try viewer.add(words.text)
        },
        ViewerAction(
            "undo", in: .wall, keys: [.init(.key(.letter("z"), .control))], repeats: true,
            "undo the last change of the wall"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            viewer.undo()
        },
        ViewerAction(
            "redo", in: .wall,
            keys: [.init(.key(.letter("y"), .control)), .init(.key(.letter("z"), [.control, .shift]))], repeats: true,
            "do it again"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            viewer.redo()
        },
    ]

    private static let layout: [ViewerAction] = [
        ViewerAction(
            "layout", LayoutSettings.Kind.allCases.map(\.rawValue).joined(separator: "|"), in: .layout,
            keys: [.init(.character("g"))], "the next layout: grid, spotlight, strip, pip"
        ) { viewer, words throws(ProgramError) in
            viewer.setLayout(try words.choice())
        },
        ViewerAction("grid", "ROWSxCOLUMNS|auto", in: .layout, "rows and columns of the grid") {
            viewer, words throws(ProgramError) in
            try viewer.setGrid(words)
        },
        ViewerAction("gap", "PIXELS", in: .layout, "the gap between tiles") { viewer, words throws(ProgramError) in
            let gap = try words.number(in: 0...1000)
            viewer.edit { $0.layout.gap = gap }
        },
        ViewerAction("margin", "PIXELS", in: .layout, "the margin around all tiles") {
            viewer, words throws(ProgramError) in
            let margin = try words.number(in: 0...1000)
            viewer.edit { $0.layout.margin = margin }
        },
        ViewerAction(
            "share", "more|less", in: .layout,
            keys: [
                .init(.key(.left, [.control, .shift]), "less"), .init(.key(.right, [.control, .shift]), "more"),
            ], repeats: true, "the large tile, the strip or the small pictures smaller or larger"
        ) { viewer, words throws(ProgramError) in
            try viewer.changeShare(words.step())
        },
        ViewerAction(
            "move", "next|previous|first", in: .layout,
            keys: [
                .init(.key(.left, .control), "previous"), .init(.key(.right, .control), "next"),
                .init(.key(.enter), "first"),
            ], repeats: true, "move the tile under the mouse back, on, or to the first place"
        ) { viewer, words throws(ProgramError) in
            try viewer.moveTile(words)
        },
        ViewerAction("page-size", "TILES|all", in: .layout, "show so many tiles at once, on several pages") {
            viewer, words throws(ProgramError) in
            let size = words.first == "all" ? nil : try words.number(in: 1...1000)
            viewer.edit { ($0.pages.size, $0.pages.page) = (size, 0) }
        },
    ]

    private static let tile: [ViewerAction] = [
        ViewerAction("remove", in: .tile, keys: [.init(.key(.delete))], "remove it") {
            viewer, words throws(ProgramError) in
            try words.none()
            viewer.remove(try viewer.target(words))
        },
        ViewerAction("retry", in: .tile, keys: [.init(.key(.function(5)))], "connect or open it again") {
            viewer, words throws(ProgramError) in
            try words.none()
            viewer.retry(try viewer.target(words))
        },
        ViewerAction("name", "TEXT", in: .tile, "name it; without a text: the name of its address") {
            viewer, words throws(ProgramError) in
            let name = words.text.isEmpty ? nil : words.text
            try viewer.editInput(words) { $0.name = name }
        },
        ViewerAction("rotate", "0|90|180|270", in: .tile, keys: [.init(.character("v"))], "a quarter turn clockwise") {
            viewer, words throws(ProgramError) in
            try viewer.rotate(words)
        },
        ViewerAction(
            "mirror", "none|horizontal|vertical", in: .tile, keys: [.init(.character("x"))], "mirrored, or not"
        ) {
            viewer, words throws(ProgramError) in
            try viewer.mirror(words)
        },
        ViewerAction(
            "content", "fit|fill|stretch", in: .tile, keys: [.init(.character("a"))],
            "how the picture fills the tile: fit, fill, stretch"
        ) { viewer, words throws(ProgramError) in
            try viewer.setContent(words)
        },
        ViewerAction("matrix", in: .tile, keys: [.init(.character("m"))], "the next colour matrix, for wrong tags") {
            viewer, words throws(ProgramError) in
            try viewer.turn(.matrix, words)
        },
        ViewerAction("range", in: .tile, keys: [.init(.character("r"))], "the other range of code values") {
            viewer, words throws(ProgramError) in
            try viewer.turn(.range, words)
        },
        ViewerAction("siting", in: .tile, keys: [.init(.character("c"))], "the next position of chroma samples") {
            viewer, words throws(ProgramError) in
            try viewer.turn(.siting, words)
        },
        ViewerAction("swap-uv", in: .tile, keys: [.init(.character("u"))], "U and V swapped, or not") {
            viewer, words throws(ProgramError) in
            try viewer.turn(.chromaOrder, words)
        },
        ViewerAction(
            "own-colors", in: .tile, keys: [.init(.key(.backspace))], repeats: true, "colours as its stream says"
        ) {
            viewer, words throws(ProgramError) in
            try viewer.turn(.reset, words)
        },
    ]

    private static let effects: [ViewerAction] = [
        ViewerAction(
            "effects", "on|off", in: .effects, keys: [.init(.character("e"))],
            "effects of the tile, or else of the wall, on, off"
        ) { viewer, words throws(ProgramError) in
            try viewer.turn(EffectKnob.Turn.toggle, words)
        },
        ViewerAction(
            "parameter", "next|previous", in: .effects,
            keys: [.init(.character("["), "previous"), .init(.character("]"), "next")], repeats: true,
            "choose a parameter of the effects"
        ) { viewer, words throws(ProgramError) in
            try viewer.turn(EffectKnob.Turn.choose(words.step()), words)
        },
        ViewerAction(
            "change", "more|less", in: .effects,
            keys: [.init(.character("-"), "less"), .init(.character("+"), "more"), .init(.character("="), "more")],
            repeats: true, "change the parameter"
        ) { viewer, words throws(ProgramError) in
            try viewer.turn(EffectKnob.Turn.change(words.step()), words)
        },
        ViewerAction(
            "camera", "next|previous", in: .effects,
            keys: [.init(.character("b"), "previous"), .init(.character("n"), "next")], repeats: true,
            "choose a control of the camera, such as its brightness"
        ) { viewer, words throws(ProgramError) in
            try viewer.turnCamera(.choose(words.step()), words)
        },
        ViewerAction(
            "camera-change", "more|less", in: .effects,
            keys: [.init(.character(","), "less"), .init(.character("."), "more")], repeats: true, "change the control"
        ) { viewer, words throws(ProgramError) in
            try viewer.turnCamera(.change(words.step()), words)
        },
        ViewerAction(
            "save-effects", "FILE", in: .effects, keys: [.init(.character("w"))],
            "save all effects in a file, see --preset"
        ) { viewer, words throws(ProgramError) in
            viewer.savePreset(words.words.isEmpty ? viewer.presetPath : words.text)
        },
    ]

    private static let program: [ViewerAction] = [
        ViewerAction(
            "help", "on|off", in: .program,
            keys: [.init(.character("?")), .init(.character("h")), .init(.key(.function(1)))], "all keys over the wall"
        ) { viewer, words throws(ProgramError) in
            viewer.overlay.showsHelp = try words.toggled(viewer.overlay.showsHelp)
        },
        ViewerAction("statistics", "on|off", in: .program, keys: [.init(.character("i"))], "statistics") {
            viewer, words throws(ProgramError) in
            viewer.setStatistics(try words.toggled(viewer.statistics != nil))
        },
        ViewerAction(
            "inspect", "on|off", in: .program, keys: [.init(.character("p"))],
            "the pixel under the mouse: its samples, its colour"
        ) { viewer, words throws(ProgramError) in
            viewer.setInspector(try words.toggled(viewer.isInspecting))
        },
        ViewerAction("snapshot", in: .program, keys: [.init(.character("s"))], "save a PNG of the wall") {
            viewer, words throws(ProgramError) in
            try words.none()
            viewer.snapshot()
        },
        ViewerAction(
            "fullscreen", "on|off", in: .program, keys: [.init(.character("f")), .init(.key(.function(11)))],
            "fullscreen on, off"
        ) { viewer, words throws(ProgramError) in
            viewer.window.isFullscreen = try words.toggled(viewer.window.isFullscreen)
        },
        ViewerAction(
            "leave", in: .program, keys: [.init(.key(.escape))], "leave the help, a single tile, or else fullscreen"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            viewer.leave()
        },
        ViewerAction(
            "quit", in: .program, keys: [.init(.character("q")), .init(.key(.letter("q"), .control))],
            "close the window"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            viewer.isDone = true
        },
    ]

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
        if case .key(_, let modifiers) = self { modifiers.rawValue.nonzeroBitCount } else { 0 }
    }
}
