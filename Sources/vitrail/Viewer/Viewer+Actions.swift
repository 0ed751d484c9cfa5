import FFmpegMedia
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
        case .drop(let paths): add(paths: paths)
        case .mouseButton(.left, let place, clicks: 2, _): toggleFocus(wall.tile(atX: place.x, y: place.y))
        case .mouseMoved(let place): point(at: place)
        case .mouseLeft: point(at: nil)
        default: break
        }
        if event.isTouch { pauseTour() }
        guard let (action, words) = ActionTable.meaning(of: event) else { return }
        do throws(ProgramError) {
            try action.perform(self, ActionWords(action: action, words: words, tile: nil))
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
        try action.perform(self, ActionWords(action: action, words: Array(words.dropFirst()), tile: tile))
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

    /// Adds an address, as if it had been dropped on the window.
    func add(_ address: String) throws(ProgramError) {
        let specifications = try AddressList.inputs(address)
        edit { document in
            for specification in specifications { dropped.insert(document.add(WallInput(specification))) }
        }
    }

    /// Opens the stream of a tile again.
    func retry(_ tile: WallTile) {
        guard let id = inputID(of: tile), let entry = shown[id] else { return }
        // The whole input is new, its tile as well.
        removeTile(entry.tile)
        shown[id] = nil
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
