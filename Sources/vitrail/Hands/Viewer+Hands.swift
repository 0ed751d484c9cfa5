import MediaIO
import VideoWall
import WindowGL

/// The mouse, a finger, and what is open over the wall.
extension Viewer {
    /// Gives an event to what is open or held.
    ///
    /// - Returns: whether nothing else is to be done with it.
    func handle(_ event: WindowEvent) -> Bool {
        hands.note(event)
        if hands.prompt != nil { return handlePrompt(event) }
        if hands.menu != nil { return handleMenu(event) }
        if handleFirstPage(event) { return true }
        switch event {
        case .mouseButton(.left, let place, clicks: 1, _): press(at: place)
        case .mouseButton(.left, let place, _, _):
            hands.grip = .nothing
            toggleFocus(wall.tile(atX: place.x, y: place.y))
        case .mouseButton(.right, let place, _, _): openMenu(at: place)
        case .mouseMoved(let place): moveHand(to: place)
        case .mouseReleased(.left, let place): release(at: place)
        case .scroll(_, let steps): if let mouse { zoom(by: steps, at: mouse) }
        case .key(.digit(let digit), let modifiers, isRepeat: false)
        where modifiers.isDisjoint(with: [.control, .alt, .system]):
            typeDigit(digit)
        default: return false
        }
        return true
    }

    /// Does what was waited for.
    func finishWaiting() {
        if let number = hands.digits.take(now: clock.now) { focus(onTile: number) }
        if case .pressed(let tile, let place, let since) = hands.grip, clock.now >= since + Hands.longPress {
            hands.grip = .nothing
            openMenu(at: place, of: tile)
        }
    }

    // MARK: Digits

    private func typeDigit(_ digit: Int) {
        if let number = hands.digits.type(digit, of: wall.tiles.count, now: clock.now) {
            focus(onTile: number)
        } else {
            overlay.show("tile \(hands.digits.typed)…", for: DigitEntry.time, now: clock.now)
        }
    }

    /// Shows only the tile of a number, or all for 0 and if it is the only one already.
    private func focus(onTile number: Int) {
        guard number > 0 else { return setFocus(nil) }
        let tiles = wall.tiles
        guard tiles.indices.contains(number - 1) else {
            return overlay.show("There is no tile \(number): there are \(tiles.count).", now: clock.now)
        }
        toggleFocus(tiles[number - 1])
    }

    // MARK: Dragging

    private func press(at place: WindowEvent.MousePosition) {
        history.endGesture()
        if wall.focus == nil, let split = Split.find(at: place, among: wall.rectangles), canMove(split) {
            hands.grip = .resizing(split)
        } else if let tile = wall.tile(atX: place.x, y: place.y) {
            hands.grip = .pressed(tile, at: place, since: clock.now)
        }
    }

    /// Whether there is something to change by dragging an edge.
    func canMove(_ split: Split) -> Bool {
        // The tiles of a demo come before those of the document.
        guard wall.tiles.count == history.document.inputs.count else { return false }
        return switch history.document.layout.kind {
        case .grid, .free: true
        case .spotlight, .strip: [split.before, split.after].contains(Split.first(wall.rectangles))
        case .pip: false
        }
    }

    /// When the pointer is hidden if nobody moves it; `nil` for never.
    var pointerEnd: ContinuousClock.Instant? {
        guard window.isFullscreen, !hands.isPointerHidden else { return nil }
        return hands.restingSince + Hands.longRest
    }

    /// Hides a pointer that rests in fullscreen, where it would lie on the pictures for months.
    func hideRestingPointer() {
        guard let end = pointerEnd, clock.now >= end else { return }
        hands.isPointerHidden = true
        window.setPointer(.hidden)
    }

    /// Notes that the pointer is used, and shows it again.
    func wakePointer() {
        hands.restingSince = clock.now
        guard hands.isPointerHidden else { return }
        hands.isPointerHidden = false
        window.setPointer(.arrow)
    }

    private func moveHand(to place: WindowEvent.MousePosition) {
        point(at: place)
        hands.selected = nil
        switch hands.grip {
        case .nothing: showPointer(at: place)
        case .pressed(let tile, let start, _):
            let (x, y) = (place.x - start.x, place.y - start.y)
            guard x * x + y * y > Hands.slack * Hands.slack else { return }
            hands.grip = tile.zoom == nil ? .carrying(tile) : .panning(tile, last: start)
            moveHand(to: place)
        case .carrying: window.setPointer(.hand)
        case .panning(let tile, let last):
            pan(tile, x: last.x - place.x, y: last.y - place.y)
            hands.grip = .panning(tile, last: place)
        case .resizing(let split): resize(split, to: place, wall.rectangles)
        }
    }

    private func showPointer(at place: WindowEvent.MousePosition) {
        let split = wall.focus == nil ? Split.find(at: place, among: wall.rectangles) : nil
        guard let split, canMove(split) else { return window.setPointer(.arrow) }
        window.setPointer(split.isVertical ? .resizeHorizontally : .resizeVertically)
    }

    private func release(at place: WindowEvent.MousePosition) {
        let grip = hands.grip
        hands.grip = .nothing
        history.endGesture()
        showPointer(at: place)
        guard case .carrying(let tile) = grip, let drop = drop(of: tile, at: place) else { return }
        apply(drop, to: tile)
    }

    /// Moves an edge to a position, among the tiles as they are or will be.
    func resize(_ split: Split, to place: WindowEvent.MousePosition, _ rectangles: [Rectangle]) {
        let area = wall.area
        edit(gesture: "split") { document in
            var places = document.inputs.map(\.place)
            split.move(to: place, &document.layout, &places, rectangles, in: area)
            for (index, place) in places.enumerated() { document.inputs[index].place = place }
        }
    }

    // MARK: Zoom

    /// Enlarges the picture under the mouse around that point, or less.
    func zoom(by steps: Double, at place: WindowEvent.MousePosition) {
        guard let tile = wall.tile(atX: place.x, y: place.y) else { return }
        zoom(tile, by: steps, at: place)
    }

    /// Enlarges a picture around a point of the wall, or less.
    func zoom(_ tile: WallTile, by steps: Double, at place: WindowEvent.MousePosition) {
        guard let shown = wall.scene.tiles.first(where: { $0.id == tile.id }), shown.isVisible, steps != 0 else {
            return
        }
        let new = PictureView(of: tile, in: shown.rectangle).enlarged(by: steps, at: place)
        editZoom(of: tile) { _ in new }
    }

    /// Moves an enlarged picture by so many pixels of the wall.
    func pan(_ tile: WallTile, x: Double, y: Double) {
        guard let shown = wall.scene.tiles.first(where: { $0.id == tile.id }), shown.isVisible else { return }
        let new = PictureView(of: tile, in: shown.rectangle).moved(x: x, y: y)
        editZoom(of: tile) { _ in new }
    }

    private func editZoom(of tile: WallTile, _ change: (TileZoom?) -> TileZoom?) {
        guard let id = inputID(of: tile) else {
            tile.zoom = change(tile.zoom)
            return
        }
        edit(gesture: "zoom \(id)") { document in
            guard let index = document.index(of: id) else { return }
            document.inputs[index].zoom = change(document.inputs[index].zoom)
        }
    }

    // MARK: Menu

    /// Opens the menu of the tile at a position.
    func openMenu(at place: WindowEvent.MousePosition, of tile: WallTile? = nil) {
        hands.grip = .nothing
        hands.menu = WallMenu(of: tile ?? wall.tile(atX: place.x, y: place.y), at: place)
    }

    private func handleMenu(_ event: WindowEvent) -> Bool {
        switch event {
        case .key(.escape, _, _): hands.menu = nil
        case .key(.up, _, _): hands.menu?.move(-1)
        case .key(.down, _, _): hands.menu?.move(1)
        case .key(.enter, _, isRepeat: false): choose(hands.menu?.chosen)
        case .mouseMoved(let place):
            point(at: place)
            if let entry = hands.menu?.entry(at: place, in: wall.scene.size) { hands.menu?.chosen = entry }
        case .mouseButton(.right, let place, _, _): openMenu(at: place)
        case .mouseButton(_, let place, _, _): choose(hands.menu?.entry(at: place, in: wall.scene.size))
        case .key, .character, .scroll, .mouseReleased: break
        default: return false
        }
        return true
    }

    /// Does what a line of the menu says, and closes it; only closes it for `nil`.
    private func choose(_ index: Int?) {
        guard let menu = hands.menu else { return }
        hands.menu = nil
        guard let index, menu.entries.indices.contains(index) else { return }
        let entry = menu.entries[index]
        perform(entry.action, entry.words, tile: menu.tile)
    }

    // MARK: Text

    /// Has a text typed, and does something with it.
    func ask(_ title: String, text: String = "", then finish: @escaping (String) throws(ProgramError) -> Void) {
        hands.prompt = TextPrompt(title, text: text, withKeyboard: hands.usesMouse, finish: finish)
    }

    private func handlePrompt(_ event: WindowEvent) -> Bool {
        switch event {
        case .character(let character, _): hands.prompt?.type(character)
        case .key(.backspace, _, _): hands.prompt?.erase()
        case .key(.letter("v"), .control, _): if let text = window.clipboard { hands.prompt?.paste(text) }
        case .key(.letter("u"), .control, _): hands.prompt?.clear()
        case .key(.letter("a"), .control, _): hands.prompt?.select(true)
        case .key(.right, _, _), .key(.end, _, _): hands.prompt?.select(false)
        case .key(.escape, _, _): hands.prompt = nil
        case .key(.enter, _, isRepeat: false): finishPrompt()
        case .mouseMoved(let place):
            point(at: place)
            hands.prompt?.point(at: place, in: wall.scene.size)
        case .mouseButton(_, let place, _, _): pressPrompt(at: place)
        case .key, .scroll, .mouseReleased: break
        default: return false
        }
        return true
    }

    private func finishPrompt() {
        guard let prompt = hands.prompt else { return }
        hands.prompt = nil
        do throws(ProgramError) { try prompt.finish(prompt.text) } catch { tell(failure: error.description) }
    }

    /// Presses a key of the keyboard on the wall; beside the panel, closes it.
    private func pressPrompt(at place: WindowEvent.MousePosition) {
        let size = wall.scene.size
        switch hands.prompt?.key(at: place, in: size) {
        case .done: finishPrompt()
        case .cancel: hands.prompt = nil
        case .paste: if let text = window.clipboard { hands.prompt?.paste(text) }
        case .some(let key): hands.prompt?.press(key)
        // A click that just misses a key does not throw away what has been typed.
        case nil where hands.prompt?.contains(place, in: size) == true: break
        case nil: hands.prompt = nil
        }
    }

    /// What is held or open, over the wall.
    func handOverlays(_ scene: WallScene, _ painter: any TextPainter) -> [WallOverlay] {
        var overlays: [WallOverlay] = []
        if let selected = hands.selected, let tile = scene.tiles.first(where: { $0.id == selected && $0.isVisible }) {
            overlays += Panel.frame(tile.rectangle, max(2, scene.size.height / 400), Panel.accent)
        }
        if case .carrying(let tile) = hands.grip, let mouse {
            overlays += ghost(of: tile, at: mouse, scene)
        }
        if hands.menu != nil { overlays += hands.menu?.overlays(in: scene.size, painter) ?? [] }
        if hands.prompt != nil { overlays += hands.prompt?.overlays(in: scene.size, painter) ?? [] }
        return overlays
    }
}
