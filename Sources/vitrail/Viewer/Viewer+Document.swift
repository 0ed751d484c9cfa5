import FFmpegMedia
import Logging
import MediaIO
import VideoWall
import WindowGL

/// Showing the document of the wall: what stays the same in it is not touched.
extension Viewer {
    /// Edits the document, and shows it.
    ///
    /// - Parameters:
    ///   - gesture: edits of one gesture, such as a drag, are undone together; `nil` for an edit by itself.
    ///   - origin: where the document comes from, if it is another wall.
    ///   - change: changes the document.
    func edit(gesture: String? = nil, origin: WallOrigin? = nil, _ change: (inout WallDocument) -> Void) {
        var document = history.document
        change(&document)
        document.keepPlacesApart()
        // After a pause, it is another gesture.
        if clock.now - lastEdit > .seconds(1) { history.endGesture() }
        lastEdit = clock.now
        if let origin {
            replaceDocument(document, from: origin)
        } else {
            history.edit(document, gesture: gesture)
        }
        showDocument()
    }

    /// Undoes the last edit.
    func undo() {
        overlay.show(history.undo() ? "undone" : "There is nothing to undo.", now: clock.now)
        showDocument()
    }

    /// Does the last undone edit again.
    func redo() {
        overlay.show(history.redo() ? "done again" : "There is nothing to do again.", now: clock.now)
        showDocument()
    }

    /// Shows the difference between the document and what is shown.
    func showDocument() {
        defer { showTitle() }
        let (old, new) = (shownDocument, history.document)
        guard old != new else { return }
        shownDocument = new
        // What was shown at first has come from nowhere, and an edge that is dragged follows the hand.
        let moves = new.look.animation && !old.inputs.isEmpty && !hands.isResizing
        wall.transitionTime = moves ? Self.transitionTime : .zero
        if new.look != old.look { applyLook(new.look) }
        // Which streams share an instant is said when they are opened.
        let kept = early.align(new.alignment) ? new.inputs.filter { !canAlign($0) } : new.inputs
        removeInputs(keeping: kept)
        for input in new.inputs { show(input) }
        order(new.inputs)
        if new.layout != old.layout || new.pages != old.pages || new.inputs.map(\.place) != old.inputs.map(\.place) {
            wall.layout = new.wallLayout
        }
        wall.focus = new.focus.flatMap { shown[$0]?.tile.id }
        if new.focus != old.focus || new.pages != old.pages, statistics != nil {
            // Begin new rates, because other streams are visible now.
            statistics = WallStatistics()
        }
        watchEffects()
    }

    /// The input that a tile shows; `nil` for a tile that is not in the document.
    func inputID(of tile: WallTile) -> WallInput.ID? { shown.first { $0.value.tile === tile }?.key }

    /// Whether what is shown of an input can show the same instant as others; files, for example, play in their own time.
    private func canAlign(_ input: WallInput) -> Bool {
        shown[input.id].flatMap { self.input(of: $0.tile) }?.stream.canAlign ?? false
    }

    /// The tiles of the document's inputs follow those that are not in it, such as a demo's.
    private func order(_ inputs: [WallInput]) {
        let others = wall.tiles.count - inputs.count
        for (index, input) in inputs.enumerated() {
            guard let tile = shown[input.id]?.tile, wall.tiles[others + index] !== tile else { continue }
            wall.move(tile, to: others + index)
        }
    }

    private func applyLook(_ look: WallLook) {
        do throws(ProgramError) {
            style = try PictureStyle(look)
        } catch {
            // Its effects were checked when it was read, but their files may have changed since.
            tell(failure: error.description)
            style.look = look
        }
        style.apply(to: wall)
        for entry in shown.values { if let now = entry.specification { style.apply(to: entry.tile, now) } }
    }

    private func removeInputs(keeping inputs: [WallInput]) {
        let kept = Set(inputs.map(\.id))
        for (id, entry) in shown where !kept.contains(id) {
            (shown[id], choices[id]) = (nil, nil)
            dropped.remove(id)
            removeTile(entry.tile)
        }
    }

    /// Shows an input that is new or has changed.
    private func show(_ input: WallInput) {
        let old = shown[input.id]
        guard old?.input != input else { return }
        let (specification, substream): (InputSpecification, InputSpecification?)
        do throws(ProgramError) {
            specification = try InputSpecification(input)
            substream = try input.substreamSpecification()
            for output in outputs {
                for input in [specification, substream].compactMap(\.self) {
                    try output.output.specification.check(isNot: input)
                }
            }
        } catch {
            return show(input, failure: error)
        }
        guard let old, let before = old.specification, before.opening == specification.opening,
            old.substream?.opening == substream?.opening
        else {
            if let old { removeTile(old.tile) }
            let tile = open(specification, substream, isDropped: dropped.contains(input.id))
            tile.zoom = input.zoom
            shown[input.id] = ShownInput(
                input: input, specification: specification, substream: substream, tile: tile)
            choices[input.id] = substream == nil ? nil : StreamChoice()
            return
        }
        shown[input.id] = ShownInput(
            input: input, specification: specification, substream: substream, tile: old.tile)
        style.apply(to: old.tile, specification)
        old.tile.zoom = input.zoom
        guard before.settings != specification.settings else { return }
        for index in inputs.indices
        where (inputs[index].tiles + inputs[index].incoming).contains(where: { $0 === old.tile }) {
            inputs[index].stream.update(old.tile, specification)
        }
    }

    /// An input that cannot be opened has a tile that says why.
    private func show(_ input: WallInput, failure: ProgramError) {
        if let old = shown[input.id] { removeTile(old.tile) }
        choices[input.id] = nil
        let tile = WallTile(
            name: input.name ?? MediaLocation.hidingSecrets(in: input.address), mailbox: early.makeMailbox())
        tile.mailbox.sourceDidChange(.failed(failure.description))
        wall.insert(tile)
        shown[input.id] = ShownInput(input: input, specification: nil, tile: tile)
        logger.error("\(tile.name): \(failure.description)")
    }
}
