public import VideoWall

/// The new versions of effects and tables of colours whose files were saved.
///
/// Reading them can take long: a renderer's thread leaves that to another one, and only calls
/// `EffectChain.reload(_:)`.
public struct SavedEffects: Sendable {
    private struct File: Hashable {
        let path: String
        let dialect: Effect.Dialect
    }

    /// The errors of files that cannot be used.
    public private(set) var errors: [EffectError] = []
    private var effects: [File: Result<Effect, EffectError>] = [:]
    private var tables: [String: Result<LookupTable, EffectError>] = [:]

    /// Reads each saved file that some chains use, once.
    ///
    /// **Thread:** any. **Cost:** rare.
    ///
    /// - Parameters:
    ///   - saved: the files that were saved.
    ///   - chains: the chains.
    public init(_ saved: Set<String>, of chains: [EffectChain]) {
        for step in chains.lazy.flatMap(\.steps) {
            let file = File(path: step.effect.file, dialect: step.effect.dialect)
            if effects[file] == nil, !saved.isDisjoint(with: EffectFile.paths(of: step.effect)) {
                effects[file] = read { () throws(EffectError) in try EffectFile.read(file.path, file.dialect) }
            }
            for case .lut(let table?) in step.values where saved.contains(table.name) && tables[table.name] == nil {
                tables[table.name] = read { () throws(EffectError) in try CubeFile.read(table.name) }
            }
        }
    }

    private mutating func read<Value>(_ read: () throws(EffectError) -> Value) -> Result<Value, EffectError> {
        do throws(EffectError) { return .success(try read()) } catch {
            errors.append(error)
            return .failure(error)
        }
    }

    /// The new version of an effect; `nil` if its file was not saved, or if it is a built-in one.
    func effect(_ old: Effect) -> Result<Effect, EffectError>? {
        old.isFile ? effects[File(path: old.file, dialect: old.dialect)] : nil
    }

    func table(_ name: String) -> Result<LookupTable, EffectError>? { tables[name] }
}
