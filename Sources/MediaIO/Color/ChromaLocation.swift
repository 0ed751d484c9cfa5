/// Where a chroma sample of a subsampled format lies, seen from the luma samples that share it (ITU-T H.273,
/// Chroma420SampleLocType).
///
///     left      center    topLeft
///     Y   Y     Y   Y     C   Y
///     C           C
///     Y   Y     Y   Y     Y   Y
public enum ChromaLocation: String, CaseIterable, Hashable, Sendable {
    /// Between the rows, in the left column: MPEG-2, H.264, and the default of most streams.
    case left
    /// In the middle of the four: JPEG, MPEG-1.
    case center
    /// On the upper left luma sample: BT.2020, DV.
    case topLeft
}
