import MediaIO

/// A generated moving test pattern.
public enum TestPattern: String, CaseIterable, Hashable, Sendable {
    /// Colour bars of SMPTE EG 1, with a marker that runs through the middle band.
    case bars
    /// Smooth colours that drift sideways.
    case gradient
    /// Rings from coarse to the finest possible detail, moving outwards.
    case zoneplate
    /// The time and the frame number in large digits, and a machine-readable frame counter.
    case clock

    /// A short description for people.
    public var summary: String {
        switch self {
        case .bars: "75 % colour bars with -I, +Q and pluge of SMPTE EG 1, and a running marker"
        case .gradient: "smooth colours that drift sideways"
        case .zoneplate: "moving rings up to the finest possible detail"
        case .clock: "time and frame number in digits, and a machine-readable frame counter"
        }
    }

    /// Makes a painter for the pattern.
    ///
    /// - Parameters:
    ///   - size: the size of the frames.
    ///   - full: the requested size: smaller frames look and move like those of this size.
    ///   - frameRate: frames per second.
    ///   - format: the pixel format.
    ///   - colorSpace: the colour space of the samples.
    /// - Returns: a painter for frames of that size only.
    func makePainter(
        size: VideoSize, insteadOf full: VideoSize, frameRate: Rational, format: PixelFormat, colorSpace: ColorSpace
    ) -> any PatternPainter {
        let bars = ColorBars(size: size, insteadOf: full)
        let gradient = Gradient(size: size, fullWidth: full.width)
        let face = ClockFace(size: size, full: full, frameRate: frameRate)
        // The two formats of most streams have painters of their own, which are many times faster.
        if format == .i420 || format == .nv12 {
            let codes = CodeValues(colorSpace)
            return switch self {
            case .bars: BarsPainter(bars, format: format, codes: codes)
            case .gradient: GradientPainter(gradient, format: format, codes: codes)
            case .zoneplate: ZonePlatePainter(size: size, codes: codes)
            case .clock: ClockPainter(face, codes: codes)
            }
        }
        var space = colorSpace
        // The colour space whose luma gray is depends on the size, too.
        if format.layout.model == .gray, space.matrix == .rgb {
            space.matrix = ColorSpace.unspecified(for: full).matrix
        }
        func packing(_ rows: some PatternRows) -> any PatternPainter {
            PackingPainter(rows, size: size, format: format, colorSpace: space)
        }
        return switch self {
        case .bars: packing(ColorBars.Rows(bars))
        case .gradient: packing(Gradient.Rows(gradient))
        case .zoneplate: packing(ZonePlate(size: size))
        case .clock: packing(face)
        }
    }
}
