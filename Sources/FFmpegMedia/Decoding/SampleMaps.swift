import CVitrailFFmpeg
import MediaIO

/// Lookup tables from samples of one depth to another, for each component of a format.
struct SampleMaps {
    private var tables: [[UInt16]] = [[], [], [], []]
    private var prepared: (number: Int32, range: ColorSpace.Range)?

    /// The table of FFmpeg's component `index`.
    subscript(index: Int) -> [UInt16] { tables[index] }

    /// Makes the tables, unless those of the previous frame still apply.
    mutating func prepare(
        _ number: Int32, _ description: UnsafePointer<AVPixFmtDescriptor>, _ target: PixelLayout,
        _ range: ColorSpace.Range
    ) {
        if let prepared, prepared == (number, range) { return }
        prepared = (number, range)
        let hasAlpha = Int32(truncatingIfNeeded: description.pointee.flags) & AV_PIX_FMT_FLAG_ALPHA != 0
        let count = Int(description.pointee.nb_components)
        for index in 0..<count {
            let depth = Int(vitrail_component_depth(description, Int32(index)))
            guard depth <= 16 else { continue }
            let isAlpha = hasAlpha && index == count - 1
            let isChroma = target.model == .yCbCr && (1...2).contains(index)
            tables[index] = Self.table(
                from: depth, to: target.depth, isAlpha ? .full : range, middle: isChroma,
                isInverted: number == AV_PIX_FMT_MONOWHITE.rawValue)
        }
    }

    /// Makes the table for one component.
    ///
    /// Limited range is shifted, because white is 235 times a power of 2 at every depth. Full range is scaled, chroma
    /// around its centre.
    private static func table(
        from depth: Int, to target: Int, _ range: ColorSpace.Range, middle: Bool, isInverted: Bool
    ) -> [UInt16] {
        let (most, targetMost) = ((1 << depth) - 1, (1 << target) - 1)
        return (0...most).map { value in
            let value = isInverted ? most - value : value
            let result: Double
            if depth == target {
                result = Double(value)
            } else if range == .limited, depth >= 8 {
                result = Double(value) * Double(1 << target) / Double(1 << depth)
            } else if middle {
                let distance = Double(value - (1 << (depth - 1))) * Double(targetMost) / Double(most)
                result = distance + Double(1 << (target - 1))
            } else {
                result = Double(value) * Double(targetMost) / Double(most)
            }
            return UInt16(min(max(0, result.rounded()), Double(targetMost)))
        }
    }
}
