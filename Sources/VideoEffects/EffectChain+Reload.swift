public import VideoWall

/// Reloading effects whose files have changed.
extension EffectChain {
    /// The files that the chain was read from: effects, what they include, their textures, and tables of colours.
    public var files: Set<String> {
        var files: Set<String> = []
        for step in steps {
            files.formUnion(EffectFile.paths(of: step.effect))
            for case .lut(let table?) in step.values { files.insert(table.name) }
        }
        return files
    }

    /// Applies the new versions of files.
    ///
    /// Parameters that a new version still has keep their values. If a file cannot be used, its last version stays,
    /// with the error in ``Step/failure``.
    ///
    /// **Cost:** rare; it reads no file.
    public mutating func reload(_ saved: SavedEffects) {
        for index in steps.indices {
            let old = steps[index]
            do throws(EffectError) {
                if let new = saved.effect(old.effect) {
                    steps[index].failure = nil
                    steps[index] = Step(try new.get(), valuesOf: old)
                    bypassReason = nil
                }
                for (parameter, value) in zip(old.effect.parameters, old.values) {
                    guard case .lut(let table?) = value, let new = saved.table(table.name) else { continue }
                    steps[index].failure = nil
                    _ = steps[index].set(parameter.name, .lut(try new.get()))
                }
            } catch {
                steps[index].failure = error
            }
        }
    }
}
