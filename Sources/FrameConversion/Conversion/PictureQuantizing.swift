import MediaIO
import VideoWall

/// Writes pixels of floating-point numbers as samples of any depth and subsampling.
///
/// **Cost:** a hundred nanoseconds per pixel.
struct PictureQuantizing {
    let pixels: UnsafeRawBufferPointer
    let bytesPerRow: Int

    /// Writes a frame.
    ///
    /// - Parameters:
    ///   - target: the frame, all bits of which are 0.
    ///   - space: the colour space of the frame, if it is YCbCr or gray.
    func write(_ target: borrowing WritablePlanes, _ space: ColorSpace) {
        let layout = target.format.layout
        let transform = YCbCrTransform.encoding(space, depth: layout.depth)
        let rows = [transform.matrix.0, transform.matrix.1, transform.matrix.2]
        let offsets = [transform.offset.x, transform.offset.y, transform.offset.z]
        for index in 0..<4 {
            guard let component = layout.components[index] else { continue }
            let plane = layout.planes[component.plane]
            let isChroma = layout.model == .yCbCr && (index == 1 || index == 2)
            let block = isChroma ? (1 << layout.horizontalShift, 1 << layout.verticalShift) : (1, 1)
            let width = PlaneRepacking.columns(layout, index, target.size)
            let most = Double(1 << component.depth - 1)
            for row in 0..<plane.height(target.size) {
                target.withRowBytes(row, ofPlane: component.plane) { bytes in
                    guard let written = SampleRow(UnsafeRawBufferPointer(bytes), component) else { return }
                    for x in 0..<width {
                        let color = mean(x * block.0, row * block.1, block, target.size)
                        let value =
                            if index == 3 { color.w } else if layout.model == .rgb { color[index] } else {
                                (rows[index] * SIMD3(color.x, color.y, color.z)).sum() + offsets[index]
                            }
                        if layout.isFloat {
                            written.store(Int(Float16(value).bitPattern), x)
                        } else {
                            written.store(Int((min(max(value, 0), 1) * most).rounded()), x)
                        }
                    }
                }
            }
        }
    }

    /// The mean of a block of pixels, of which those inside the picture count.
    private func mean(_ x: Int, _ y: Int, _ block: (Int, Int), _ size: VideoSize) -> SIMD4<Double> {
        guard let base = pixels.baseAddress else { return .zero }
        var sum = SIMD4<Double>.zero
        for row in 0..<block.1 {
            for column in 0..<block.0 {
                let place = (min(x + column, size.width - 1), min(y + row, size.height - 1))
                let pixel = base.load(fromByteOffset: place.1 * bytesPerRow + place.0 * 16, as: SIMD4<Float>.self)
                sum += SIMD4<Double>(pixel)
            }
        }
        return sum / Double(block.0 * block.1)
    }
}
