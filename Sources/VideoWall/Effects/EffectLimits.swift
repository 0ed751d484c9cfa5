/// Limits on what an effect may contain, so that no file can crash the program, fill the memory or stall the wall for
/// minutes; those of its code are in `GLSLLimits`.
///
/// Files come from outside, and may be saved while the wall runs. Each limit is checked before the code that recurses
/// or allocates in proportion to it: ours, or the driver's compiler, which cannot be stopped once it runs.
package enum EffectLimits {
    /// The most bytes of GLSL, with all included files.
    package static let sourceBytes = 1 << 20
    /// The deepest nesting of included files.
    static let includeDepth = 32
    /// The most included files in all.
    static let includeCount = 1000

    /// The most names of a choice.
    static let choices = 256

    /// The most textures of the effects in one draw: drivers have 16 texture units, of which the renderer needs one for
    /// uploads and four for the planes of a frame.
    package static let textures = 11

    /// The largest texture in bytes, 4 per pixel: 8192 × 4096, for example.
    package static let textureBytes = 1 << 27
    /// The most bytes of all textures of an effect.
    static let allTextureBytes = 1 << 28

    /// The most effects of a chain.
    package static let chainLength = 32
    /// The most bytes of a chain's textures and tables, and also the most bytes of its pictures between passes.
    ///
    /// A picture has 8 or 16 bytes per pixel. At 8 bytes, 64 pictures of 1920 × 1080 fit, or 16 of 3840 × 2160.
    package static let chainBytes = 1 << 30
    /// The most tiles of a preset.
    package static let presetTiles = 1024
}
