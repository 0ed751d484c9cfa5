public import MediaIO
import VitrailSupport

/// Updating the scene: nothing is allocated if only frames have changed.
extension Wall {
    /// Takes the newest frames and updates ``scene``.
    ///
    /// Passes changed wants on to the sources: no frames for hidden tiles, and none much larger than their tile.
    ///
    /// **Cost:** every frame; one short lock per visible tile, and no allocation if only frames have changed.
    /// - Parameter size: the size of the scene, in pixels; if a side is 0, nothing is visible.
    /// - Returns: whether anything has changed.
    @discardableResult
    public func update(size: VideoSize) -> Bool {
        let (focus, now) = (focusedIndex, now())
        markReadTiles(focus)
        for index in entries.indices where (focus ?? index) == index || entries[index].isRead {
            entries[index].tile.update()
        }
        hasOwnChanges = false
        for index in entries.indices { entries[index].revision = entries[index].tile.revision }
        changes.removeAll(keepingCapacity: true)
        if layoutRatios == nil || scene.size != size { rebuild(size) }
        if hasOtherShapes { place(size, focus) }
        for index in entries.indices { refreshTile(index, now) }
        refreshWhole()
        tellWants()
        return publish()
    }

    /// Updates only the wall's own overlays in ``scene``, which were made for that scene.
    ///
    /// **Cost:** every frame; a comparison if they have not changed.
    package func updateOverlays() {
        guard hasNewOverlays else { return }
        changes.removeAll(keepingCapacity: true)
        refreshOverlays()
        publish()
    }

    /// Makes the ``changes`` those of the scene.
    ///
    /// - Returns: whether there are any.
    @discardableResult
    private func publish() -> Bool {
        hasNewOverlays = false
        guard !changes.isEmpty else { return false }
        // An effect on the whole wall may move any pixel to any place.
        if !scene.effects.isEmpty { changes.append(scene.bounds) }
        scene.number += 1
        let slot = WallScene.slot(scene.number)
        swap(&scene.recentDamage[slot], &changes)
        return true
    }

    /// The index of the tile that fills the wall, or `nil` if all are visible.
    var focusedIndex: Int? {
        guard let focus else { return nil }
        // By index: in debug builds closures and an array's iterator allocate.
        for index in entries.indices where entries[index].tile.id == focus { return index }
        return nil
    }

    /// Rebuilds the scene after a change of the tiles, their order or the size.
    private func rebuild(_ size: VideoSize) {
        scene.size = size
        scene.tiles = entries.map { entry in
            let empty = Rectangle(x: 0, y: 0, width: 0, height: 0)
            return WallScene.Tile(
                id: entry.tile.id, frame: nil, frameNumber: -1, rectangle: empty,
                placement: ContentMode.Placement(destination: empty), orientation: entry.tile.orientation,
                filter: .automatic, scalesInLinearLight: false, colorOverride: ColorOverride(), overlays: [])
        }
        // Space for later changes of frames and texts: each tile and the wall's overlay, before and after.
        changes.reserveCapacity(entries.count + 2)
        for slot in scene.recentDamage.indices { scene.recentDamage[slot].reserveCapacity(entries.count + 2) }
        changes.append(scene.bounds)
        layoutRatios = nil
    }

    /// Whether a frame has another aspect ratio than its tile was placed for.
    private var hasOtherShapes: Bool {
        guard let layoutRatios else { return true }
        for index in entries.indices where entries[index].tile.aspectRatio != layoutRatios[index] { return true }
        return false
    }

    private func place(_ size: VideoSize, _ focus: Int?) {
        let ratios = entries.map(\.tile.aspectRatio)
        layoutRatios = ratios
        let hidden = Rectangle(x: 0, y: 0, width: 0, height: 0)
        let rectangles = focus == nil ? layout.rectangles(aspectRatios: ratios, in: size) : []
        require(
            focus != nil || rectangles.count >= entries.count,
            "A layout must return one rectangle per tile: \(type(of: layout)) returned \(rectangles.count) for \(entries.count)."
        )
        for index in entries.indices {
            let old = scene.tiles[index].rectangle
            let new = focus == nil ? rectangles[index] : index == focus ? scene.bounds : hidden
            guard new != old else { continue }
            // Redraws the area that the tile leaves; its new area is redrawn with the tile.
            if old.width > 0, old.height > 0 { addChange(old) }
            scene.tiles[index].rectangle = new
            scene.tiles[index].frameNumber = -1
        }
    }

    private func refreshTile(_ index: Int, _ now: MonotonicTime) {
        let (tile, failure) = (entries[index].tile, entries[index].anyFailure)
        let old = scene.tiles[index]
        var new = old
        (new.frame, new.frameNumber, new.orientation) = (tile.frame, tile.frameNumber, tile.orientation)
        (new.filter, new.scalesInLinearLight) = (tile.filter, tile.scalesInLinearLight)
        new.colorOverride = tile.colorOverride
        noteSilence(ofTile: index, at: now)
        guard new.isVisible else {
            // The scene needs the frame of a hidden tile only if an effect reads it; the tile itself keeps it.
            if !entries[index].isRead { new.frame = nil }
            scene.tiles[index] = new
            return
        }
        new.placement = tile.contentMode.place(aspectRatio: tile.aspectRatio, in: new.rectangle)
        if !tile.effects.steps.isEmpty || !new.effects.steps.isEmpty {
            new.effects = tile.effects
            new.effectInputs = inputs(of: tile.effects, in: new.placement.destination)
        }
        new.overlays = entries[index].overlays.make(
            of: tile, failure, entries[index].silence, in: new.rectangle, text)
        guard !new.looksLike(old) else { return }
        addChange(new.rectangle)
        scene.tiles[index] = new
    }

    /// Records a changed rectangle, clipped to the scene.
    private func addChange(_ rectangle: Rectangle) {
        let visible = rectangle.intersection(scene.bounds)
        if visible.width > 0, visible.height > 0 { changes.append(visible) }
    }

    /// Updates what concerns the whole wall: its colours, its effects and its overlays.
    private func refreshWhole() {
        scene.effectBudget = effectBudget
        let inputs = inputs(of: effects, in: scene.bounds)
        if scene.effects != effects || scene.effectInputs != inputs {
            (scene.effects, scene.effectInputs) = (effects, inputs)
            changes.append(scene.bounds)
        }
        if scene.colorTarget != colorTarget || scene.colorConversion != colorConversion {
            (scene.colorTarget, scene.colorConversion) = (colorTarget, colorConversion)
            changes.append(scene.bounds)
        }
        refreshOverlays()
    }

    private func refreshOverlays() {
        let label = overlayText.wallOverlay(overlay, in: scene.size, text)
        guard overlays != shownOverlays.own || label != shownOverlays.text else { return }
        shownOverlays = (overlays, label)
        let (old, new) = (scene.overlays, overlays + (label.map { [$0] } ?? []))
        scene.overlays = new
        // Compared in drawing order, because overlapping overlays look different in another order.
        for index in 0..<max(old.count, new.count) {
            let (before, after) = (index < old.count ? old[index] : nil, index < new.count ? new[index] : nil)
            guard before != after else { continue }
            if let before { addChange(before.bounds) }
            if let after { addChange(after.bounds) }
        }
    }
}
