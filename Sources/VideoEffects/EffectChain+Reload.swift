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

    /// Reads the files of the chain that were saved.
    ///
    /// Parameters that the new version still has keep their values. If a file cannot be used, its last version stays.
    ///
    /// - Parameter saved: the files that were saved.
    /// - Returns: the errors of files that cannot be used, which are also in ``Step/failure``.
    public mutating func reload(_ saved: Set<String>) -> [EffectError] {
        var errors: [EffectError] = []
        for index in steps.indices {
            let old = steps[index]
            do throws(EffectError) {
                if !saved.isDisjoint(with: EffectFile.paths(of: old.effect)) {
                    steps[index].failure = nil
                    steps[index] = Step(try EffectFile.read(old.effect.file, old.effect.dialect), valuesOf: old)
                    bypassReason = nil
                }
                for (parameter, value) in zip(old.effect.parameters, old.values) {
                    guard case .lut(let table?) = value, saved.contains(table.name) else { continue }
                    steps[index].failure = nil
                    _ = steps[index].set(parameter.name, .lut(try CubeFile.read(table.name)))
                }
            } catch {
                steps[index].failure = error
                errors.append(error)
            }
        }
        return errors
    }
}
