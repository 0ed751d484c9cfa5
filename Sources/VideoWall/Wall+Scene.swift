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
        // First: what comes from now on is the news of the next update, although this one may show it already.
        let hasNews = effectStage?.beginUpdate() ?? false
        hasStageNews = hasNews || hasStageNews
        markReadTiles(focus)
        for index in entries.indices where (focus ?? index) == index || entries[index].isRead {
            entries[index].tile.update(now: now)
        }
        hasOwnChanges = false
        for index in entries.indices { entries[index].revision = entries[index].tile.revision }
        changes.removeAll(keepingCapacity: true)
        if layoutRatios == nil || scene.size != size { rebuild(size) }
        if hasOtherShapes { place(size, focus, now) }
        advanceTransition(now)
        for index in entries.indices { noteEffects(ofTile: index) }
        for index in entries.indices { refreshTile(index, now) }
        // Afterwards: the effects of one tile may show another one.
        for index in entries.indices { stageTile(index) }
        refreshWhole(hasNews)
        effectStage?.endUpdate()
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
        if scene.size != size {
            // Moves nothing: what is resized by hand must follow the hand.
            (transition, isMoveDue) = (nil, false)
            scene.size = size
        }
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

    /// Determines the rectangles of all tiles and their order.
    private func place(_ size: VideoSize, _ focus: Int?, _ now: MonotonicTime) {
        let ratios = entries.map(\.tile.aspectRatio)
        layoutRatios = ratios
        let area = part.area(around: size)
        let whole = VideoSize(width: area.width, height: area.height)
        let rectangles = focus == nil ? layout.rectangles(aspectRatios: ratios, in: whole) : []
        require(
            focus != nil || rectangles.count >= entries.count,
            "A layout must return one rectangle per tile: \(type(of: layout)) returned \(rectangles.count) for \(entries.count)."
        )
        let order = layout.order(ofTiles: entries.count)
        require(
            order.count == entries.count && Set(order) == Set(entries.indices),
            "A layout must return the index of each tile once: \(type(of: layout)) returned the order \(order).")
        var isNew = false
        for index in entries.indices {
            let target = focus == nil ? rectangles[index].from(area) : index == focus ? area : .hidden
            isNew = isNew || entries[index].target != target
            entries[index].target = target
        }
        if isMoveDue, isNew { beginTransition(now) }
        isMoveDue = false
        scene.order = transition == nil ? order : transitionOrder(order)
        // A transition shows them where they are on their way.
        guard transition == nil else { return }
        for index in entries.indices { show(index, in: entries[index].target, isMoving: false) }
    }

    /// Whether the ``part`` shows some of a rectangle; one screen alone shows what lies beside it as well.
    func isInPart(_ rectangle: Rectangle) -> Bool {
        !rectangle.isEmpty && (part.isWhole || rectangle.intersects(scene.bounds))
    }

    /// Gives a tile its rectangle in this picture.
    ///
    /// - Parameters:
    ///   - index: the index of the tile.
    ///   - rectangle: its new rectangle; one that lies beside the scene is hidden if the wall has other parts.
    ///   - isMoving: whether it is a step of a transition.
    func show(_ index: Int, in rectangle: Rectangle, isMoving: Bool) {
        entries[index].shown = rectangle
        let rectangle = isInPart(rectangle) ? rectangle : .hidden
        let old = scene.tiles[index].rectangle
        guard rectangle != old else { return }
        // Redraws the area that the tile leaves; its new area is redrawn with the tile.
        if isMoving {
            // A step changes most of both areas, which a renderer should not draw twice.
            addChange(clipped(old).union(clipped(rectangle)))
        } else if !old.isEmpty {
            addChange(old)
        }
        scene.tiles[index].rectangle = rectangle
        scene.tiles[index].frameNumber = -1
    }

    private func refreshTile(_ index: Int, _ now: MonotonicTime) {
        let (tile, failure) = (entries[index].tile, entries[index].anyFailure)
        let old = scene.tiles[index]
        var new = old
        (new.frame, new.frameNumber, new.orientation) = (tile.frame, tile.frameNumber, tile.orientation)
        if let takenScene {
            entries[index].stepped.update(tile.frame, tile.frameNumber, taken: takenScene, for: scene.number + 1)
            (new.frame, new.frameNumber) = (entries[index].stepped.frame, entries[index].stepped.frameNumber)
        }
        (new.filter, new.scalesInLinearLight) = (tile.filter, tile.scalesInLinearLight)
        new.colorOverride = tile.colorOverride
        noteStatus(ofTile: index, at: now)
        guard new.isVisible else {
            // The scene needs the frame of a hidden tile only if an effect reads it; the tile itself keeps it.
            if !entries[index].isRead { new.frame = nil }
            // Of its effects, such an effect shows the privacy masks.
            new.effects = tile.effects
            scene.tiles[index] = new
            return
        }
        new.placement = tile.placement(in: new.rectangle)
        if !tile.effects.steps.isEmpty || !new.effects.steps.isEmpty {
            // In the scene, an effect stage may have replaced them.
            (new.effects, new.effectPlan) = (tile.effects, entries[index].effectPlan)
            new.plan()
            entries[index].effectPlan = new.effectPlan
            new.effectInputs = inputs(of: tile.effects, in: new.placement.destination)
        }
        // Texts are made for the rectangle at the end, so that no step of a transition makes them again.
        let target = entries[index].target
        let isMoving = transition != nil && !target.isEmpty && target != new.rectangle
        new.overlays = entries[index].overlays.make(
            of: tile, failure, entries[index].status, in: isMoving ? target : new.rectangle, tileLook, tilePainter)
        if isMoving { TileOverlays.move(&new.overlays, from: target, to: new.rectangle) }
        if effectStage != nil, new.needsShaders {
            (entries[index].staged, scene.tiles[index]) = (old, new)
        } else if !new.looksLike(old) {
            addChange(new.rectangle)
            scene.tiles[index] = new
        }
    }

    /// Asks the stage what to show for a tile with effects.
    private func stageTile(_ index: Int) {
        guard let effectStage, let old = entries[index].staged else { return }
        entries[index].staged = nil
        let new = effectStage.tile(scene.tiles[index], of: scene)
        guard !new.looksLike(old) else { return scene.tiles[index] = old }
        addChange(new.rectangle)
        scene.tiles[index] = new
    }

    /// Records a changed rectangle, clipped to the scene.
    func addChange(_ rectangle: Rectangle) {
        let visible = clipped(rectangle)
        if visible.width > 0, visible.height > 0 { changes.append(visible) }
    }

    /// The part of a rectangle that lies in the scene; custom layouts may return anything.
    func clipped(_ rectangle: Rectangle) -> Rectangle { rectangle.intersection(scene.bounds) }

    /// Updates what concerns the whole wall: its colours, its effects and its overlays.
    private func refreshWhole(_ hasNews: Bool) {
        scene.effectBudget = effectBudget
        var effects = effects
        if !effects.isEmpty, let effectStage {
            effects = effectStage.wallEffects(effects, of: scene)
            // Its picture may be new.
            if hasNews { changes.append(scene.bounds) }
        }
        let inputs = inputs(of: effects, in: scene.bounds)
        let key = EffectPlan.Key(chain: effects, size: scene.size)
        if !effects.isEmpty, scene.effectPlan.key != key {
            scene.effectPlan = EffectPlan(key, foldsIntoPicture: false)
        }
        if scene.effects != effects || scene.effectInputs != inputs {
            (scene.effects, scene.effectInputs) = (effects, inputs)
            changes.append(scene.bounds)
        }
        if scene.surround != surround {
            scene.surround = surround
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
