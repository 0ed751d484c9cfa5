import VideoWall
import WindowGL

/// What concerns one tile.
extension ActionTable {
    static let tile: [ViewerAction] = [
        ViewerAction(
            "select", "next|previous", in: .tile,
            keys: [.init(.key(.tab), "next"), .init(.key(.tab, .shift), "previous")], repeats: true,
            "choose another tile without the mouse"
        ) { viewer, words throws(ProgramError) in
            viewer.hands.selected = viewer.wall.tile(try words.step(), from: viewer.hands.selected)?.id
        },
        ViewerAction(
            "menu", in: .tile, keys: [.init(.key(.function(10)))],
            "the menu, as a right click or a long press"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            viewer.openMenu()
        },
        ViewerAction(
            "name", "TEXT", in: .tile, keys: [.init(.key(.function(2)))], menu: [.init("Name…")],
            "name it; without a text: the name of its address"
        ) { viewer, words throws(ProgramError) in
            try viewer.name(words)
        },
        ViewerAction(
            "retry", in: .tile, keys: [.init(.key(.function(5)))], menu: [.init("Try again")],
            "connect or open it again"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            viewer.retry(try viewer.target(words))
        },
        ViewerAction(
            "record", "[all] on|off", in: .tile, keys: [.init(.character("R"))], menu: [.init("Record, or not")],
            "record its packets, as they come, or not"
        ) { viewer, words throws(ProgramError) in
            try viewer.record(words)
        },
        ViewerAction("remove", in: .tile, keys: [.init(.key(.delete))], menu: [.init("Remove")], "remove it") {
            viewer, words throws(ProgramError) in
            try words.none()
            viewer.remove(try viewer.target(words))
        },
        ViewerAction(
            "copy", in: .tile, keys: [.init(.key(.letter("c"), .control))], menu: [.init("Copy its address")],
            "copy its address, without a password"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            try viewer.copyAddress(words)
        },
        ViewerAction(
            "zoom", "in|out|off", in: .tile,
            keys: [.init(.key(.up, .control), "in"), .init(.key(.down, .control), "out")], repeats: true,
            menu: [.init("Show all of the picture", "off")], "enlarge its picture, as the wheel does"
        ) { viewer, words throws(ProgramError) in
            try viewer.zoom(words)
        },
        ViewerAction(
            "pan", "left|right|up|down", in: .tile,
            keys: ActionTable.arrows(.alt), repeats: true, "move an enlarged picture or a free tile, as dragging does"
        ) { viewer, words throws(ProgramError) in
            try viewer.pan(words)
        },
        ViewerAction(
            "rotate", "0|90|180|270", in: .tile, keys: [.init(.character("v"))], menu: [.init("Rotate")],
            "a quarter turn clockwise"
        ) { viewer, words throws(ProgramError) in
            try viewer.rotate(words)
        },
        ViewerAction(
            "mirror", "none|horizontal|vertical", in: .tile, keys: [.init(.character("x"))], menu: [.init("Mirror")],
            "mirrored, or not"
        ) { viewer, words throws(ProgramError) in
            try viewer.mirror(words)
        },
        ViewerAction(
            "content", "fit|fill|stretch", in: .tile, keys: [.init(.character("a"))],
            menu: [.init("Fit, fill or stretch")], "how the picture fills the tile: fit, fill, stretch"
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
        ) { viewer, words throws(ProgramError) in
            try viewer.turn(.reset, words)
        },
    ]
}
