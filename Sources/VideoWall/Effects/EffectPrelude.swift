/// What `effect.prelude.glsl` declares.
enum EffectPrelude {
    /// The names that an effect cannot declare itself.
    static let names: Set<String> = [
        "sample", "previous", "planes", "planesLuma", "luma", "resolution", "pictureSize", "time", "frameNumber",
        "mouse", "effect",
    ]
}
