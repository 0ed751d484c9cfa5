extension PixelFormat {
    /// A short description for people, such as `10-bit YCbCr 4:2:0, 2 planes`.
    public var summary: String {
        let layout = layout
        let kind =
            switch layout.model {
            case .yCbCr: "YCbCr \(subsampling)"
            case .rgb: layout.isFloat ? "floating-point RGB" : "RGB"
            case .gray: "gray"
            case .bayer: "Bayer"
            }
        let count = layout.planes.count
        // Of all formats, only ``rgb565`` has colours of unequal depth.
        let isUneven = layout.components[0].map { $0.depth != layout.depth } ?? false
        let isPacked = count == 1 && layout.model != .gray && layout.model != .bayer
        return "\(isUneven ? "up to " : "")\(layout.depth)-bit \(kind)\(layout.hasAlpha ? " with alpha" : ""), "
            + (isPacked ? "packed" : count == 1 ? "1 plane" : "\(count) planes")
    }

    /// The chroma subsampling in the usual notation, such as `4:2:0`; `RGB`, `gray` or `Bayer` for other formats.
    public var subsampling: String {
        let layout = layout
        switch layout.model {
        case .rgb: return "RGB"
        case .gray: return "gray"
        case .bayer: return "Bayer"
        case .yCbCr:
            return switch (layout.horizontalShift, layout.verticalShift) {
            case (0, 0): "4:4:4"
            case (1, 0): "4:2:2"
            case (0, 1): "4:4:0"
            case (1, 1): "4:2:0"
            case (2, 0): "4:1:1"
            default: "4:1:0"
            }
        }
    }
}
