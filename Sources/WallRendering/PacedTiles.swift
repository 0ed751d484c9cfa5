import MediaIO
import VideoWall

/// What ``LiveEffects`` knows about all tiles, and what its lanes have drawn.
struct PacedTiles {
    var tiles: [WallTile.ID: PacedTile] = [:]
    /// The effects that each lane has drawn.
    var known: [Set<Effect>]
    /// The lanes that have a context, as far as is known.
    var lanes: [Int]
    /// The effects at which the driver has crashed.
    var deadly: Set<Effect> = []
    var hasNews = false
    /// The number of the present update of the wall.
    private(set) var update = 0
    /// Counts all pictures, so that each has a number of its own.
    private var count = 0
    /// Whether the wall's renderer draws effects, too.
    private let drawsOwn: Bool
    /// Whether a lane takes much less time for effects that the other one has compiled: the driver has a cache.
    private var hasCache = true
    /// The numbers of pictures begin here, so that no frame of a source has the same.
    private static let numbers = 1 << 40

    init(laneCount: Int, drawsOwn: Bool) {
        self.drawsOwn = drawsOwn
        (known, lanes) = (Array(repeating: [], count: laneCount), Array(0..<laneCount))
    }

    /// A tile that is new here: it goes to the lane that knows its effects, or else to the one with the fewest tiles; if
    /// one of these is shown, its effects are to be tried first.
    func begin(_ tile: WallScene.Tile) -> PacedTile {
        let wanted = tile.effects.applied
        let loads = known.indices.map { lane in
            tiles.values.count { $0.lane == lane || $0.trial == lane }
        }
        let knowing = lanes.filter { lane in
            known[lane].isSuperset(of: wanted)
                || tiles.values.contains { $0.lane == lane && Set($0.chain.applied).isSuperset(of: wanted) }
        }
        let lane = (knowing.isEmpty ? lanes : knowing).min { loads[$0] < loads[$1] } ?? 0
        var paced = PacedTile(tile, lane: lane, update: update)
        if knowing.isEmpty, lanes.count > 1, tiles.values.contains(where: { $0.lane == lane && $0.shown != nil }) {
            paced.chain = EffectChain()
        }
        paced.isOwn = drawsOwn && known[lane].isSuperset(of: wanted)
        return paced
    }

    /// Whether a tile's lane may draw effects at once: it knows them, or nothing else would do.
    func mayDraw(_ effects: [Effect], at tile: PacedTile) -> Bool {
        lanes.count == 1 || known[tile.lane].isSuperset(of: effects) || Set(tile.chain.applied) == Set(effects)
    }

    /// Chooses the lane that tries a tile's new effects, and moves the tiles that it draws to the other one, which
    /// finds their effects in the driver's cache.
    mutating func clearLane(for tile: inout PacedTile) {
        func load(_ lane: Int) -> Int { tiles.values.count { $0.lane == lane } }
        let others = lanes.filter { [own = tile.lane] in $0 != own }
        guard var chosen = tiles.values.lazy.compactMap(\.trial).first ?? others.first else { return }
        if tiles.values.allSatisfy({ $0.trial == nil }), mayMove(tile), load(tile.lane) < load(chosen) {
            chosen = tile.lane
        }
        guard let rest = lanes.first(where: { $0 != chosen }) else { return }
        for id in tiles.keys where tiles[id].map({ $0.lane == chosen && mayMove($0) }) ?? false {
            tiles[id]?.move(to: rest)
        }
        if tile.lane == chosen { tile.move(to: rest) }
        tile.trial = chosen
    }

    /// Whether another lane would take little time for a tile's first picture.
    private func mayMove(_ tile: PacedTile) -> Bool { hasCache && (tile.firstTime ?? .zero) < .milliseconds(1500) }

    /// Leaves out effects at which the driver has crashed: the last good ones are drawn, or the others.
    ///
    /// - Returns: an error that says so; `nil` if there are none.
    func leaveOutDeadly(of tile: inout WallScene.Tile, or paced: PacedTile) -> EffectError? {
        guard !deadly.isEmpty, let effect = tile.effects.applied.first(where: deadly.contains) else { return nil }
        var left = tile.effects
        if paced.isOwn || paced.shown?.frame != nil, deadly.isDisjoint(with: paced.chain.applied) {
            left = paced.chain
        } else {
            left.steps.removeAll { deadly.contains($0.effect) }
        }
        tile.effects = left.hides(allOf: tile.effects) ? left : tile.effects.onlyMasks
        tile.plan()
        return EffectError(
            "the driver crashed while it drew this effect, which is refused until the program ends", file: effect.file)
    }

    /// Refuses the effects at which the driver of a lane has crashed.
    mutating func refuse(_ job: EffectLane.Job, ofCrashed lane: Int) {
        // A privacy mask is never refused: the wall's renderer draws it.
        let drawn = Set(job.tile.effects.steps.filter { $0.isOn && !$0.isMask }.map(\.effect))
        let new = drawn.subtracting(known[lane])
        deadly.formUnion(new.isEmpty ? drawn : new)
        known[lane] = []
        for id in tiles.keys {
            if tiles[id]?.trial == lane { tiles[id]?.trial = nil }
            if tiles[id]?.begun?.lane == lane { tiles[id]?.begun = nil }
            tiles[id]?.isDue = true
        }
        // It must be told also if nothing looks different without them.
        hasNews = true
    }

    /// Ends an update: it forgets tiles that were not asked for.
    ///
    /// - Returns: those tiles.
    mutating func endUpdate() -> [WallTile.ID] {
        var gone: [WallTile.ID] = []
        // By key: in debug builds a dictionary's iterator allocates.
        for id in tiles.keys where tiles[id]?.update != update { gone.append(id) }
        for id in gone { tiles[id] = nil }
        if !gone.isEmpty { forgetUnused() }
        leaveSlowTrial()
        update += 1
        return gone
    }

    /// Moves tiles away from a lane that has been trying effects for seconds, also those whose own effects take long to
    /// compile: they would stand still until it has ended.
    private mutating func leaveSlowTrial() {
        var slow: Int?
        let now = MonotonicTime.now
        for id in tiles.keys where slow == nil { slow = tiles[id]?.slowTrial(at: now) }
        guard let slow, let rest = lanes.first(where: { $0 != slow }) else { return }
        for id in tiles.keys where tiles[id]?.lane == slow { tiles[id]?.move(to: rest) }
    }

    /// Forgets effects that no tile has any more: their programs are released.
    mutating func forgetUnused() {
        let used = Set(tiles.values.flatMap { $0.chain.applied + ($0.current?.effects.applied ?? []) })
        for lane in known.indices { known[lane].formIntersection(used) }
    }

    /// Takes a picture, on a lane's thread.
    ///
    /// - Parameters:
    ///   - result: the picture.
    ///   - lane: the lane.
    mutating func take(_ result: EffectLane.Result, of lane: Int) {
        let (id, chain) = (result.subject.id, result.subject.chain)
        if result.failure == nil { known[lane].formUnion(chain.applied) }
        guard var paced = tiles[id] else { return }
        defer { tiles[id] = paced }
        if result.hasNoContext, let other = lanes.first(where: { $0 != lane }) {
            // It may have one.
            lanes.removeAll { $0 == lane }
            (paced.lane, paced.trial, paced.isDue) = (other, nil, true)
            hasNews = true
            return
        }
        if paced.trial == lane {
            paced.trial = nil
            // Newer ones were given to the lane meanwhile, or will be.
            if paced.current?.effects != chain { paced.isDue = true }
            // Without earlier ones, those of the chain that can be drawn are better than none.
            if let failure = result.failure, !paced.chain.isEmpty {
                paced.refusal = (chain, failure)
                hasNews = true
                return
            }
            paced.use(chain, lane: lane, firstTime: result.duration)
            tiles[id] = paced
            forgetUnused()
        } else if paced.lane != lane || paced.chain.isEmpty || (paced.isOwn && !paced.isTooSlow) {
            return
        } else if chain.applied == paced.chain.applied, !paced.note(first: result.duration) {
            hasCache = false
        }
        guard result.frame != nil || result.failure != nil else { return }
        if result.hasNoContext, drawsOwn {
            // The wall's renderer has one.
            (paced.isOwn, hasNews) = (true, true)
            return
        }
        if let time = result.time {
            paced.time = time
            if let budget = paced.budget, paced.pacer.note(time, of: budget, at: .now) { paced.isDue = true }
        }
        count += 1
        paced.number += 1
        paced.shown = result
        paced.shown?.number = Self.numbers + count
        // The renderer draws what it has time for, and finds programs that the driver has compiled.
        paced.isOwn = drawsOwn && result.failure == nil && !paced.isTooSlow
        hasNews = true
    }
}
