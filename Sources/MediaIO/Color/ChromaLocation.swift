/// Where a chroma sample of a subsampled format lies, seen from the luma samples that share it (ITU-T H.273,
/// Chroma420SampleLocType).
///
///     left    center   topLeft   top   bottomLeft   bottom
///     Y   Y   Y   Y    C   Y    Y C Y   Y   Y      Y   Y
///     C         C
///     Y   Y   Y   Y    Y   Y    Y   Y   C   Y      Y C Y
///
/// Where chroma is not subsampled in one direction, that direction means nothing.
public enum ChromaLocation: String, CaseIterable, Hashable, Sendable {
    /// Between the rows, in the left column: MPEG-2, H.264, and the default of most streams.
    case left
    /// In the middle: JPEG, MPEG-1.
    case center
    /// On the upper left luma sample: BT.2020, DV.
    case topLeft
    /// On the upper row, between the columns.
    case top
    /// On the lower left luma sample.
    case bottomLeft
    /// On the lower row, between the columns.
    case bottom

    /// Where the sample lies between the first and the last of the luma columns and rows that share it: 0…1.
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
