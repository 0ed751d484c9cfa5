import VideoWall
import WindowGL

/// What concerns all tiles.
extension ActionTable {
    static let wall: [ViewerAction] = [
        ViewerAction(
            "focus", "TILE", in: .wall, keys: (1...9).map { .init(.key(.digit($0)), "\($0)") },
            "only that tile, or all again; 1 2 within a second: tile 12"
        ) { viewer, words throws(ProgramError) in
            let number = try words.number(in: 1...100_000)
            let tiles = viewer.wall.tiles
            guard tiles.indices.contains(number - 1) else {
                throw ProgramError(.usage, "focus: there is no tile \(number): there are \(tiles.count)")
            }
            viewer.toggleFocus(tiles[number - 1])
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
            menu: [.init("Next page", "next")], "the previous or next page of tiles"
        ) { viewer, words throws(ProgramError) in
            try viewer.turnPage(words)
        },
        ViewerAction(
            "tour", "SECONDS|off", in: .wall, keys: [.init(.character("t"))], menu: [.init("Tour on, off")],
            "pages or tiles in turn; a key or a click pauses it for 30 s"
        ) { viewer, words throws(ProgramError) in
            try viewer.setTour(words)
        },
        ViewerAction(
            "pause", "on|off", in: .wall, keys: [.init(.key(.space))], menu: [.init("Pause, resume")], "pause, resume"
        ) { viewer, words throws(ProgramError) in
            viewer.setPaused(try words.toggled(viewer.isPaused))
        },
        ViewerAction(
            "wind", "SECONDS|live", in: .wall,
            keys: [
                .init(.key(.left, .shift), "-5"), .init(.key(.right, .shift), "5"), .init(.character("L"), "live"),
            ], repeats: true, menu: [.init("Back by 10 s", "-10"), .init("Back to live", "live")],
            "back 5 s, forward 5 s, live again: all tiles, or the only one"
        ) { viewer, words throws(ProgramError) in
            try viewer.wind(words)
        },
        ViewerAction(
            "step", "next|previous", in: .wall,
            keys: [.init(.character(","), "previous"), .init(.character("."), "next")], repeats: true,
            "stop, and show the previous or next picture"
        ) { viewer, words throws(ProgramError) in
            try viewer.stepPicture(words)
        },
        ViewerAction(
            "add", "ADDRESS", in: .wall, keys: [.init(.key(.letter("o"), .control))], menu: [.init("Add…")],
            "add a file, an address or a list of them; open a wall"
        ) { viewer, words throws(ProgramError) in
            try viewer.add(words)
        },
        ViewerAction(
            "paste", in: .wall, keys: [.init(.key(.letter("v"), .control))], menu: [.init("Add from the clipboard")],
            "add the addresses on the clipboard"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            try viewer.paste()
        },
        ViewerAction(
            "save", "NAME|FILE.toml", in: .wall, keys: [.init(.character("w")), .init(.key(.letter("s"), .control))],
            menu: [.init("Save the wall…")], "save the wall: in its file, or under a name"
        ) { viewer, words throws(ProgramError) in
            try viewer.saveWall(words)
        },
        ViewerAction(
            "save-as", "NAME|FILE.toml", in: .wall, keys: [.init(.key(.letter("s"), [.control, .shift]))],
            menu: [.init("Save under another name…")], "save the wall under another name"
        ) { viewer, words throws(ProgramError) in
            try viewer.saveWallAs(words)
        },
        ViewerAction(
            "open", "NAME|FILE.toml", in: .wall, keys: [.init(.key(.letter("o"), [.control, .shift]))],
            menu: [.init("Open a wall…")], "show another wall, by its name or file"
        ) { viewer, words throws(ProgramError) in
            try viewer.openWall(words)
        },
        ViewerAction(
            "undo", in: .wall, keys: [.init(.key(.letter("z"), .control))], repeats: true, menu: [.init("Undo")],
            "undo the last change of the wall"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            viewer.undo()
        },
        ViewerAction(
            "redo", in: .wall,
            keys: [.init(.key(.letter("y"), .control)), .init(.key(.letter("z"), [.control, .shift]))], repeats: true,
            menu: [.init("Redo")], "redo it"
        ) { viewer, words throws(ProgramError) in
            try words.none()
            viewer.redo()
        },
    ]

    static let layout: [ViewerAction] = [
        ViewerAction(
            "layout", LayoutSettings.Kind.allCases.map(\.rawValue).joined(separator: "|"), in: .layout,
            keys: [.init(.character("g"))],
            menu: [
                .init("Grid", "grid"), .init("Spotlight", "spotlight"), .init("Strip", "strip"),
                .init("Picture in picture", "pip"), .init("Free places", "free"),
            ], "the next layout: grid, spotlight, strip, pip"
        ) { viewer, words throws(ProgramError) in
            viewer.setLayout(try words.choice())
        },
        ViewerAction(
            "grid", "ROWSxCOLUMNS|auto", in: .layout, menu: [.init("Rows and columns…")], "rows and columns of the grid"
        ) { viewer, words throws(ProgramError) in
            try viewer.setGrid(words)
        },
        ViewerAction("gap", "PIXELS", in: .layout, menu: [.init("Gap…")], "the gap between tiles") {
            viewer, words throws(ProgramError) in
            if try viewer.asks(for: words, "Pixels between tiles", viewer.history.document.layout.gap) { return }
            let gap = try words.number(in: 0...1000)
            viewer.edit { $0.layout.gap = gap }
        },
        ViewerAction("margin", "PIXELS", in: .layout, menu: [.init("Margin…")], "the margin around all tiles") {
            viewer, words throws(ProgramError) in
            if try viewer.asks(for: words, "Pixels around all tiles", viewer.history.document.layout.margin) { return }
            let margin = try words.number(in: 0...1000)
            viewer.edit { $0.layout.margin = margin }
        },
        ViewerAction(
            "edge", "left|right|up|down", in: .layout, keys: ActionTable.arrows([.control, .shift]), repeats: true,
            "move the edge of the tile, as dragging does"
        ) { viewer, words throws(ProgramError) in
            try viewer.moveEdge(words)
        },
        ViewerAction(
            "move", "next|previous|first", in: .layout,
            keys: [
                .init(.key(.left, .control), "previous"), .init(.key(.right, .control), "next"),
                .init(.key(.enter), "first"),
            ], repeats: true, menu: [.init("To the first, large place", "first")],
            "move the tile back, forward or to the first (large) place"
        ) { viewer, words throws(ProgramError) in
            try viewer.moveTile(words)
        },
        ViewerAction(
            "page-size", "TILES|all", in: .layout, menu: [.init("Tiles on a page…")],
            "show so many tiles at once, on several pages"
        ) { viewer, words throws(ProgramError) in
            let present = viewer.history.document.pages.size.map(String.init) ?? "all"
            if try viewer.asks(for: words, "Tiles on a page, or all", present) { return }
            let size = words.first == "all" ? nil : try words.number(in: 1...1000)
            viewer.edit { ($0.pages.size, $0.pages.page) = (size, 0) }
        },
    ]
}
