import MediaIO
import VideoWall

/// A colour setting of a tile that keys change, for streams with wrong tags.
enum ColorKnob: Hashable {
    /// The next matrix.
    case matrix
    /// The other range.
    case range
    /// The next chroma location.
    case siting
    /// U and V swapped, or not.
    case chromaOrder
    /// The colours that the stream has without these keys.
    case reset

    /// Changes the setting to its next value.
    ///
    /// - Parameters:
    ///   - override: the override to change; a part that returns to the frame's own value becomes `nil`.
    ///   - frame: the present frame.
    /// - Returns: the change, or why there is none.
    func turn(_ override: inout ColorOverride, _ frame: VideoFrame) -> String {
        guard let format = frame.image.format else { return "this frame has no known samples" }
        let layout = format.layout
        let space = frame.colorSpace
        switch self {
        case .matrix:
            guard layout.model == .yCbCr else { return "\(format.rawValue) has no matrix" }
            // R, G and B are never subsampled.
            let all = ColorSpace.Matrix.allCases.filter { $0 != .rgb || !layout.isSubsampled }
            return Self.turn("matrix", &override.matrix, space.matrix, all)
        case .range:
            guard layout.depth >= 8 else { return "\(format.rawValue) has one range only" }
            return Self.turn("range", &override.range, space.range, ColorSpace.Range.allCases)
        case .siting:
            guard layout.isSubsampled else { return "\(format.rawValue) has chroma in every pixel, or none" }
            return Self.turn(
                "siting", &override.chromaLocation, frame.chromaLocation, ChromaLocation.allCases)
        case .chromaOrder:
            guard layout.model == .yCbCr else { return "\(format.rawValue) has no U and V" }
            override.swapsChroma.toggle()
            return override.swapsChroma ? "U and V swapped" : "U and V as in \(format.rawValue)"
        case .reset:
            override = ColorOverride()
            return
                "as at first: matrix \(space.matrix.rawValue), range \(space.range.rawValue), siting \(frame.chromaLocation.rawValue)"
        }
    }

    private static func turn<Value: RawRepresentable<String> & Equatable>(
        _ name: String, _ override: inout Value?, _ own: Value, _ all: [Value]
    ) -> String {
        let index = all.firstIndex(of: override ?? own) ?? -1
        let next = all[(index + 1) % all.count]
        override = next == own ? nil : next
        return next == own
            ? "\(name) \(own.rawValue), as at first"
            : "\(name) \(next.rawValue) (at first \(own.rawValue))"
    }
}
