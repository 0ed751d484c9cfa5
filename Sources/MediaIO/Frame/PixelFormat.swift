/// The layout of a frame's samples in memory.
///
/// A format is one case here and one row in ``layout``; the renderer reads all formats of one arrangement with one GLSL
/// function. Samples of more than 8 bits are little-endian. RGB formats are named by the order of their bytes in
/// memory, as in ZEGO and FFmpeg: ``bgra32`` has B first. Formats named after a word (``rgb565``, ``x2rgb10``) have
/// their first component in the highest bits of a little-endian word.
public enum PixelFormat: String, CaseIterable, Hashable, Sendable {
    // MARK: Planar YCbCr, 8 bits

    /// 4:2:0: Y, Cb, Cr.
    case i420
    /// 4:2:0: Y, Cr, Cb.
    case yv12
    /// 4:2:2: Y, Cb, Cr.
    case i422
    /// 4:4:4: Y, Cb, Cr.
    case i444
    /// 4:4:0, half as many rows of chroma: Y, Cb, Cr.
    case i440
    /// 4:1:1, a quarter of the columns of chroma: Y, Cb, Cr.
    case i411
    /// 4:1:0, a quarter of the columns and rows of chroma: Y, Cb, Cr.
    case yuv9
    /// ``i420`` and an alpha plane.
    case i420a
    /// ``i422`` and an alpha plane.
    case i422a
    /// ``i444`` and an alpha plane.
    case i444a

    // MARK: Semi-planar YCbCr, 8 bits

    /// 4:2:0: Y, then Cb and Cr interleaved.
    case nv12
    /// 4:2:0: Y, then Cr and Cb interleaved.
    case nv21
    /// 4:2:2: Y, then Cb and Cr interleaved.
    case nv16
    /// 4:2:2: Y, then Cr and Cb interleaved.
    case nv61
    /// 4:4:4: Y, then Cb and Cr interleaved.
    case nv24
    /// 4:4:4: Y, then Cr and Cb interleaved.
    case nv42

    // MARK: Planar YCbCr in 16-bit words, the sample in the low bits

    /// 4:2:0 at 9 bits.
    case i009
    /// 4:2:0 at 10 bits.
    case i010
    /// 4:2:0 at 12 bits.
    case i012
    /// 4:2:0 at 14 bits.
    case i014
    /// 4:2:0 at 16 bits.
    case i016
    /// 4:2:2 at 9 bits.
    case i209
    /// 4:2:2 at 10 bits.
    case i210
    /// 4:2:2 at 12 bits.
    case i212
    /// 4:2:2 at 14 bits.
    case i214
    /// 4:2:2 at 16 bits.
    case i216
    /// 4:4:4 at 9 bits.
    case i409
    /// 4:4:4 at 10 bits (WebRTC's name; 8-bit 4:1:0 is ``yuv9``).
    case i410
    /// 4:4:4 at 12 bits.
    case i412
    /// 4:4:4 at 14 bits.
    case i414
    /// 4:4:4 at 16 bits.
    case i416
    /// 4:4:0 at 10 bits.
    case i440p10
    /// 4:4:0 at 12 bits.
    case i440p12
    /// ``i010`` and an alpha plane.
    case i010a
    /// ``i016`` and an alpha plane.
    case i016a
    /// ``i210`` and an alpha plane.
    case i210a
    /// ``i212`` and an alpha plane.
    case i212a
    /// ``i216`` and an alpha plane.
    case i216a
    /// ``i410`` and an alpha plane.
    case i410a
    /// ``i412`` and an alpha plane.
    case i412a
    /// ``i416`` and an alpha plane.
    case i416a

    // MARK: Semi-planar YCbCr in 16-bit words

    /// 4:2:0 at 10 bits, in the high bits.
    case p010
    /// 4:2:0 at 12 bits, in the high bits.
    case p012
    /// 4:2:0 at 16 bits.
    case p016
    /// 4:2:2 at 10 bits, in the high bits.
    case p210
    /// 4:2:2 at 16 bits.
    case p216
    /// 4:4:4 at 10 bits, in the high bits.
    case p410
    /// 4:4:4 at 16 bits.
    case p416
    /// 4:2:2 at 10 bits, in the low bits.
    case nv20

    // MARK: Gray

    /// Luma only, 8 bits.
    case gray8
    /// Luma only, 10 bits in the low bits of a 16-bit word.
    case gray10
    /// Luma only, 12 bits in the low bits of a 16-bit word.
    case gray12
    /// Luma only, 16 bits.
    case gray16

    // MARK: Packed YCbCr

    /// 4:2:2 in bytes: Y, Cb, Y, Cr.
    case yuyv
    /// 4:2:2 in bytes: Cb, Y, Cr, Y.
    case uyvy
    /// 4:2:2 in bytes: Y, Cr, Y, Cb.
    case yvyu
    /// 4:2:2 in bytes: Cr, Y, Cb, Y.
    case vyuy
    /// 4:4:4 in bytes: A, Y, Cb, Cr.
    case ayuv
    /// 4:4:4 in bytes: Cr, Cb, Y, A.
    case vuya
    /// 4:4:4 in bytes: Cr, Cb, Y and an unused one.
    case vuyx
    /// 4:2:2 in 16-bit words: Y, Cb, Y, Cr with 10 bits each, in the high bits.
    case y210
    /// 4:4:4 in 32-bit words: from the low bits Cb, Y, Cr with 10 bits each, A with 2.
    case y410
    /// 4:2:2 at 10 bits, six pixels in four 32-bit words of three samples each: the order of SDI.
    case v210

    // MARK: Planar RGB

    /// 8 bits: G, B, R.
    case gbrp
    /// 8 bits: G, B, R and an alpha plane.
    case gbrap
    /// 10 bits in the low bits of 16-bit words: G, B, R.
    case gbrp10
    /// 12 bits in the low bits of 16-bit words: G, B, R.
    case gbrp12
    /// 16 bits: G, B, R.
    case gbrp16

    // MARK: Packed RGB

    /// Bytes B, G, R, A.
    case bgra32
    /// Bytes R, G, B, A.
    case rgba32
    /// Bytes A, R, G, B.
    case argb32
    /// Bytes A, B, G, R.
    case abgr32
    /// Bytes B, G, R and an unused one.
    case bgrx32
    /// Bytes R, G, B and an unused one.
    case rgbx32
    /// An unused byte, then R, G, B.
    case xrgb32
    /// An unused byte, then B, G, R.
    case xbgr32
    /// Bytes B, G, R.
    case bgr24
    /// Bytes R, G, B.
    case rgb24
    /// A 16-bit word: R with 5 bits, G with 6, B with 5.
    case rgb565
    /// A 16-bit word: one unused bit, R, G, B with 5 bits each.
    case xrgb1555
    /// A 32-bit word: two unused bits, R, G, B with 10 bits each.
    case x2rgb10
    /// A 32-bit word: two unused bits, B, G, R with 10 bits each.
    case x2bgr10
    /// 16-bit words R, G, B, A.
    case rgba64
    /// 16-bit floating-point numbers R, G, B, A (IEEE 754 binary16).
    case rgba64f

    // MARK: Bayer, 8 bits: one colour per pixel; the name gives the upper left four, row by row

    /// Red, green; green, blue.
    case rggb8
    /// Blue, green; green, red.
    case bggr8
    /// Green, blue; red, green.
    case gbrg8
    /// Green, red; blue, green.
    case grbg8

    /// The planes, in their order in a buffer.
    public var planes: PlaneList { layout.planes }

    /// The number of bytes of a frame without padding between rows and planes.
    ///
    /// - Parameter size: each side 1…``PixelBuffer/maximumSide``.
    /// - Returns: the number of bytes.
    public func packedByteCount(_ size: VideoSize) -> Int {
        planes.reduce(0) { $0 + $1.rowBytes(size) * $1.height(size) }
    }
}
