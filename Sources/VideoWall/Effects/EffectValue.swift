/// The value of an effect's parameter.
public enum EffectValue: Hashable, Sendable {
    /// A number.
    case float(Float)
    /// A whole number.
    case int(Int)
    /// On or off.
    case bool(Bool)
    /// R', G' and B', each 0 to 1.
    case color(SIMD3<Float>)
    /// A position in the picture, 0 to 1 from the upper left.
    case point(SIMD2<Float>)
    /// The index of a choice.
    case choice(Int)
    /// A tile, by its number on the wall, from 1.
    case tile(Int)
    /// A table of colours; `nil` changes nothing.
    case lut(LookupTable?)
}
