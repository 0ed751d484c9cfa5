import MediaIO

/// Copies samples between formats of the same kind of components, without a change of colour.
///
/// Depths are mapped as ITU-T H.273 does: YCbCr and gray of n bits are those of 8 bits times 2ⁿ⁻⁸, R, G and B are
/// fractions of 2ⁿ − 1.
enum PlaneRepacking {
    /// Copies all components whose planes have the same subsampling.
    ///
    /// - Parameters:
    ///   - source: the frame.
    ///   - target: of the same size.
    ///   - components: those to copy, as indexes into the layout.
    static func copy(_ source: PixelBuffer, to target: borrowing WritablePlanes, components: Range<Int> = 0..<4) {
        let (from, to) = (source.format.layout, target.format.layout)
        for index in components {
            guard let component = to.components[index] else { continue }
            let plane = to.planes[component.plane]
            let width = Self.columns(to, index, target.size)
            for row in 0..<plane.height(target.size) {
                target.withRowBytes(row, ofPlane: component.plane) { bytes in
                    guard let written = SampleRow(UnsafeRawBufferPointer(bytes), component) else { return }
                    guard let found = from.components[index] else {
                        // What has no alpha is opaque.
                        for x in 0..<width { written.store(1 << component.depth - 1, x) }
                        return
                    }
                    source.withPlane(found.plane) { plane in
                        let memory = plane.row(row, from.planes[found.plane], source.size)
                        copyRow(memory, found, bytes, component, width, isRGB: to.model == .rgb || index == 3)
                    }
                }
            }
        }
    }

    /// The number of samples of a component in a row.
    static func columns(_ layout: PixelLayout, _ index: Int, _ size: VideoSize) -> Int {
        guard index == 1 || index == 2, layout.model == .yCbCr else { return size.width }
        return (size.width + (1 << layout.horizontalShift) - 1) >> layout.horizontalShift
    }

    private static func copyRow(
        _ from: UnsafeRawBufferPointer, _ read: ComponentDescription, _ to: UnsafeMutableRawBufferPointer,
        _ write: ComponentDescription, _ width: Int, isRGB: Bool
    ) {
        if read.depth == 8, write.depth == 8, read.wordBytes == 1, write.wordBytes == 1 {
            return copyBytes(from, read, to, write, width)
        }
        guard let source = SampleRow(from, read), let target = SampleRow(UnsafeRawBufferPointer(to), write) else {
            return
        }
        let most = 1 << write.depth - 1
        if read.depth == write.depth {
            for x in 0..<width { target.store(source.load(x), x) }
        } else if isRGB {
            let scale = 1 << read.depth - 1
            for x in 0..<width { target.store((source.load(x) * most + scale / 2) / scale, x) }
        } else if write.depth > read.depth {
            for x in 0..<width { target.store(source.load(x) << (write.depth - read.depth), x) }
        } else {
            let shift = read.depth - write.depth
            for x in 0..<width { target.store(min((source.load(x) + 1 << (shift - 1)) >> shift, most), x) }
        }
    }

    private static func copyBytes(
        _ from: UnsafeRawBufferPointer, _ read: ComponentDescription, _ to: UnsafeMutableRawBufferPointer,
        _ write: ComponentDescription, _ width: Int
    ) {
        guard width > 0, let source = from.baseAddress, let target = to.baseAddress else { return }
        let first = source.assumingMemoryBound(to: UInt8.self) + read.offset
        let start = target.assumingMemoryBound(to: UInt8.self) + write.offset
        // Constant steps let the compiler use vectors.
        switch (read.step, write.step) {
        case (1, 1): start.update(from: first, count: width)
        case (1, 2): for x in 0..<width { start[2 * x] = first[x] }
        case (2, 1): for x in 0..<width { start[x] = first[2 * x] }
        case (4, 4): for x in 0..<width { start[4 * x] = first[4 * x] }
        case let (read, write): for x in 0..<width { start[write * x] = first[read * x] }
        }
    }
}
