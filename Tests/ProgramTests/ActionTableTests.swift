import Testing
import WindowGL

@testable import vitrail

/// The table that keys, control lines and all explanations are read from.
struct ActionTableTests {
    static let place = WindowEvent.MousePosition(x: 1, y: 2)

    @Test(
        "A key is an action, with words",
        arguments: [
            (.key(.escape, [], isRepeat: false), "leave"), (.character("q", isRepeat: false), "quit"),
            (.key(.letter("q"), .control, isRepeat: false), "quit"), (.key(.letter("q"), [], isRepeat: false), nil),
            (.character("F", isRepeat: false), "fullscreen"), (.key(.function(11), [], isRepeat: false), "fullscreen"),
            (.character("s", isRepeat: false), "snapshot"), (.character("i", isRepeat: false), "statistics"),
            (.key(.space, [], isRepeat: false), "pause"), (.key(.space, [], isRepeat: true), nil),
            (.key(.right, [], isRepeat: true), "go next"), (.key(.left, [], isRepeat: false), "go previous"),
            (.key(.right, .control, isRepeat: false), "move next"), (.key(.right, .alt, isRepeat: false), "pan right"),
            (.key(.right, .system, isRepeat: false), nil), (.key(.tab, .shift, isRepeat: false), "select previous"),
            (.key(.right, [.control, .shift], isRepeat: false), "edge right"),
            (.key(.right, .shift, isRepeat: true), "wind 5"), (.character("L", isRepeat: false), "wind live"),
            (.character(",", isRepeat: true), "step previous"), (.character("C", isRepeat: false), "clip"),
            (.character(">", isRepeat: false), "camera-change more"), (.key(.up, [], isRepeat: false), "all"),
            (.key(.digit(0), [], isRepeat: false), "all"), (.key(.digit(1), [], isRepeat: false), "focus 1"),
            (.key(.digit(9), [], isRepeat: false), "focus 9"), (.key(.digit(9), [], isRepeat: true), nil),
            (.mouseButton(.left, place, clicks: 2, []), nil), (.iconified(true), nil), (.mouseLeft, nil),
            (.character("m", isRepeat: false), "matrix"), (.character("R", isRepeat: false), "record"),
            (.character("r", isRepeat: false), "range"),
            (.character("c", isRepeat: false), "siting"), (.character("u", isRepeat: false), "swap-uv"),
            (.character("p", isRepeat: false), "inspect"), (.character("?", isRepeat: false), "help"),
            (.key(.delete, [], isRepeat: false), "remove"), (.key(.delete, [], isRepeat: true), nil),
            (.character("f", isRepeat: true), nil), (.character("i", isRepeat: true), nil),
            (.character("m", isRepeat: true), nil), (.character("+", isRepeat: true), "change more"),
            (.character("=", isRepeat: false), "change more"), (.character("[", isRepeat: true), "parameter previous"),
            (.key(.backspace, [], isRepeat: false), "own-colors"), (.key(.backspace, .control, isRepeat: false), nil),
            (.key(.letter("z"), .control, isRepeat: true), "undo"),
            (.key(.letter("z"), [.control, .shift], isRepeat: false), "redo"),
            (.key(.letter("y"), .control, isRepeat: false), "redo"),
            (.key(.pageDown, [], isRepeat: true), "page next"), (.character("g", isRepeat: false), "layout"),
            (.key(.function(5), [], isRepeat: false), "retry"), (.character("é", isRepeat: false), nil),
        ] as [(WindowEvent, String?)])
    func keys(_ event: WindowEvent, _ expected: String?) {
        let meaning = ActionTable.meaning(of: event)
        #expect(meaning.map { ([$0.action.name] + $0.words).joined(separator: " ") } == expected)
    }

    @Test("Each verb and each key is there once, and explained")
    func unique() {
        let names = ActionTable.all.map(\.name)
        #expect(Set(names).count == names.count)
        let keys = ActionTable.all.flatMap { $0.bindings.map(\.key) }
        #expect(Set(keys).count == keys.count)
        for action in ActionTable.all {
            #expect(!action.help.isEmpty && action.name.allSatisfy { $0.isLowercase || $0 == "-" })
            #expect(!action.help.hasSuffix("."))
        }
        #expect(Set(ActionTable.all.map(\.section)) == Set(ViewerAction.Section.allCases))
    }

    @Test("The help names every key and every verb, in rows that fit a terminal")
    func help() throws {
        let help = try Run(["view", "--help"]).text
        for action in ActionTable.all {
            #expect(help.contains(ActionHelp.keys(of: action)), "\(action.name)")
            #expect(help.contains("\n    \(action.name)"), "\(action.name)")
        }
        #expect(help.contains("1 … 9") && help.contains("Alt+arrows"))
        for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
}
