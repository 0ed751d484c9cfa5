import MediaIO
import VideoWall

/// Draws tiles with effects on threads of their own, each with an OpenGL context of its own.
///
/// A tile has a *lane*: the thread that draws it. When its effects change to some that this lane has never drawn, another
/// lane draws the new ones first, which may take as long as the driver compiles, while this one goes on with the old
/// ones. Then the tile moves there. If the driver refuses them, the tile stays.
///
/// Where a GPU draws the wall, lanes only try new effects, and draw those that take too long for the wall's renderer.
///
/// **Thread:** render thread.
final class LiveEffects: EffectStage {
    private struct State {
        var tiles: [WallTile.ID: PacedTile] = [:]
        /// The effects that each lane has drawn.
        var known: [Set<Effect>]
        /// The lanes that have a context, as far as is known.
        var lanes: [Int]
        /// The effects at which the driver has crashed.
        var deadly: Set<Effect> = []
        var hasNews = false
        /// Counts all pictures, so that each has a number of its own.
        var count = 0
    }

    private let state: Monitor<State>
    private var lanes: [EffectLane] = []
    /// Why there is no lane.
    private var problem: EffectError?
    private let wake: @Sendable () -> Void
    /// How long effects may take in the wall's renderer; `nil` if that draws none.
    private let ownLimit: Duration?
    private let displays: [Int]
    /// What the effects of the whole wall are tried on.
    private let black: VideoFrame?
    /// The numbers of pictures begin here, so that no frame of a source has the same.
    private static let numbers = 1 << 40

    /// Starts no thread yet.
    ///
    /// - Parameters:
    ///   - ownLimit: how long the effects of a tile may take in the wall's renderer; `nil` if that draws none.
    ///   - displays: the display of each lane, if there is no GPU; drivers have two.
    ///   - wake: called on another thread when there is a new picture.
    init(ownLimit: Duration? = nil, displays: [Int] = [0, 1], wake: @escaping @Sendable () -> Void) {
        (self.wake, self.ownLimit, self.displays) = (wake, ownLimit, displays)
        let size = VideoSize(width: 16, height: 16)
        black = try? VideoFrame(
            copying: [UInt8](repeating: 0, count: 256).span.bytes, format: .gray8, size: size)
        state = Monitor(
            State(
                known: Array(repeating: [], count: displays.count), lanes: Array(displays.indices)))
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
            return state.hasNews
        }
    }

    func tile(_ tile: WallScene.Tile, of scene: WallScene) -> WallScene.Tile {
        if lanes.isEmpty { startLanes() }
        replaceCrashedLanes()
        guard tile.frame != nil else { return PacedTile.plain(tile) }
        return state.withLock { state in
            var paced = state.tiles[tile.id] ?? begin(tile, state)
            var tile = tile
            paced.crash = Self.leaveOut(state.deadly, of: &tile, or: paced)
            guard tile.needsShaders else {
                state.tiles[tile.id] = paced
                return tile
            }
            paced.isWhole = tile.id == scene.wall
            paced.isUsed = true
            paced.budget = scene.effectBudget
            if paced.current?.hasPicture(of: tile) != true {
                // The wall's renderer draws them as they are.
                let isDrawn = paced.isOwn && !paced.isTooSlow && paced.trial == nil && paced.chain == tile.effects
                (paced.current, paced.isDue) = (tile, !isDrawn)
            }
            if paced.isDue, !lanes.isEmpty, paced.isOwn || paced.budget == nil || paced.pacer.begin(at: .now) {
                paced.isDue = false
                submit(&paced, tile, scene, state)
            }
            state.tiles[tile.id] = paced
            return paced.shown(instead: tile)
        }
    }

    func wallEffects(_ effects: EffectChain, of scene: WallScene) -> EffectChain {
        guard ownLimit != nil else {
            // They are those of a tile of its own, which the renderer asks for when it draws.
            state.withLock { $0.tiles[scene.wall]?.isUsed = true }
            return effects
        }
        guard let black else { return effects }
        return tile(scene.whole(black, number: 0, effects), of: scene.withoutWhole).effects
    }

    func endUpdate() {
        guard !isIdle else { return }
        state.withLock { state in
            // By key: in debug builds a dictionary's iterator allocates.
            for id in state.tiles.keys {
                if state.tiles[id]?.isUsed == false {
                    for lane in lanes { lane.forget(id) }
                    state.tiles[id] = nil
                    Self.forgetUnused(&state)
                } else {
                    state.tiles[id]?.isUsed = false
                }
            }
        }
    }

    var nextChange: MonotonicTime? {
        guard !isIdle else { return nil }
        return state.withLock { state in
            state.tiles.values.lazy.filter { $0.isDue && $0.budget != nil }.compactMap(\.pacer.nextBegin).min()
        }
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
        let (state, wake, drawsOwn) = (state, wake, ownLimit != nil)
        return try EffectLane(softwareDisplay: displays[number]) { result in
            state.withLock { Self.take(result, of: number, &$0, drawsOwn: drawsOwn) }
            wake()
        }
    }

    /// Replaces lanes whose driver has crashed, and refuses the effects at which it did.
    private func replaceCrashedLanes() {
        for number in lanes.indices {
            guard let job = lanes[number].crashed else { continue }
            lanes[number].end(within: .zero)
            isStuck = true
            do throws(StreamError) { lanes[number] = try makeLane(number) } catch {
                problem = EffectError(error.description, file: "effects")
            }
            state.withLock { state in
                let drawn = Set(job.tile.effects.applied)
                let new = drawn.subtracting(state.known[number])
                state.deadly.formUnion(new.isEmpty ? drawn : new)
                state.known[number] = []
                for id in state.tiles.keys {
                    if state.tiles[id]?.trial == number { state.tiles[id]?.trial = nil }
                    if state.tiles[id]?.begun?.lane == number { state.tiles[id]?.begun = nil }
                    state.tiles[id]?.isDue = true
                }
            }
        }
    }

    /// Leaves out effects at which the driver has crashed: the last good ones are drawn, or the others.
    ///
    /// - Returns: an error that says so; `nil` if there are none.
    private static func leaveOut(
        _ deadly: Set<Effect>, of tile: inout WallScene.Tile, or paced: PacedTile
    ) -> EffectError? {
        guard !deadly.isEmpty, let effect = tile.effects.applied.first(where: deadly.contains) else { return nil }
        if paced.isOwn || paced.shown?.frame != nil, deadly.isDisjoint(with: paced.chain.applied) {
            tile.effects = paced.chain
        } else {
            tile.effects.steps.removeAll { deadly.contains($0.effect) }
        }
        tile.plan()
        return EffectError(
            "the driver crashed while it drew this effect, which is refused until the program ends", file: effect.file)
    }

    /// A tile that is new here: it goes to the lane that knows its effects, or else to the one with the fewest tiles.
    private func begin(_ tile: WallScene.Tile, _ state: State) -> PacedTile {
        let wanted = tile.effects.applied
        let loads = state.known.indices.map { lane in
            state.tiles.values.count { $0.lane == lane || $0.trial == lane }
        }
        let knowing = state.lanes.filter { lane in
            state.known[lane].isSuperset(of: wanted)
                || state.tiles.values.contains { $0.lane == lane && Set($0.chain.applied).isSuperset(of: wanted) }
        }
        let lane = (knowing.isEmpty ? state.lanes : knowing).min { loads[$0] < loads[$1] } ?? 0
        var paced = PacedTile(tile, lane: lane)
        paced.isOwn = ownLimit != nil && state.known[lane].isSuperset(of: wanted)
        return paced
    }

    /// Gives a tile to its lane, and newer effects to the other one.
    private func submit(_ paced: inout PacedTile, _ tile: WallScene.Tile, _ scene: WallScene, _ state: State) {
        let wanted = tile.effects.applied
        // With one lane, there is nowhere else to try them.
        let isNew = paced.shown == nil && !paced.isOwn || state.lanes.count == 1
        if isNew || state.known[paced.lane].isSuperset(of: wanted) || Set(paced.chain.applied) == Set(wanted) {
            if let trial = paced.trial { lanes[trial].forget(tile.id) }
            (paced.chain, paced.trial) = (tile.effects, nil)
            if paced.refusal?.effects != wanted { paced.refusal = nil }
        } else if paced.refusal?.effects != wanted {
            paced.refusal = nil
            paced.trial = paced.trial ?? state.lanes.first { $0 != paced.lane }
        }
        var tiles = state.tiles
        tiles[tile.id] = paced
        if let trial = paced.trial { _ = submit(paced, tile, to: trial, scene, tiles) }
        guard !paced.isOwn || paced.isTooSlow else { return }
        var drawn = tile
        drawn.effects = paced.chain
        drawn.plan()
        paced.begun = submit(paced, drawn, to: paced.lane, scene, tiles)
    }

    /// Gives a tile to a lane.
    ///
    /// - Returns: what the lane draws.
    private func submit(
        _ paced: PacedTile, _ tile: WallScene.Tile, to lane: Int, _ scene: WallScene,
        _ tiles: [WallTile.ID: PacedTile]
    ) -> PacedTile.Begun {
        var tile = tile
        tile.shrink(by: paced.pace.scale)
        var originals: [WallTile.ID: WallScene.Tile] = [:]
        for (id, other) in tiles {
            originals[id] = other.current
            // What the lane draws of other tiles is what it keeps.
            if other.trial != lane { originals[id]?.effects = other.chain }
        }
        let begun = PacedTile.Begun(lane: lane, effects: tile.effects.applied, size: tile.effectPlan.key.size)
        lanes[lane].submit(
            EffectLane.Job(
                tile: tile, scene: scene.alone(tile, originals: originals), isMeasured: paced.begun == begun))
        return begun
    }

    /// Forgets effects that no tile has any more: their programs are released.
    private static func forgetUnused(_ state: inout State) {
        let used = Set(state.tiles.values.flatMap { $0.chain.applied + ($0.current?.effects.applied ?? []) })
        for lane in state.known.indices { state.known[lane].formIntersection(used) }
    }

    /// Takes a picture, on a lane's thread.
    ///
    /// - Parameters:
    ///   - result: the picture.
    ///   - lane: the lane.
    ///   - state: the state.
    ///   - drawsOwn: whether the wall's renderer draws effects, too.
    private static func take(
        _ result: EffectLane.Result, of lane: Int, _ state: inout State, drawsOwn: Bool
    ) {
        let effects = result.tile.effects.applied
        if result.failure == nil { state.known[lane].formUnion(effects) }
        guard var paced = state.tiles[result.tile.id] else { return }
        defer { state.tiles[result.tile.id] = paced }
        if result.hasNoContext, let other = state.lanes.first(where: { $0 != lane }) {
            // It may have one.
            state.lanes.removeAll { $0 == lane }
            (paced.lane, paced.trial, paced.isDue) = (other, nil, true)
            state.hasNews = true
            return
        }
        if paced.trial == lane {
            paced.trial = nil
            if let failure = result.failure {
                paced.refusal = (effects, failure)
                state.hasNews = true
                return
            }
            // Those of the picture have smaller lengths if it is smaller.
            let current = paced.current?.effects
            paced.use(current?.applied == effects ? current ?? result.tile.effects : result.tile.effects, lane: lane)
            state.tiles[result.tile.id] = paced
            forgetUnused(&state)
        } else if paced.lane != lane || (paced.isOwn && !paced.isTooSlow) {
            return
        }
        guard result.frame != nil || result.failure != nil else { return }
        if result.hasNoContext, drawsOwn {
            // The wall's renderer has one.
            (paced.isOwn, state.hasNews) = (true, true)
            return
        }
        if let time = result.time {
            paced.time = time
            if let budget = paced.budget, paced.pacer.note(time, of: budget, at: .now) { paced.isDue = true }
        }
        state.count += 1
        paced.number += 1
        paced.shown = result
        paced.shown?.tile.frameNumber = numbers + state.count
        // The renderer draws what it has time for, and finds programs that the driver has compiled.
        paced.isOwn = drawsOwn && result.failure == nil && !paced.isTooSlow
        state.hasNews = true
    }
}
