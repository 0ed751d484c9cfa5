import CVitrailFFmpeg
import MediaIO

extension PixelFormat {
    /// Finds the format that preserves most of one of FFmpeg's formats: alpha, chroma resolution, and depth.
    ///
    /// * Palettes and RGB of up to 8 bits: ``rgba32``; deeper RGB, and gray with alpha: ``rgba64`` or ``rgba32``.
    /// * Floating-point numbers of 16 and 32 bits: ``rgba64f``.
    /// * YCbCr and gray: planes of the same subsampling, which the chroma siting is relative to, with the same or the
    ///   next higher depth, so that big-endian words only change byte order.
    /// * Bayer of 16 bits: the upper 8.
    ///
    /// - Returns: `nil` for GPU memory, for X, Y, Z, for subsampling that no format has, and for formats that FFmpeg
    ///   itself does not describe.
    init?(nearest number: AVPixelFormat, _ description: AVPixFmtDescriptor) {
        let flags = Int32(truncatingIfNeeded: description.flags)
        let depth = Int(max(description.comp.0.depth, description.comp.1.depth))
        let isUndescribed = [AV_PIX_FMT_XYZ12LE, AV_PIX_FMT_XYZ12BE, AV_PIX_FMT_UYYVYY411].contains(number)
        guard flags & AV_PIX_FMT_FLAG_HWACCEL == 0, !isUndescribed else { return nil }
        if flags & AV_PIX_FMT_FLAG_BAYER != 0 {
            self.init(bayer: number)
        } else if flags & AV_PIX_FMT_FLAG_FLOAT != 0 {
            guard depth == 16 || depth == 32 else { return nil }
            self = .rgba64f
        } else if flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0 || description.nb_components == 2 {
            guard depth <= 16 else { return nil }
            self = depth > 8 ? .rgba64 : .rgba32
        } else {
            self.init(planarNearest: description, depth)
        }
    }

    private init?(bayer number: AVPixelFormat) {
        switch number {
        case AV_PIX_FMT_BAYER_RGGB16LE, AV_PIX_FMT_BAYER_RGGB16BE: self = .rggb8
        case AV_PIX_FMT_BAYER_BGGR16LE, AV_PIX_FMT_BAYER_BGGR16BE: self = .bggr8
        case AV_PIX_FMT_BAYER_GBRG16LE, AV_PIX_FMT_BAYER_GBRG16BE: self = .gbrg8
        case AV_PIX_FMT_BAYER_GRBG16LE, AV_PIX_FMT_BAYER_GRBG16BE: self = .grbg8
        default: return nil
        }
    }

    private init?(planarNearest description: AVPixFmtDescriptor, _ depth: Int) {
        let count = Int(description.nb_components)
        let subsampling = [Int(description.log2_chroma_w), Int(description.log2_chroma_h)]
        // The least loss wins; among equals, the smallest format.
        func loss(_ layout: PixelLayout) -> [Int] { [max(0, depth - layout.depth), layout.depth] }
        let fitting = Self.allCases.filter { format in
            let layout = format.layout
            let isPlanar = layout.planes.indices.allSatisfy { plane in
                guard let component = layout.components[plane] else { return false }
                return component.plane == plane && component.shift == 0
            }
            let model: PixelLayout.Model = count == 1 ? .gray : .yCbCr
            return layout.model == model && isPlanar && layout.planes.count == count && !layout.isFloat
                && [layout.horizontalShift, layout.verticalShift] == subsampling
        }
        guard let best = fitting.min(by: { loss($0.layout).lexicographicallyPrecedes(loss($1.layout)) }) else {
            return nil
        }
        self = best
    }
}
