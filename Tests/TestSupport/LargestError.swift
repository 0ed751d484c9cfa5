/// The largest of many errors; one that is not finite counts as infinite.
///
/// Swift's `max(0, .nan)` is 0, so that a maximum alone would let a shader return NaN unseen.
public struct LargestError {
    /// The largest absolute value added, or infinity; 0 before the first.
    public private(set) var value = 0.0

    /// No error yet.
    public init() {}

    /// Adds an error of either sign.
    public mutating func add(_ error: Double) { value = error.isFinite ? max(value, abs(error)) : .infinity }

    /// Adds the difference of a drawn colour from the exact one, after what a target of integers does: it keeps 0…1.
    public mutating func add(drawn: Double, exact: Double) {
        add(drawn.isFinite ? min(1, max(0, drawn)) - exact : drawn)
    }
}
