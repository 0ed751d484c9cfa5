import FFmpegMedia
import Glibc
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
        case .mouseMoved, .mouseButton: wakePointer()
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
        // Names and paths keep the spaces in them.
        let rest = line.drop(while: \.isWhitespace).dropFirst(name.count)
        try action.perform(
            self,
            ActionWords(
                action: action, words: Array(words.dropFirst()), typed: String(rest).trimmed, tile: tile, canAsk: false)
        )
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
        if overlay.help.page != nil {
            overlay.help.show(false)
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

    /// Adds an address; if there is none, it is asked for.
    func add(_ words: ActionWords) throws(ProgramError) {
        if try asks(for: words, "Add a file, an address or a wall (Enter adds it, Esc does not)", "") { return }
        try add(words.text)
    }

    /// Asks for the words of an action that has none, and performs it with them.
    ///
    /// - Parameters:
    ///   - words: the words that the action has.
    ///   - title: what is asked for.
    ///   - present: what it is now.
    /// - Returns: whether somebody is asked, so that nothing is to be done now.
    /// - Throws: why nobody can be asked.
    func asks(for words: ActionWords, _ title: String, _ present: some CustomStringConvertible) throws(ProgramError)
        -> Bool
    {
        guard words.words.isEmpty else { return false }
        guard words.canAsk else { throw words.refusal }
        let action = words.action
        ask(title, text: present.description) { [self] text throws(ProgramError) in
            let typed = text.trimmed
            guard !typed.isEmpty else { return }
            let split = typed.split(whereSeparator: \.isWhitespace).map(String.init)
            try action.perform(
                self, ActionWords(action: action, words: split, typed: typed, tile: words.tile, canAsk: false))
        }
        return true
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
        guard window.hasScreen else { throw ProgramError(.usage, "Without a window there is no clipboard.") }
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

    /// Adds an address, as if it had been dropped on the window; opens a wall.
    func add(_ typed: String) throws(ProgramError) {
        // As a shell does it.
        let home = typed.hasPrefix("~/") ? getenv("HOME").map { String(cString: $0) } : nil
        let address = home.map { $0 + typed.dropFirst(1) } ?? typed
        if WallNames.path(of: address) != nil { return try openWall(address) }
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
