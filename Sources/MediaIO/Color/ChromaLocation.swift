/// The position of a chroma sample of a subsampled format relative to the luma samples that share it (ITU-T H.273,
/// Chroma420SampleLocType).
///
///     left    center   topLeft   top   bottomLeft   bottom
///     Y   Y   Y   Y    C   Y    Y C Y   Y   Y      Y   Y
///     C         C
///     Y   Y   Y   Y    Y   Y    Y   Y   C   Y      Y C Y
///
/// If chroma is not subsampled in one direction, the position in that direction is meaningless.
public enum ChromaLocation: String, CaseIterable, Hashable, Sendable {
    /// Between the rows, in the left column: MPEG-2, H.264, and the default of most streams.
    case left
    /// In the middle: JPEG, MPEG-1.
    case center
    /// At the upper left luma sample: BT.2020, DV.
    case topLeft
    /// In the upper row, between the columns.
    case top
    /// At the lower left luma sample.
    case bottomLeft
    /// In the lower row, between the columns.
    case bottom

    /// The position of the sample between the first and the last luma column and row that share it: 0…1.
    public var place: SIMD2<Double> {
        switch self {
        case .left: SIMD2(0, 0.5)
        case .center: SIMD2(0.5, 0.5)
        case .topLeft: SIMD2(0, 0)
        case .top: SIMD2(0.5, 0)
        case .bottomLeft: SIMD2(0, 1)
        case .bottom: SIMD2(0.5, 1)
        }
    }
}
