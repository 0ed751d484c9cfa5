import MediaIO

/// ``ColorBars`` in I420 and NV12.
///
/// In full range, which has no code values for -4 %, that bar is black.
struct BarsPainter: PatternPainter {
    private let bars: ColorBars
    private let bands: [RowTemplate]
    private let white: RowTemplate
    private let descriptions: PlaneList

    init(_ bars: ColorBars, format: PixelFormat, codes: CodeValues) {
        let size = bars.size
        self.bars = bars
        self.bands = (0..<3).map { band in
            RowTemplate(width: size.width, format: format) { codes(bars.color($0, band: band)) }
        }
        self.white = RowTemplate(width: size.width, format: format) { _ in codes(SIMD3(1, 1, 1)) }
        self.descriptions = format.planes
    }

    func paint(_ index: Int, into planes: borrowing WritablePlanes) {
        let marker = bars.marker(index)
        for plane in descriptions.indices {
            let description = descriptions[plane]
            for row in 0..<description.height(bars.size) {
                let band = bars.band(row << description.verticalShift)
                planes.withRowBytes(row, ofPlane: plane) { target in
                    bands[band].write(to: target, plane: plane)
                    guard band == 1, !marker.isEmpty else { return }
                    let step = description.blockBytes
                    let first = (marker.lowerBound >> description.horizontalShift) * step
                    let end = ((marker.upperBound - 1) >> description.horizontalShift) * step + step
                    white.write(to: UnsafeMutableRawBufferPointer(rebasing: target[first..<end]), plane: plane)
                }
            }
        }
    }
}
