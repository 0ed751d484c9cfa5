/// What a stream says of the brightness of its pictures, for tone mapping.
///
/// Luminances are in cd/m², and 0 stands for what is not said.
public struct HDRMetadata: Hashable, Sendable {
    /// Of the brightest white that the mastering display shows (SMPTE ST 2086).
    public var maximumLuminance: Double
    /// Of the darkest black that the mastering display shows (SMPTE ST 2086).
    public var minimumLuminance: Double
    /// Of the brightest pixel of the whole stream (CTA-861.3, MaxCLL).
    public var maximumContentLight: Double
    /// Of the brightest frame on average (CTA-861.3, MaxFALL).
    public var maximumFrameAverageLight: Double

    /// Creates metadata; what is left out is not said.
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
