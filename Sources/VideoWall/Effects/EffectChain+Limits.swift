/// What a chain may contain, however it was made.
extension EffectChain {
    /// Appends a step.
    ///
    /// - Throws: ``EffectError`` if the chain is then too long, or its textures and tables too large.
    package mutating func append(_ step: Step) throws(EffectError) {
        if let excess = excess(with: step) { throw excess }
        steps.append(step)
    }

    /// Checks that there is room for one more effect, before its file is read.
    ///
    /// - Throws: ``EffectError``, which names the file.
    package func checkLength(before file: String) throws(EffectError) {
        guard steps.count < EffectLimits.chainLength else {
            throw EffectError("a chain has at most \(EffectLimits.chainLength) effects: leave some out", file: file)
        }
    }

    /// Why a chain cannot have one more step; `nil` if it can.
    package func excess(with step: Step) -> EffectError? {
        do throws(EffectError) { try checkLength(before: step.effect.file) } catch { return error }
        guard steps.reduce(step.imageBytes, { $0 + $1.imageBytes }) <= EffectLimits.chainBytes else {
            return EffectError(
                "with this effect, the textures and tables of the chain have more than "
                    + "\(EffectLimits.chainBytes >> 20) MB: use smaller ones, or fewer effects", file: step.effect.file)
        }
        return nil
    }
}

extension EffectChain.Step {
    /// The bytes of its textures and tables.
    fileprivate var imageBytes: Int {
        var sum = effect.textures.reduce(0) { $0 + $1.image.rgba.count }
        for case .lut(let table?) in values { sum += table.count * MemoryLayout<SIMD3<Float>>.stride }
        return sum
    }
}
