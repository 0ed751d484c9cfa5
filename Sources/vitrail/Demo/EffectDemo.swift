import VideoEffects
import VideoWall

/// Tiles of one stream: the first one as it is, each of the others with one effect, whose parameters move in turn.
///
/// **Thread:** render thread.
struct EffectDemo {
    /// The tiles, which belong at the beginning of a wall.
    let tiles: [WallTile]
    /// The effects with their initial parameters, in the order of the tiles from the second on.
    private let effects: [EffectChain.Step]

    /// Makes the tiles.
    ///
    /// An effect that compares its picture with another tile's gets the first tile. A blur precedes it, because
    /// otherwise both pictures would be the same.
    ///
    /// - Parameters:
    ///   - effects: what to show.
    ///   - makeTile: makes a tile.
    /// - Throws: ``EffectError``, never with the built-in effects of this version.
    init(_ effects: [EffectChain.Step], makeTile: () -> WallTile) throws(EffectError) {
        var tiles = [makeTile()]
        var first: [EffectChain.Step] = []
        for effect in effects {
            var (step, chain) = (effect, EffectChain())
            for parameter in step.effect.parameters {
                switch parameter.kind {
                case .tile:
                    _ = step.set(parameter.name, .tile(1))
                    if chain.steps.isEmpty { chain = EffectChain(try [EffectChain.effect("blur")]) }
                case .lut where step.value(of: parameter.name) == .lut(nil):
                    _ = step.set(parameter.name, .lut(Self.table))
                default: break
                }
            }
            chain.steps.append(step)
            first.append(step)
            let tile = makeTile()
            tile.effects = chain
            tiles.append(tile)
        }
        self.tiles = tiles
        self.effects = first
        tiles[0].label = "the plain picture"
        move(to: .zero)
    }

    /// Moves the parameters.
    ///
    /// **Cost:** every picture; a new label for each tile whose parameter has moved.
    /// - Parameter time: the same time always gives the same values.
    func move(to time: Duration) {
        for (index, start) in effects.enumerated() { Self.move(tiles[index + 1], start, time / .seconds(1)) }
    }

    private static func move(_ tile: WallTile, _ start: EffectChain.Step, _ seconds: Double) {
        // The file of an effect may be edited meanwhile, so that it has other parameters.
        guard var step = tile.effects.steps.last else { return }
        let parameters = step.effect.parameters
        let cycle = parameters.reduce(0) { $0 + $1.motionSeconds }
        var rest = cycle > 0 ? seconds.truncatingRemainder(dividingBy: cycle) : 0
        var label = tile.effects.steps.map(\.effect.name).joined(separator: ", ")
        for parameter in parameters {
            let center = start.value(of: parameter.name) ?? parameter.defaultValue
            let length = parameter.motionSeconds
            let isMoving = (0..<length).contains(rest)
            let value = isMoving ? parameter.moved(rest / length, around: center) : center
            if isMoving { label += " · \(parameter.name) \(parameter.text(of: value))" }
            _ = step.set(parameter.name, value)
            rest -= length
        }
        tile.effects.steps[tile.effects.steps.count - 1] = step
        tile.label = label
    }

    /// A look for an effect that needs a table: cold shadows and warm lights, with the corners of a cube.
    private static let table = LookupTable(
        name: "demo", size: 2, isCube: true,
        colors: (0..<8).map { corner in
            let color = SIMD3<Float>(Float(corner & 1), Float(corner >> 1 & 1), Float(corner >> 2))
            return SIMD3(0.0, 0.05, 0.2) * (1 - color) + SIMD3(1.0, 0.9, 0.65) * color
        })
}
