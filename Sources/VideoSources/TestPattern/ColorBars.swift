import MediaIO

/// Colour bars in the three bands of SMPTE EG 1, as R'G'B'.
///
///     rows 0 to 8/12     grey, yellow, cyan, green, magenta, red, blue, at 75 %
///     rows 8/12 to 9/12  blue, black, magenta, black, cyan, black, grey; the marker runs here
///     rows 9/12 to 12/12 -I, 100 % white, +Q, black, each 5/4 bars wide; pluge of -4 %, 0, +4 %, each 1/3; black
///
/// Edges lie at even rows and columns, so that 4:2:0 does not blur them. A frame of less than 12 rows has no room for
/// the marker and does not move.
struct ColorBars {
    /// The size of the frame.
    let size: VideoSize
    /// The width at which the marker moves by two pixels a frame.
    private let fullWidth: Int
    /// The colours of each band, which divide the width into equal parts: 7, 7 and 84 of them.
    let bands: [[SIMD3<Double>]]

    /// Draws bars.
    ///
    /// - Parameters:
    ///   - size: the size of the frame.
    ///   - full: the unreduced size.
    init(size: VideoSize, insteadOf full: VideoSize) {
        let black = SIMD3<Double>(repeating: 0)
        let bars: [SIMD3<Double>] = [
            SIMD3(1, 1, 1), SIMD3(1, 1, 0), SIMD3(0, 1, 1), SIMD3(0, 1, 0), SIMD3(1, 0, 1), SIMD3(1, 0, 0),
            SIMD3(0, 0, 1),
        ].map { $0 * 0.75 }
        // The R'G'B' whose BT.709 code values are those of SMPTE RP 219: (61, 153, 99) and (35, 174, 152).
        let (minusI, plusQ) = (SIMD3(0, 0.2456, 0.4125), SIMD3(0.2537, 0, 0.4679))
        let parts: [(SIMD3<Double>, Int)] = [
            (minusI, 15), (SIMD3(1, 1, 1), 15), (plusQ, 15), (black, 15),
            (SIMD3(repeating: -0.04), 4), (black, 4), (SIMD3(repeating: 0.04), 4), (black, 12),
        ]
        self.size = size
        fullWidth = full.width
        self.bands = [
            bars, [bars[6], black, bars[4], black, bars[2], black, bars[0]],
            parts.flatMap { color, twelfths in Array(repeating: color, count: twelfths) },
        ]
    }

    /// The band of a row.
    func band(_ row: Int) -> Int {
        let twelfth = (row & ~1) * 12 / size.height
        return twelfth < 8 ? 0 : twelfth < 9 ? 1 : 2
    }

    /// The colour of a column in a band.
    func color(_ column: Int, band: Int) -> SIMD3<Double> {
        bands[band][(column & ~1) * bands[band].count / size.width]
    }

    /// The columns of the white marker, which is only in the middle band.
    func marker(_ index: Int) -> Range<Int> {
        let side = max(2, size.width / 32 & ~1)
        // Steps of two pixels keep the marker on whole chroma samples.
        let start = index % max(1, fullWidth / 2) * 2 * size.width / fullWidth & ~1
        return start..<min(size.width, start + side)
    }
}

extension ColorBars {
    /// The bars as rows of colours.
    struct Rows: PatternRows {
        private let bars: ColorBars
        private let bands: [[SIMD3<Double>]]

        init(_ bars: ColorBars) {
            let size = bars.size
            self.bars = bars
            self.bands = (0..<3).map { band in (0..<size.width).map { bars.color($0, band: band) } }
        }

        func paint(_ y: Int, of index: Int, into row: UnsafeMutableBufferPointer<SIMD3<Double>>) {
            let band = bars.band(y)
            _ = row.update(fromContentsOf: bands[band])
            if band == 1 { row[bars.marker(index)].update(repeating: SIMD3(1, 1, 1)) }
        }
    }
}
