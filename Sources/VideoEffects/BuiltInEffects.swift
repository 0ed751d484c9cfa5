public import VideoWall
internal import VitrailShaders

/// The effects that come with the library.
///
/// **Thread:** any.
public enum BuiltInEffects {
    /// Their names, in alphabetical order.
    public static let names = ShaderLibrary.effects.map { Effect.name(ofFile: $0.name) }

    /// Makes an effect.
    ///
    /// **Cost:** rare; a millisecond.
    /// - Parameter name: one of ``names``.
    /// - Returns: the effect, or `nil` if there is none of that name.
    /// - Throws: `EffectError`, never for the effects that come with this version.
    public static func effect(named name: String) throws(EffectError) -> Effect? {
        guard let file = ShaderLibrary.effects.first(where: { Effect.name(ofFile: $0.name) == name }) else {
            return nil
        }
        return try Effect(builtIn: file.text, file: file.name)
    }
}
