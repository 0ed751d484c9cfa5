import MediaIO
import VideoWall
import VitrailGL

/// Draws an effect from a file on few pixels first, to find out whether a whole picture would take too long.
struct EffectTrial: ~Copyable {
    /// The size of the picture whose time is estimated.
    private static let size = VideoSize(width: 1280, height: 720)
    /// The longest time for that picture, in seconds.
    private static let limit = 5.0
    /// The sides of the squares that are drawn in turn, until the estimate is conclusive.
    ///
    /// Small squares do not occupy a GPU fully, so their estimates are far too high.
    private static let sides = [4, 16, 64, 256]
    /// If a square takes more seconds than this, no larger one is drawn: it would take sixteen times as long.
    private static let patience = 0.25

    private let context: GLContext
    private let steps: EffectSteps
    /// The programs of the passes, and that of the last draw.
    private let programs: [EffectProgram]

    /// Prepares a trial with the values of a step.
    init(_ context: GLContext, _ step: EffectChain.Step, _ programs: [EffectProgram]) {
        self.context = context
        self.programs = programs
        steps = EffectSteps(own: step)
    }

    /// The seconds that a picture would take if that is too long, otherwise `nil`.
    ///
    /// **Cost:** rare: a few milliseconds after the driver has compiled the programs; at most some seconds.
    func excess(_ shared: borrowing SharedResources) throws(GLError) -> Double? {
        if let own = steps.own { try shared.images.prepare(own) }
        for side in Self.sides {
            var seconds = try estimate(side, shared)
            // Measure again: the first time may include waiting for other programs.
            if seconds.isTooLong { seconds = try estimate(side, shared) }
            if seconds.isTooLong { return seconds.picture }
            // So short a time is mostly the fixed cost of a draw: larger squares need not be drawn.
            if seconds.picture < Self.limit / 20 { return nil }
        }
        return nil
    }

    /// Draws a square with each program.
    ///
    /// - Returns: the estimated seconds for a whole picture, and whether that is too long.
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
            // A pass that is smaller than the square is drawn at its own size.
            let size =
                pass?.points == nil
                ? VideoSize(width: min(side, full.width), height: min(side, full.height)) : square
            let target = try PassTarget(context, size, isFull: pass?.points != nil)
            // Some drivers compile a program only when it first draws.
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

    /// The numbers of pixels, or points, of a pass: in the trial, and in a whole picture.
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
        // The length of a loop may depend on the picture's size, so the uniforms have the whole picture's.
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
