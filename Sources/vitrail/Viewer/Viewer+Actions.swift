import FFmpegMedia
import MediaIO
import VideoWall
import WallRendering
import WindowGL

/// What keys, the mouse, drops and lines of control do.
extension Viewer {
    /// Obeys an event of the window.
    func obey(_ event: WindowEvent) {
        switch event {
        case .closeRequested: isDone = true
        case .refreshNeeded, .resized, .iconified(false): screen.target.invalidate()
        case .drop(let paths): drop(paths)
        case .mouseLeft: point(at: nil)
        default: break
        }
        if event.isTouch { pauseTour() }
        guard !handle(event), let (action, words) = ActionTable.meaning(of: event) else { return }
        perform(action, words, tile: nil)
    }

    /// Performs an action of a key or of the menu; what cannot be done is said on the wall.
    func perform(_ action: ViewerAction, _ words: [String], tile: WallTile?) {
        do throws(ProgramError) {
            try action.perform(self, ActionWords(action: action, words: words, tile: tile, canAsk: true))
        } catch {
            overlay.show(error.description, now: clock.now)
        }
    }

    /// Obeys a line of words, the first of which is the name of an action.
    ///
    /// - Parameters:
    ///   - line: the words.
    ///   - tile: the tile that they are about; `nil` for the only visible one, or else the one under the mouse.
    /// - Throws: ``ProgramError/Status/usage``, with what is accepted.
    func obey(_ line: String, tile: WallTile?) throws(ProgramError) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let name = words.first else { throw ProgramError(.usage, "there is no verb: write one, as in “all”") }
        guard let action = ActionTable.action(named: name) else {
            let names = ActionTable.all.map(\.name)
            throw ProgramError(.usage, "there is no “\(name)”\(WallTable.suggestion(for: name, among: names))")
        }
        try action.perform(
            self, ActionWords(action: action, words: Array(words.dropFirst()), tile: tile, canAsk: false))
    }

    /// The tile that an action is about.
    func target(_ words: ActionWords) throws(ProgramError) -> WallTile {
        guard let tile = words.tile ?? pointedTile else { throw ProgramError(.usage, "Point at a tile first.") }
        return tile
    }

    /// Edits the input of the tile that an action is about.
    func editInput(_ words: ActionWords, _ change: (inout WallInput) -> Void) throws(ProgramError) {
        let tile = try target(words)
        guard let index = inputID(of: tile).flatMap(history.document.index) else {
            throw ProgramError(.usage, "This tile cannot be changed.")
        }
        edit { change(&$0.inputs[index]) }
    }

    /// Shows all tiles if only one is shown, or else leaves fullscreen.
    func leave() {
        if overlay.showsHelp {
            overlay.showsHelp = false
        } else if wall.focus != nil, wall.tiles.count > 1 {
            setFocus(nil)
        } else {
            window.isFullscreen = false
        }
    }

    /// Shows only one tile, or all if it is the only one already; ignores `nil`.
    func toggleFocus(_ tile: WallTile?) {
        guard let tile else { return }
        setFocus(wall.focus == tile.id ? nil : tile)
    }

    /// Shows only one tile, or all for `nil`.
    func setFocus(_ tile: WallTile?) {
        let id = tile.flatMap { inputID(of: $0) }
        edit { $0.focus = id }
        // A tile that is not in the document, such as a demo's.
        if let tile, id == nil { wall.focus = tile.id }
        if tile == nil { wall.focus = nil }
    }

    /// Pauses or resumes all streams.
    func setPaused(_ isPaused: Bool) {
        self.isPaused = isPaused
        window.title = isPaused ? "\(title) (paused)" : title
        for input in inputs { input.stream.setPaused(isPaused) }
    }

    /// Adds an address; if there is none, it is asked for.
    func add(_ words: ActionWords) throws(ProgramError) {
        guard words.words.isEmpty else { return try add(words.text) }
        guard words.canAsk else { throw words.refusal }
        ask("Add a file or an address (Enter adds it, Esc does not)") { [self] text throws(ProgramError) in
            let address = text.trimmed
            if !address.isEmpty { try add(address) }
        }
    }

    /// Adds the addresses on the clipboard, one a line.
    func paste() throws(ProgramError) {
        let lines = (window.clipboard ?? "").split(whereSeparator: \.isNewline).map { String($0).trimmed }
            .filter { !$0.isEmpty }
        guard !lines.isEmpty, lines.count <= 1000 else {
            throw ProgramError(.usage, "There is no address on the clipboard.")
        }
        for line in lines { try add(line) }
    }

    /// Names a tile; if there is no name, it is asked for.
    func name(_ words: ActionWords) throws(ProgramError) {
        let tile = try target(words)
        guard words.words.isEmpty, words.canAsk else {
            let name = words.text.isEmpty ? nil : words.text
            return try editInput(words) { $0.name = name }
        }
        let words = ActionWords(action: words.action, words: [], tile: tile, canAsk: false)
        ask("Name of \(tile.name) (Enter sets it, Esc does not)", text: tile.label ?? "") {
            [self] text throws(ProgramError) in
            let name = text.trimmed
            try editInput(words) { $0.name = name.isEmpty ? nil : name }
        }
    }

    /// Copies the address of a tile, without its secrets.
    func copyAddress(_ words: ActionWords) throws(ProgramError) {
        let tile = try target(words)
        guard let id = inputID(of: tile), let entry = shown[id] else {
            throw ProgramError(.usage, "This tile has no address.")
        }
        window.clipboard = MediaLocation.hidingSecrets(in: entry.input.address)
        overlay.show("address copied", over: tile, now: clock.now)
    }

    /// Opens the menu of the chosen tile.
    func openMenu() {
        let area = pointedTile.flatMap { tile in wall.scene.tiles.first { $0.id == tile.id }?.rectangle }
        let place = area.map { area in
            WindowEvent.MousePosition(x: Double(area.x + area.width / 4), y: Double(area.y + area.height / 4))
        }
        openMenu(at: place ?? mouse ?? WindowEvent.MousePosition(x: 0, y: 0), of: pointedTile)
    }

    /// Adds an address, as if it had been dropped on the window.
    func add(_ address: String) throws(ProgramError) {
        let specifications = try AddressList.inputs(address)
        edit { document in
            for specification in specifications { dropped.insert(document.add(WallInput(specification))) }
        }
        noteOpened([.init(typed: address)])
    }

    /// Opens the stream of a tile again, for all tiles that show it.
    func retry(_ tile: WallTile) {
        let tiles = input(of: tile)?.tiles ?? [tile]
        for (id, entry) in shown where tiles.contains(where: { $0 === entry.tile }) {
            removeTile(entry.tile)
            (shown[id], choices[id]) = (nil, nil)
        }
        // As if none of them had been shown yet.
        (shownDocument.inputs, shownDocument.focus) = ([], nil)
        showDocument()
        overlay.show("\(tile.title): trying again", now: clock.now)
    }
}

extension WindowEvent {
    /// Whether somebody has done something, and not only passed by.
    var isTouch: Bool {
        switch self {
        case .key, .character, .mouseButton, .scroll: true
        default: false
        }
    }
}
