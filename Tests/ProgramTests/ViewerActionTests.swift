import Testing
import WindowGL

@testable import vitrail

/// What keys and clicks mean.
struct ViewerActionTests {
    static let place = WindowEvent.MousePosition(x: 1, y: 2)

    @Test(
        "An event is interpreted",
        arguments: [
            (.closeRequested, .quit), (.key(.escape, [], isRepeat: false), .leave),
            (.character("q", isRepeat: false), .quit),
            (.character("F", isRepeat: false), .toggleFullscreen), (.character("s", isRepeat: false), .snapshot),
            (.character("i", isRepeat: false), .toggleStatistics),
            (.key(.space, [], isRepeat: false), .togglePause), (.key(.space, [], isRepeat: true), nil),
            (.key(.right, [], isRepeat: true), .moveFocus(1)), (.key(.left, [], isRepeat: false), .moveFocus(-1)),
            (.key(.up, [], isRepeat: false), .showAll), (.key(.digit(0), [], isRepeat: false), .showAll),
            (.key(.digit(1), [], isRepeat: false), .focus(0)), (.key(.digit(9), [], isRepeat: false), .focus(8)),
            (.key(.digit(9), [], isRepeat: true), nil), (.key(.letter("q"), [], isRepeat: false), nil),
            (.key(.right, .control, isRepeat: false), nil), (.key(.right, .shift, isRepeat: false), .moveFocus(1)),
            (.mouseButton(.left, place, clicks: 1, []), nil), (.mouseButton(.right, place, clicks: 2, []), nil),
            (.mouseButton(.left, place, clicks: 2, []), .focusAt(place)), (.drop(["/a"]), .add(["/a"])),
            (.refreshNeeded, .redraw), (.iconified(false), .redraw), (.iconified(true), nil),
            (.mouseMoved(place), .pointAt(place)), (.mouseLeft, .pointAtNothing),
            (.character("m", isRepeat: false), .turn(.matrix)), (.character("R", isRepeat: false), .turn(.range)),
            (.character("c", isRepeat: false), .turn(.siting)),
            (.character("u", isRepeat: false), .turn(.chromaOrder)),
            (.character("p", isRepeat: false), .toggleInspector),
            (.key(.delete, [], isRepeat: false), .remove), (.key(.delete, [], isRepeat: true), nil),
            (.character("f", isRepeat: true), nil), (.character("i", isRepeat: true), nil),
            (.character("m", isRepeat: true), nil), (.character("+", isRepeat: true), .turnEffects(.change(1))),
            (.key(.backspace, [], isRepeat: false), .turn(.reset)), (.key(.backspace, .control, isRepeat: false), nil),
        ] as [(WindowEvent, ViewerAction?)])
    func reads(_ event: WindowEvent, _ action: ViewerAction?) {
        #expect(ViewerAction(event) == action)
    }
}
