import MediaIO

/// A moving picture that needs no input.
public enum TestPattern: String, CaseIterable, Hashable, Sendable {
    /// Colour bars after SMPTE EG 1, with a marker that runs through the middle band.
    case bars
    /// Smooth colours that drift sideways.
    case gradient
    /// Rings from coarse to the finest that a picture can hold, moving outwards.
    case zoneplate
    /// The time and the frame number in large digits, and a frame counter that a machine reads back.
    case clock

    /// One sentence for people.
    public var summary: String {
        switch self {
        case .bars: "75 % colour bars with -I, +Q and pluge after SMPTE EG 1, and a running marker"
        case .gradient: "smooth colours that drift sideways"
        case .zoneplate: "moving rings up to the finest detail that the picture can hold"
        case .clock: "time and frame number in digits, and as black and white cells for machines"
        }
    }

    func makePainter(
        size: VideoSize, frameRate: Rational, format: PixelFormat, colorSpace: ColorSpace
    ) -> any PatternPainter {
        let face = ClockFace(size: size, frameRate: frameRate)
        // The two formats of most streams have painters of their own, many times as fast.
        if format == .i420 || format == .nv12 {
            let codes = CodeValues(colorSpace)
            return switch self {
            case .bars: BarsPainter(size: size, format: format, codes: codes)
            case .gradient: GradientPainter(size: size, format: format, codes: codes)
            case .zoneplate: ZonePlatePainter(size: size, codes: codes)
            case .clock: ClockPainter(face, codes: codes)
            }
        }
        func packing(_ rows: some PatternRows) -> any PatternPainter {
            PackingPainter(rows, size: size, format: format, colorSpace: colorSpace)
        }
        return switch self {
        case .bars: packing(ColorBars.Rows(size: size))
        case .gradient: packing(Gradient.Rows(size: size))
        case .zoneplate: packing(ZonePlate(size: size))
        case .clock: packing(face)
        }
    }
}
