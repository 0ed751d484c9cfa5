import MediaIO

/// Colour bars in the three bands of SMPTE EG 1.
///
///     rows 0 to 8/12     grey, yellow, cyan, green, magenta, red, blue, at 75 %
///     rows 8/12 to 9/12  blue, black, magenta, black, cyan, black, grey; the marker runs here
///     rows 9/12 to 12/12 -I, 100 % white, +Q, black, each 5/4 bars wide; pluge of -4 %, 0, +4 %, each 1/3; black
///
/// Edges lie at even rows and columns, so that 4:2:0 does not blur them. Where the code values of -4 % do not exist (full
/// range) it is black. A picture of less than 12 rows has no room for the marker and stands still.
struct BarsPainter: PatternPainter {
    private let size: VideoSize
    private let bands: [RowTemplate]
    private let white: RowTemplate
    private let descriptions: [PlaneDescription]

    init(size: VideoSize, format: PixelFormat, codes: CodeValues) {
        let gray = codes(SIMD3(0.75, 0.75, 0.75))
        let bars = [
            gray, codes(SIMD3(0.75, 0.75, 0)), codes(SIMD3(0, 0.75, 0.75)), codes(SIMD3(0, 0.75, 0)),
            codes(SIMD3(0.75, 0, 0.75)), codes(SIMD3(0.75, 0, 0)), codes(SIMD3(0, 0, 0.75)),
        ]
        let black = codes(SIMD3(0, 0, 0))
        let white = codes(SIMD3(1, 1, 1))
        // The R'G'B' whose BT.709 code values are those of SMPTE RP 219: (61, 153, 99) and (35, 174, 152).
        let minusI = codes(SIMD3(0, 0.2456, 0.4125))
        let plusQ = codes(SIMD3(0.2537, 0, 0.4679))
        let below = codes(SIMD3(repeating: -0.04))
        let above = codes(SIMD3(repeating: 0.04))

        // Each band is a list of colours over equal parts of the width: 7, 7 and 84 of them.
        let reversed = [bars[6], black, bars[4], black, bars[2], black, gray]
        let lower = [
            (minusI, 15), (white, 15), (plusQ, 15), (black, 15), (below, 4), (black, 4), (above, 4), (black, 12),
        ]
        .flatMap { color, twelfths in Array(repeating: color, count: twelfths) }
        self.bands = [bars, reversed, lower].map { parts in
            RowTemplate(width: size.width, format: format) { x in parts[(x & ~1) * parts.count / size.width] }
        }
        self.white = RowTemplate(width: size.width, format: format) { _ in white }
        self.size = size
        self.descriptions = format.planes
    }

    func paint(_ index: Int, into planes: borrowing WritablePlanes) {
        let side = max(2, size.width / 32 & ~1)
        // Steps of two pixels keep the marker on whole chroma samples.
        let start = index % max(1, size.width / 2) * 2
        let marker = start..<min(size.width, start + side)
        for (plane, description) in descriptions.enumerated() {
            for row in 0..<description.height(size) {
                let band = self.band(row << description.verticalShift)
                planes.withRow(row, ofPlane: plane) { target in
                    bands[band].write(to: target, plane: plane)
                    guard band == 1, !marker.isEmpty else { return }
                    let step = description.components
                    let first = (marker.lowerBound >> description.horizontalShift) * step
                    let end = ((marker.upperBound - 1) >> description.horizontalShift) * step + step
                    white.write(to: UnsafeMutableRawBufferPointer(rebasing: target[first..<end]), plane: plane)
                }
            }
        }
    }

    private func band(_ row: Int) -> Int {
        let twelfth = (row & ~1) * 12 / size.height
        return twelfth < 8 ? 0 : twelfth < 9 ? 1 : 2
    }
}
