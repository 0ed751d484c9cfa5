import Testing
import WindowGL

@testable import vitrail

/// What keys and clicks mean.
struct ViewerActionTests {
    static let place = WindowEvent.MousePosition(x: 1, y: 2)

    @Test(
        "An event is interpreted",
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
            (.mouseMoved(place), .pointAt(place)), (.mouseLeft, .pointAtNothing),
            (.character("m"), .turn(.matrix)), (.character("R"), .turn(.range)), (.character("c"), .turn(.siting)),
            (.character("u"), .turn(.chromaOrder)), (.character("p"), .toggleInspector),
            (.key(.backspace, [], isRepeat: false), .turn(.reset)), (.key(.backspace, .control, isRepeat: false), nil),
        ] as [(WindowEvent, ViewerAction?)])
    func reads(_ event: WindowEvent, _ action: ViewerAction?) {
        #expect(ViewerAction(event) == action)
    }
}
