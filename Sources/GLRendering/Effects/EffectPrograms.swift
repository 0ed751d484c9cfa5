import VideoWall
import VitrailGL

/// The programs of the effects in use, and the errors of those that do not compile.
final class EffectPrograms {
    private let context: GLContext
    private let video: VideoPrograms
    private var programs: [EffectProgram.Kind: EffectProgram] = [:]
    /// The effects that were compiled, each with its error, or `nil` if it has none.
    private var checked: [Effect: EffectError?] = [:]
    /// The trials of each effect from a file: the error that was found with some values.
    private var tried: [Effect: [[EffectValue]: EffectError?]] = [:]
    /// More trials of an effect than tiles are likely to show at once.
    private static let mostTrials = 256
    /// For each file, the last version that can be drawn.
    private var lastGood: [String: Effect] = [:]
    /// Effects that compile alone, but not combined with the conversion of frames.
    private var unfoldable: Set<Effect> = []
    /// Whether new effects were compiled since ``keepOnly(_:)``.
    private(set) var hasNew = false

    init(_ context: GLContext, _ video: VideoPrograms) {
        self.context = context
        self.video = video
    }

    /// The program of a kind, which is made on first use.
    func program(_ kind: EffectProgram.Kind) throws(GLError) -> EffectProgram {
        if let made = programs[kind] { return made }
        let made = try EffectProgram(context, kind)
        programs[kind] = made
        return made
    }

    /// The plan with what the driver takes: effects that it refuses are left out, or replaced by an earlier version.
    ///
    /// **Cost:** as ``usable(_:_:)``.
    func drawable(
        _ plan: EffectPlan, _ shared: borrowing SharedResources, foldsIntoPicture: Bool
    ) -> EffectPlan {
        var isWhole = true
        for index in plan.steps.indices {
            let isRefused = prepared(plan.steps[index], shared).error != nil
            if isRefused || unfoldable.contains(plan.steps[index].effect) { isWhole = false }
        }
        if isWhole { return plan }
        return EffectPlan(plan.key, foldsIntoPicture: foldsIntoPicture, isFoldable: isFoldable) {
            prepared($0, shared)
        }
    }

    /// A step, or the last working version of its file, with its textures.
    private func prepared(
        _ step: EffectChain.Step, _ shared: borrowing SharedResources
    ) -> (step: EffectChain.Step?, error: EffectError?) {
        let (effect, error) = usable(step, shared)
        guard let effect else { return (nil, error) }
        let chosen = effect == step.effect ? step : EffectChain.Step(effect, valuesOf: step)
        do throws(GLError) {
            try shared.images.prepare(chosen)
        } catch let failure {
            return (nil, error ?? effect.error(failure.description, file: effect.file, line: 1))
        }
        return (chosen, error)
    }

    /// The effect to draw, which is the last working version of the file if this one fails; and the error.
    ///
    /// **Cost:** rare: the programs are made when an effect is new, 5 to 50 ms each. An effect from a file is also
    /// tried, and, if it has loops, tried again whenever its values change: a trial draws a few pixels and waits for
    /// them.
    func usable(
        _ step: EffectChain.Step, _ shared: borrowing SharedResources
    ) -> (effect: Effect?, error: EffectError?) {
        let effect = step.effect
        guard let error = error(of: effect) ?? excess(of: step, shared) else {
            lastGood[effect.file] = effect
            return (effect, nil)
        }
        let last = lastGood[effect.file]
        return (last == effect ? nil : last, error)
    }

    private func error(of effect: Effect) -> EffectError? {
        if let checked = checked[effect] { return checked }
        hasNew = true
        var error: EffectError?
        do throws(GLError) {
            _ = try programs(of: effect)
        } catch let failure {
            error = EffectError(failure, effect)
        }
        checked[effect] = .some(error)
        return error
    }

    /// The programs of the passes and of the last draw.
    private func programs(of effect: Effect) throws(GLError) -> [EffectProgram] {
        var made: [EffectProgram] = []
        for pass in effect.passes.map(Optional.init) + [nil] {
            made.append(try program(EffectProgram.Kind(effect: effect, pass: pass)))
        }
        return made
    }

    /// The error of an effect from a file that would take too long with these values.
    private func excess(of step: EffectChain.Step, _ shared: borrowing SharedResources) -> EffectError? {
        let effect = step.effect
        guard effect.isFile else { return nil }
        // Several tiles may show it with values of their own.
        let values = effect.hasLoops ? step.values : []
        if let known = tried[effect]?[values] { return known }
        var error: EffectError?
        do throws(GLError) {
            if let seconds = try EffectTrial(context, step, programs(of: effect)).excess(shared) {
                error = effect.errorAtLoop(
                    "one picture would take about \(Int(seconds.rounded())) s: is there a loop without end?")
            }
        } catch let failure {
            error = EffectError(failure, effect)
        }
        if tried[effect, default: [:]].count >= Self.mostTrials { tried[effect] = [:] }
        tried[effect, default: [:]][values] = .some(error)
        return error
    }

    /// Whether an effect can be folded into a draw.
    func isFoldable(_ effect: Effect) -> Bool { effect.traits.isFoldable && !unfoldable.contains(effect) }

    /// Notes that effects cannot be folded into a draw.
    func refuseFolding(_ effects: [Effect]) { unfoldable.formUnion(effects) }

    /// Releases all programs except those of these effects, and of earlier versions that are drawn instead.
    func keepOnly(_ effects: Set<Effect>) {
        hasNew = false
        let files = Set(effects.map(\.file))
        lastGood = lastGood.filter { files.contains($0.key) }
        let used = effects.union(lastGood.values)
        checked = checked.filter { used.contains($0.key) }
        tried = tried.filter { used.contains($0.key) }
        unfoldable.formIntersection(used)
        programs = programs.filter { kind, _ in
            (kind.effect.map(used.contains) ?? true) && kind.followers.allSatisfy(used.contains)
        }
        video.keepOnly(used)
    }
}

extension EffectError {
    /// Finds the place in the effect's file that a driver's error is about.
    init(_ error: GLError, _ effect: Effect) {
        let files = Set(effect.sources.map(\.file))
        func reason(_ text: String) -> String {
            text.firstRange(of: "error: ").map { String(text[$0.upperBound...]) } ?? text
        }
        let messages = error.messages.filter { !$0.text.hasPrefix("warning") }
        if let first = messages.firstIndex(where: { files.contains($0.file) }) {
            let message = messages[first]
            var words = reason(message.text)
            if words.hasSuffix("candidates are:") {
                // Mesa goes on with a message for each, which is indented.
                let candidates = messages[(first + 1)...].lazy.map { reason($0.text) }.prefix { $0.hasPrefix("  ") }
                words += " " + candidates.map { String($0.drop { $0 == " " }) }.joined(separator: "; ")
            }
            self = effect.error(words, file: message.file, line: message.line)
            return
        }
        // A compiler reports something missing at the end of the file as an error after the file.
        let last = effect.sources.last.map { source in
            source.firstLine + source.text.split(separator: "\n", omittingEmptySubsequences: false).count - 2
        }
        let line = error.code == .compile ? max(1, last ?? 1) : 1
        let file = error.code == .compile ? effect.sources.last?.file ?? effect.file : effect.file
        // An error of the linker has no line.
        let whole = error.description.split(separator: "\n").first { $0.contains("error: ") }
        let words = messages.first?.text ?? whole.map(String.init) ?? error.description
        self = effect.error(reason(words), file: file, line: line)
    }
}
