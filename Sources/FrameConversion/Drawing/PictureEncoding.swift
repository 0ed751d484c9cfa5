package import CVitrailKernels
package import MediaIO

/// The conversion of R'G'B' to YCbCr, in strips of rows.
package final class PictureEncoding: @unchecked Sendable {
    // Unchecked: what strips read is written before they begin, and each writes rows of its own.
    private let pixels = UnsafeMutablePointer<VitrailPixels>.allocate(capacity: 1)
    private let encoding = UnsafeMutablePointer<VitrailEncoding>.allocate(capacity: 1)
    private let deep = UnsafeMutablePointer<VitrailDeepEncoding>.allocate(capacity: 1)
    private var (isDeep, height) = (false, 0)
    private var stripHeight = 2
    package private(set) var stripCount = 0

    package init() {
        pixels.initialize(to: VitrailPixels())
        encoding.initialize(to: VitrailEncoding())
        deep.initialize(to: VitrailDeepEncoding())
    }

    deinit {
        pixels.deallocate()
        encoding.deallocate()
        deep.deallocate()
    }

    /// Whether planes of a layout can be written: 8 bits, with chroma in planes of its own.
    static func canWrite(_ layout: PixelLayout) -> Bool {
        guard layout.model == .yCbCr, layout.depth == 8, layout.packing == .regular, !layout.hasAlpha,
            max(layout.horizontalShift, layout.verticalShift) <= 1
        else { return false }
        return layout.components[1]?.plane != 0
    }

    /// Sets pixels of a byte per component to convert, into planes that remain until the strips are done.
    ///
    /// - Parameters:
    ///   - pixels: what is converted.
    ///   - target: planes of the same size, which ``canWrite(_:)``.
    ///   - space: the colour space to convert to.
    ///   - threadCount: the number of threads that take strips.
    package func begin(
        _ pixels: VitrailPixels, _ target: borrowing WritablePlanes, _ space: ColorSpace, threadCount: Int
    ) {
        let layout = target.format.layout
        var encoding = VitrailEncoding()
        func place(_ index: Int) -> (UnsafeMutablePointer<UInt8>?, Int) {
            guard let component = layout.components[index] else { return (nil, 0) }
            let first = target.withPlaneBytes(component.plane) { bytes in
                bytes.baseAddress.map { ($0 + component.offset).assumingMemoryBound(to: UInt8.self) }
            }
            return (first, target.bytesPerRow(component.plane))
        }
        let (luma, first, second) = (place(0), place(1), place(2))
        encoding.planes = (luma.0, first.0, second.0)
        encoding.strides = (luma.1, first.1, second.1)
        encoding.chromaStep = Int32(layout.components[1]?.step ?? 1)
        encoding.halvesColumns = layout.horizontalShift == 1
        encoding.halvesRows = layout.verticalShift == 1
        encoding.weights = Self.weights(space, depth: 8)
        (self.pixels.pointee, self.encoding.pointee) = (pixels, encoding)
        divide(Int(pixels.height), isDeep: false, threadCount)
    }

    /// Sets a picture to convert to ``PixelFormat/i010``, into planes that remain until the strips are done.
    ///
    /// - Parameters:
    ///   - picture: a picture of ``PictureFormat/rgb10a2``.
    ///   - target: planes of the same size.
    ///   - space: the colour space to convert to.
    ///   - threadCount: the number of threads that take strips.
    package func begin(
        deep picture: PictureMemory, _ target: borrowing WritablePlanes, _ space: ColorSpace, threadCount: Int
    ) {
        func place(_ plane: Int) -> UnsafeMutablePointer<UInt16>? {
            target.withPlaneBytes(plane) { $0.baseAddress?.assumingMemoryBound(to: UInt16.self) }
        }
        var encoding = VitrailDeepEncoding()
        (encoding.first, encoding.bytesPerRow) = (UnsafePointer(picture.bytes), picture.bytesPerRow)
        (encoding.width, encoding.height) = (Int32(picture.size.width), Int32(picture.size.height))
        encoding.planes = (place(0), place(1), place(2))
        encoding.strides = (target.bytesPerRow(0), target.bytesPerRow(1), target.bytesPerRow(2))
        encoding.weights = Self.weights(space, depth: 10)
        deep.pointee = encoding
        divide(picture.size.height, isDeep: true, threadCount)
    }

    /// The rows of the matrix for code values of a depth, and their offsets.
    private static func weights(
        _ space: ColorSpace, depth: Int
    ) -> (Float, Float, Float, Float, Float, Float, Float, Float, Float, Float, Float, Float) {
        let transform = YCbCrTransform.encoding(space, depth: depth)
        let (rows, offset) = (transform.matrix, transform.offset * Double(1 << depth - 1))
        return (
            Float(rows.0.x), Float(rows.0.y), Float(rows.0.z), Float(offset.x),
            Float(rows.1.x), Float(rows.1.y), Float(rows.1.z), Float(offset.y),
            Float(rows.2.x), Float(rows.2.y), Float(rows.2.z), Float(offset.z)
        )
    }

    private func divide(_ height: Int, isDeep: Bool, _ threadCount: Int) {
        (self.height, self.isDeep) = (height, isDeep)
        let strips = threadCount == 1 ? 1 : 4 * threadCount
        stripHeight = max(16, ((height + strips - 1) / strips + 1) & ~1)
        stripCount = (height + stripHeight - 1) / stripHeight
    }

    /// Converts a strip.
    ///
    /// - Parameter strip: its number, below ``stripCount``.
    package func perform(_ strip: Int) {
        let first = strip * stripHeight
        let last = min(first + stripHeight, height)
        if isDeep {
            vitrail_encode_deep(deep, Int32(first), Int32(last))
        } else {
            vitrail_encode(pixels, encoding, Int32(first), Int32(last))
        }
    }
}
