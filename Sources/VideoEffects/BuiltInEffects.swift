internal import MediaIO
public import VideoWall
internal import VitrailShaders

/// The effects that come with the library.
///
/// **Thread:** any.
public enum BuiltInEffects {
    /// Their names, in alphabetical order.
    public static let names = ShaderLibrary.effects.map { Effect.name(ofFile: $0.name) }

    /// Those that were made: the same one on two tiles is compiled once.
    private static let made = Monitor<[String: Effect]>([:])

    /// An effect; the same one each time.
    ///
    /// **Cost:** rare; a millisecond at first.
    /// - Parameter name: one of ``names``.
    /// - Returns: the effect, or `nil` if there is none of that name.
    /// - Throws: `EffectError`, never for the effects that come with this version.
    public static func effect(named name: String) throws(EffectError) -> Effect? {
        if let known = made.withLock({ $0[name] }) { return known }
        guard let file = ShaderLibrary.effects.first(where: { Effect.name(ofFile: $0.name) == name }) else {
            return nil
        }
        let effect = try Effect(builtIn: file.text, file: file.name)
        return made.withLock { made in
            let first = made[name] ?? effect
            made[name] = first
            return first
        }
    }
}
