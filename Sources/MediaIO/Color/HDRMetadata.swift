/// The brightness metadata of a stream, for tone mapping.
///
/// Luminances are in cd/m²; 0 means unspecified.
public struct HDRMetadata: Hashable, Sendable {
    /// The luminance of the mastering display's white (SMPTE ST 2086).
    public var maximumLuminance: Double
    /// The luminance of the mastering display's black (SMPTE ST 2086).
    public var minimumLuminance: Double
    /// The luminance of the brightest pixel in the stream (CTA-861.3, MaxCLL).
    public var maximumContentLight: Double
    /// The average luminance of the brightest frame (CTA-861.3, MaxFALL).
    public var maximumFrameAverageLight: Double

    /// Creates metadata; omitted values are unspecified.
    public init(
        maximumLuminance: Double = 0, minimumLuminance: Double = 0, maximumContentLight: Double = 0,
        maximumFrameAverageLight: Double = 0
    ) {
        self.maximumLuminance = maximumLuminance
        self.minimumLuminance = minimumLuminance
        self.maximumContentLight = maximumContentLight
        self.maximumFrameAverageLight = maximumFrameAverageLight
    }
}
