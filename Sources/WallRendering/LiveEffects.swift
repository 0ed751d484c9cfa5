import MediaIO
import VideoWall

/// Draws tiles with effects on threads of their own, each with an OpenGL context of its own.
///
/// A tile has a *lane*: the thread that draws it. When its effects change to some that this lane has never drawn, another
/// lane draws the new ones first, which may take as long as the driver compiles, while this one goes on with the old
/// ones, and with the tiles of the other lane. Then the tile moves there. If the driver refuses them, the tile stays.
///
/// Where a GPU draws the wall, lanes only try new effects, and draw those that take too long for the wall's renderer.
///
/// **Thread:** render thread.
final class LiveEffects: EffectStage {
    private let state: Monitor<PacedTiles>
    private var lanes: [EffectLane] = []
    /// Why there is no lane.
    private var problem: EffectError?
    private let wake: @Sendable () -> Void
    /// How long effects may take in the wall's renderer; `nil` if that draws none.
    private let ownLimit: Duration?
    private let displays: [Int]
    /// What the effects of the whole wall are tried on.
    private let black: VideoFrame?

    /// Starts no thread yet.
    ///
    /// - Parameters:
    ///   - ownLimit: how long the effects of a tile may take in the wall's renderer; `nil` if that draws none.
    ///   - displays: the display of each lane, if there is no GPU; drivers have two. Of these, ``SoftwareTurn/display`` is
    ///     also used by others.
    ///   - wake: called on any thread when there is a new picture, or else something to tell.
    init(ownLimit: Duration? = nil, displays: [Int] = [0, 1], wake: @escaping @Sendable () -> Void) {
        (self.wake, self.ownLimit, self.displays) = (wake, ownLimit, displays)
        let size = VideoSize(width: 16, height: 16)
        black = try? VideoFrame(
            copying: [UInt8](repeating: 0, count: 256).span.bytes, format: .gray8, size: size)
        state = Monitor(PacedTiles(laneCount: displays.count, drawsOwn: ownLimit != nil))
    }

    deinit { end(within: .milliseconds(500)) }

    /// Ends its threads, and waits for what they are drawing for a while.
    func end(within time: Duration) { for lane in lanes where !lane.end(within: time) { isStuck = true } }

    /// Whether a thread has crashed, or did not end: what the driver does at the end of the program may then wait for it.
    private(set) var isStuck = false

    // MARK: EffectStage

    /// Whether it has had nothing to do yet: a wall without effects takes no lock.
    private var isIdle: Bool { lanes.isEmpty && problem == nil }

    var hasNews: Bool { isIdle ? false : state.withLock(\.hasNews) }

    func beginUpdate() -> Bool {
        guard !isIdle else { return false }
        return state.withLock { state in
            defer { state.hasNews = false }
            return state.hasNews || state.tiles.values.contains(where: \.isBehind)
        }
    }

    func tile(_ tile: WallScene.Tile, of scene: WallScene) -> WallScene.Tile {
        if lanes.isEmpty { startLanes() }
        replaceCrashedLanes()
        guard tile.frame != nil else { return PacedTile.plain(tile) }
        return state.withLock { state in
            var paced = state.tiles[tile.id] ?? state.begin(tile)
            var tile = tile
            paced.crash = state.leaveOutDeadly(of: &tile, or: paced)
            paced.isWhole = tile.id == scene.wall
            paced.update = state.update
            guard tile.needsShaders else {
                state.tiles[tile.id] = paced
                return tile
            }
            paced.budget = scene.effectBudget
            if paced.current?.hasPicture(of: tile) != true {
                // The wall's renderer draws them as they are.
                let isDrawn = paced.isOwn && !paced.isTooSlow && paced.trial == nil && paced.chain == tile.effects
                (paced.current, paced.isDue) = (tile, !isDrawn)
            }
            if paced.isDue, !lanes.isEmpty, paced.isOwn || paced.budget == nil || paced.pacer.begin(at: .now) {
                paced.isDue = false
                submit(&paced, tile, scene, &state)
            }
            if paced.isWhole { paced.noteLag(scene) }
            state.tiles[tile.id] = paced
            return paced.shown(instead: tile, of: scene)
        }
    }

    func wallEffects(_ effects: EffectChain, of scene: WallScene) -> EffectChain {
        guard ownLimit != nil else {
            // They are those of a tile of its own, which the renderer asks for when it draws.
            state.withLock { $0.tiles[scene.wall]?.update = $0.update }
            return effects
        }
        guard let black else { return effects }
        return tile(scene.whole(black, number: 0, effects), of: scene.withoutWhole).effects
    }

    func endUpdate() {
        guard !isIdle else { return }
        state.withLock { state in
            for id in state.endUpdate() { for lane in lanes { lane.forget(id) } }
        }
    }

    var nextChange: MonotonicTime? {
        guard !isIdle else { return nil }
        let (next, isBehind) = state.withLock { state in
            (
                state.tiles.values.lazy.filter { $0.isDue && $0.budget != nil }.compactMap(\.pacer.nextBegin).min(),
                state.tiles.values.contains(where: \.isBehind)
            )
        }
        // A lane that has crashed cannot tell.
        guard lanes.contains(where: \.isBusy) else { return next }
        let check = MonotonicTime.now + (isBehind ? .milliseconds(40) : .seconds(1))
        return next.map { min($0, check) } ?? check
    }

    func complete(_ report: inout TileReport, on tile: WallTile.ID) {
        guard !isIdle else { return }
        state.withLock { state in
            guard var paced = state.tiles[tile] else { return }
            // Those of the whole wall have no other place.
            if let ownLimit, !paced.isWhole { paced.note(own: report, limit: ownLimit) }
            state.tiles[tile] = paced
            report.effectFailure = problem ?? paced.failure ?? (paced.isOwn ? report.effectFailure : nil)
            (report.effectPictures, report.effectPace) = (paced.number, paced.pace)
            if !paced.isOwn { (report.effectTime, report.effectTimes) = (paced.time, paced.number) }
        }
    }

    // MARK: Lanes

    private func startLanes() {
        guard problem == nil else { return }
        do throws(StreamError) {
            for number in displays.indices { lanes.append(try makeLane(number)) }
        } catch {
            // One is enough.
            if lanes.isEmpty { problem = EffectError(error.description, file: "effects") }
            state.withLock { $0.lanes = Array(lanes.indices) }
        }
    }

    private func makeLane(_ number: Int) throws(StreamError) -> EffectLane {
        let (state, wake) = (state, wake)
        return try EffectLane(softwareDisplay: displays[number]) { result in
            state.withLock { $0.take(result, of: number) }
            wake()
        }
    }

    /// Replaces lanes whose driver has crashed, and refuses the effects at which it did.
    private func replaceCrashedLanes() {
        for number in lanes.indices {
            guard let job = lanes[number].crashed else { continue }
            lanes[number].abandon()
            isStuck = true
            do throws(StreamError) { lanes[number] = try makeLane(number) } catch {
                problem = EffectError(error.description, file: "effects")
            }
            state.withLock { $0.refuse(job, ofCrashed: number) }
            // Tiles that were asked for before in this update are not yet told.
            wake()
        }
    }

    /// Gives a tile to its lane, and newer effects to the other one.
    private func submit(
        _ paced: inout PacedTile, _ tile: WallScene.Tile, _ scene: WallScene, _ state: inout PacedTiles
    ) {
        let wanted = tile.effects.applied
        let isRefused = paced.refusal.map { $0.chain == tile.effects } ?? false
        if !isRefused { paced.refusal = nil }
        if state.mayDraw(wanted, at: paced) {
            if let trial = paced.trial { lanes[trial].forget(tile.id) }
            (paced.chain, paced.trial) = (tile.effects, nil)
        } else if !isRefused {
            if paced.trial == nil {
                state.clearLane(for: &paced)
                // Until they were tried, there is nothing to draw.
                if paced.shown == nil, !paced.isOwn { paced.chain = EffectChain() }
            }
            if let trial = paced.trial { submit(paced, tile, to: trial, scene, state) }
        }
        guard !paced.isOwn || paced.isTooSlow, !paced.chain.isEmpty else { return }
        var drawn = tile
        drawn.effects = paced.chain
        drawn.plan()
        paced.begun = submit(paced, drawn, to: paced.lane, scene, state)
    }

    /// Gives a tile to a lane.
    ///
    /// - Returns: what the lane draws.
    @discardableResult
    private func submit(
        _ paced: PacedTile, _ tile: WallScene.Tile, to lane: Int, _ scene: WallScene, _ state: PacedTiles
    ) -> PacedTile.Begun {
        var drawn = tile
        drawn.shrink(by: paced.pace.scale)
        var originals: [WallTile.ID: WallScene.Tile] = [:]
        for (id, other) in state.tiles {
            originals[id] = other.current
            // What the lane draws of other tiles is what it keeps; it shows their newest masks.
            if other.trial != lane, let current = other.current {
                let isHidden = other.chain.hides(allOf: current.effects)
                originals[id]?.effects.steps = other.chain.steps + (isHidden ? [] : current.effects.onlyMasks.steps)
            }
        }
        let begun = PacedTile.Begun(lane: lane, effects: drawn.effects.applied, size: drawn.effectPlan.key.size)
        let others = paced.isWhole ? scene.tiles.filter(\.isVisible) : scene.tiles(readBy: tile)
        lanes[lane].submit(
            EffectLane.Job(
                subject: EffectLane.Subject(tile, others: others, isMeasured: paced.begun == begun), tile: drawn,
                scene: scene.alone(drawn, originals: originals)))
        return begun
    }
}
