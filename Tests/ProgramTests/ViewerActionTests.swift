import Testing
import WindowGL

@testable import vitrail

/// What keys and clicks mean, and which tile is shown alone.
struct ViewerActionTests {
    static let place = WindowEvent.MousePosition(x: 1, y: 2)

    @Test(
        "An event is read",
        arguments: [
            (.closeRequested, .quit), (.key(.escape, [], isRepeat: false), .quit), (.character("q"), .quit),
            (.character("F"), .toggleFullscreen), (.character("s"), .snapshot), (.character("i"), .toggleStatistics),
            (.key(.space, [], isRepeat: false), .togglePause), (.key(.space, [], isRepeat: true), nil),
            (.key(.right, [], isRepeat: true), .moveFocus(1)), (.key(.left, [], isRepeat: false), .moveFocus(-1)),
            (.key(.up, [], isRepeat: false), .showAll), (.key(.digit(0), [], isRepeat: false), .showAll),
            (.key(.digit(1), [], isRepeat: false), .focus(0)), (.key(.digit(9), [], isRepeat: false), .focus(8)),
            (.key(.digit(9), [], isRepeat: true), nil), (.key(.letter("q"), [], isRepeat: false), nil),
            (.key(.right, .control, isRepeat: false), nil), (.key(.right, .shift, isRepeat: false), .moveFocus(1)),
            (.mouseButton(.left, place, clicks: 1, []), nil), (.mouseButton(.right, place, clicks: 2, []), nil),
            (.mouseButton(.left, place, clicks: 2, []), .focusAt(place)), (.drop(["/a"]), .add(["/a"])),
            (.refreshNeeded, .redraw), (.iconified(false), .redraw), (.iconified(true), nil),
            (.mouseMoved(place), .pointAt(place)),
            (.character("m"), .turn(.matrix)), (.character("R"), .turn(.range)), (.character("c"), .turn(.siting)),
            (.character("u"), .turn(.chromaOrder)), (.character("p"), .toggleInspector),
            (.key(.backspace, [], isRepeat: false), .turn(.reset)), (.key(.backspace, .control, isRepeat: false), nil),
        ] as [(WindowEvent, ViewerAction?)])
    func reads(_ event: WindowEvent, _ action: ViewerAction?) {
        #expect(ViewerAction(event) == action)
    }

    @Test("The same tile twice is all tiles again; what is not there is ignored")
    func toggles() {
        var focus = Focus()
        focus.toggle(2, of: 4)
        #expect(focus.index == 2)
        focus.toggle(1, of: 4)
        #expect(focus.index == 1)
        focus.toggle(7, of: 4)
        focus.toggle(nil, of: 4)
        #expect(focus.index == 1)
        focus.toggle(1, of: 4)
        #expect(focus.index == nil)
    }

    @Test("Moving goes round", arguments: [(1, [0, 1, 2, 0]), (-1, [2, 1, 0, 2])])
    func moves(_ step: Int, _ expected: [Int]) {
        var focus = Focus()
        let indices = expected.map { _ in
            focus.move(step, of: 3)
            return focus.index
        }
        #expect(indices == expected)
        var empty = Focus()
        empty.move(1, of: 0)
        #expect(empty.index == nil)
    }
}
