import MediaIO
import VideoWall
import VitrailGL

/// Draws a user's effect on few pixels first, to find out whether a whole picture would take too long.
struct EffectTrial: ~Copyable {
    /// The size of the picture whose time is estimated.
    private static let size = VideoSize(width: 1280, height: 720)
    /// The longest time for it, in seconds.
    private static let limit = 5.0
    /// The widths of the squares that are drawn, until the time is clear.
    ///
    /// A GPU is not busy with the small ones, so that their estimate is far too long.
    private static let sides = [4, 16, 64, 256]
    /// The seconds for a square after which no larger one is tried: that takes sixteen times as long.
    private static let patience = 0.25

    private let context: GLContext
    private let steps: EffectSteps
    /// Those of the passes, and the last one.
    private let programs: [EffectProgram]

    /// Prepares a trial with the values of a step.
    init(_ context: GLContext, _ step: EffectChain.Step, _ programs: [EffectProgram]) {
        self.context = context
        self.programs = programs
        steps = EffectSteps(own: step)
    }

    /// The seconds that a picture would take, if they are too many; `nil` if they are not.
    ///
    /// **Cost:** rare: a few milliseconds after the driver has compiled the programs; at most some seconds.
    func excess(_ shared: borrowing SharedResources) throws(GLError) -> Double? {
        if let own = steps.own { try shared.images.prepare(own) }
        for side in Self.sides {
            var seconds = try estimate(side, shared)
            // Again, since it may have waited for other programs.
            if seconds.isTooLong { seconds = try estimate(side, shared) }
            if seconds.isTooLong { return seconds.picture }
            // The rest is what every draw costs.
            if seconds.picture < Self.limit / 20 { return nil }
        }
        return nil
    }

    /// Draws all programs into squares.
    ///
    /// - Returns: the seconds that a whole picture would take by that, and whether they are too many.
    private func estimate(
        _ side: Int, _ shared: borrowing SharedResources
    ) throws(GLError) -> (picture: Double, isTooLong: Bool) {
        let square = VideoSize(width: side, height: side)
        let source = try PassTarget(context, square)
        source.bind()
        context.clear(red: 0.5, green: 0.5, blue: 0.5)
        var (targets, spent, picture): ([PassTarget], Double, Double) = ([], 0, 0)
        for program in programs {
            let pass = program.kind.pass
            let full = pass?.size(Self.size) ?? Self.size
            // A pass that has fewer pixels than the square draws no more of them.
            let size =
                pass?.points == nil
                ? VideoSize(width: min(side, full.width), height: min(side, full.height)) : square
            let target = try PassTarget(context, size, isFull: pass?.points != nil)
            // Some drivers compile when a program is first drawn with.
            if side == Self.sides[0] { draw(program, target, source, targets, shared) }
            context.finish()
            let start = ContinuousClock.now
            draw(program, target, source, targets, shared)
            context.finish()
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            spent += seconds
            let (count, all) = Self.counts(pass, size)
            picture += seconds * Double(all) / Double(count)
            if picture > Self.limit, spent > Self.patience { break }
            targets.append(target)
        }
        let isLast = side == Self.sides[Self.sides.count - 1]
        return (picture, picture > Self.limit && (isLast || spent > Self.patience))
    }

    /// The numbers of pixels, or points, that are drawn of a pass, and that a whole picture has.
    private static func counts(_ pass: EffectPass?, _ drawn: VideoSize) -> (drawn: Int, all: Int) {
        let count = drawn.width * drawn.height
        if let points = pass?.points {
            let all = points.columns * points.rows
            return (min(count, all), all)
        }
        let full = pass?.size(size) ?? size
        return (count, full.width * full.height)
    }

    private func draw(
        _ program: EffectProgram, _ target: PassTarget, _ source: PassTarget, _ passes: [PassTarget],
        _ shared: borrowing SharedResources
    ) {
        target.begin()
        // Loops may go on for as long as the picture is large.
        let size = program.kind.pass?.size(Self.size) ?? Self.size
        program.use(target.placement, steps, EffectState(size: Self.size), target: size)
        for unit in 0..<EffectUniforms.ownUnits { source.bind(unit: unit, shared) }
        for (unit, input) in program.uniforms.inputs {
            switch input {
            case .pass(let pass): (pass < passes.count ? passes[pass] : source).bind(unit: unit, shared)
            case .tile: source.bind(unit: unit, shared)
            case .texture, .table: continue
            }
        }
        shared.images.bind(program.uniforms.inputs, steps, shared)
        if program.kind.pass?.points != nil {
            context.setBlending(.sum)
            shared.vertices.drawPoints(Self.counts(program.kind.pass, target.size).drawn)
            context.setBlending(.off)
        } else {
            shared.vertices.drawRectangle()
        }
    }
}
